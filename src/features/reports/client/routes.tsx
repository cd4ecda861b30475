import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentAttachOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { onlyFor } from '#features/auth/client/public.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const reportsNavigation: NavEntry[] = [
  { to: '/performance-reports', label: 'Reports', icon: documentAttachOutline, group: 'Insights' },
]

const whole = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined))
const reportsSearch = v.object({
  page: whole,
  query: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(100))), undefined)),
  /** The report that a mail or a notification led to. */
  report: whole,
})

/** The user's reports and the campaign managers', under the dashboard's layout. */
export function reportsRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/performance-reports',
      validateSearch: reportsSearch,
      component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/admin-performance-reports',
      beforeLoad: onlyFor('CAMPAIGN_MANAGER', 'ADMIN'),
      validateSearch: v.object({ page: whole }),
      component: lazyRouteComponent(() => import('./admin-reports-page.tsx'), 'AdminReportsPage'),
    }),
  ]
}
