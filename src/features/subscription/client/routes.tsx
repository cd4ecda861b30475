import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '#client/api/query-client.ts'
import { subscriptionQueries } from './queries.ts'

/** The screens within the dashboard. */
export function subscriptionDashboardRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription',
      loader: () =>
        Promise.all([
          queryClient.ensureQueryData(subscriptionQueries.plans()),
          queryClient.ensureQueryData(subscriptionQueries.current()),
        ]),
      component: lazyRouteComponent(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
    }),
  ] as const
}
