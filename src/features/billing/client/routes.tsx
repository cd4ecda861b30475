import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { receiptOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { onlyFor } from '#features/auth/client/public.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const billingNavigation: NavEntry[] = [
  {
    to: '/subscription/billing',
    label: 'Billing',
    icon: receiptOutline,
    group: 'Account',
    authorities: ['ACCOUNT_MANAGER'],
  },
]

const billingSearch = v.object({
  /** Of the invoices, from 0. */
  page: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined)),
})
/** The provider's page adds the session that a card was saved in. */
const returnSearch = v.object({ session: v.optional(v.fallback(v.string(), ''), '') })

export function billingRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription/billing',
      beforeLoad: onlyFor('ACCOUNT_MANAGER'),
      validateSearch: billingSearch,
      component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription/billing/card',
      beforeLoad: onlyFor('ACCOUNT_MANAGER'),
      validateSearch: returnSearch,
      component: lazyRouteComponent(() => import('./card-return-page.tsx'), 'CardReturnPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/subscription/invoices/$invoiceId',
      beforeLoad: onlyFor('ACCOUNT_MANAGER'),
      component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
    }),
  ] as const
}
