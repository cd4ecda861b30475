import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { briefcaseOutline, peopleOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { registerLanding } from '#client/api/session/after-log-in.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { onlyFor } from '#features/auth/client/public.ts'
import { pendingInvitation } from './pending-invitation.ts'

registerLanding(() => (pendingInvitation.read() === null ? null : '/invitation'))

/** /team and /clients, under the dashboard's layout. */
export function teamRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/team',
      beforeLoad: onlyFor('ACCOUNT_MANAGER'),
      component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/clients',
      beforeLoad: onlyFor('AGENCY'),
      component: lazyRouteComponent(() => import('./clients-page.tsx'), 'ClientsPage'),
    }),
  ]
}

const invitationSearch = v.object({ token: v.optional(v.fallback(v.optional(v.string()), undefined)) })

/** /invitation, for everyone who has a mail with its link. */
export function invitationRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/invitation',
      validateSearch: invitationSearch,
      component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
    }),
  ] as const
}

export const teamNavigation: NavEntry[] = [
  { to: '/team', label: 'Team', icon: peopleOutline, group: 'Account', authorities: ['ACCOUNT_MANAGER'] },
]

/** Before everything else: an agency chooses a client first. No tab: the tabs stand before it is known who looks at them. */
export const clientsNavigation: NavEntry[] = [
  { to: '/clients', label: 'Clients', icon: briefcaseOutline, authorities: ['AGENCY'] },
]
