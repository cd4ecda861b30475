import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { queryClient } from '#client/api/query-client.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import { userSearch } from './user-search.ts'

// Leads everyone else to the start. While the user is not known, the server has the last word.
async function managersOnly(): Promise<void> {
  const user = await queryClient.ensureQueryData(userQueries.user()).catch(() => null)
  const to: string = '/home'
  if (user && !authoritiesOfUser(user).some(one => one === 'CAMPAIGN_MANAGER' || one === 'ADMIN'))
    throw redirect({ to, replace: true })
}

const auditSearch = v.object({
  page: v.optional(
    v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))), undefined),
  ),
  views: v.optional(v.fallback(v.optional(v.boolean()), undefined)),
})

/** The admin pages, and the user's own log, under the dashboard's layout. */
export function managingRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/admin-user-management',
      beforeLoad: managersOnly,
      validateSearch: userSearch,
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
