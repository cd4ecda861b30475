import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentAttachOutline } from 'ionicons/icons'
import * as v from 'valibot'
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

/** /performance-reports, under the dashboard's layout. */
export function reportsRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/performance-reports',
      validateSearch: reportsSearch,
      component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
    }),
  ]
}
