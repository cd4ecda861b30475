import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { cardOutline } from 'ionicons/icons'
import { queryClient } from '#client/api/query-client.ts'
import { type GuardQuestions, questionOf } from '#client/guarded.ts'
import * as v from 'valibot'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { subscriptionQueries } from './queries.ts'

/** What the guard asks of this feature. */
export const subscriptionQuestions = {
  subscription: questionOf(subscriptionQueries.current()),
} satisfies GuardQuestions

export const subscriptionNavigation: NavEntry[] = [
  {
    to: '/subscription',
    label: 'Subscription',
    icon: cardOutline,
    group: 'Account',
    authorities: ['ACCOUNT_MANAGER'],
  },
]

/** The provider's page says so when its buyer turned back. */
const planSearch = v.object({ checkout: v.optional(v.fallback(v.optional(v.literal('left')), undefined)) })
/** The provider's page adds the session that was completed. */
const returnSearch = v.object({ session: v.optional(v.fallback(v.string(), ''), '') })

export function subscriptionDashboardRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription',
      validateSearch: planSearch,
      loader: () =>
        Promise.all([
          queryClient.ensureQueryData(subscriptionQueries.plans()),
          queryClient.ensureQueryData(subscriptionQueries.current()),
        ]),
      component: lazyRouteComponent(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription/checkout',
      validateSearch: returnSearch,
      component: lazyRouteComponent(() => import('./checkout-return-page.tsx'), 'CheckoutReturnPage'),
    }),
  ] as const
}
