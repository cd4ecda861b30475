import type { QueryClient } from '@tanstack/react-query'
import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import { userSearch } from './user-search.ts'

/** `beforeLoad` of the admin pages: leads everyone else to the start. */
export async function managersOnly({ context }: { context: { queryClient: QueryClient } }): Promise<void> {
  const user = await context.queryClient.ensureQueryData(userQueries.user())
  const may = authoritiesOfUser(user).some(one => one === 'CAMPAIGN_MANAGER' || one === 'ADMIN')
  const to: string = '/home'
  if (!may) throw redirect({ to, replace: true })
}

const auditSearch = v.object({
  page: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))), undefined)),
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
