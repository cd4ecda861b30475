import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { onlyFor } from '#features/auth/client/public.ts'

const auditSearch = v.object({
  page: v.optional(
    v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))), undefined),
  ),
  views: v.optional(v.fallback(v.optional(v.boolean()), undefined)),
})

// The page reads it (user-search.ts): what it may hold is in contracts that no first visit needs.
const unread = v.optional(v.unknown())
const usersAddress = v.object({ query: unread, role: unread, accountType: unread, subscription: unread })

/** The admin pages, and the user's own log, under the dashboard's layout. */
export function managingRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/admin-user-management',
      beforeLoad: onlyFor('CAMPAIGN_MANAGER', 'ADMIN'),
      validateSearch: usersAddress,
      component: lazyRouteComponent(() => import('./user-management-page.tsx'), 'UserManagementPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/settings/audit-log',
      validateSearch: auditSearch,
      component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
    }),
  ]
}
