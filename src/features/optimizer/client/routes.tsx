import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { repeatOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { onlyFor } from '#features/auth/client/public.ts'
import { groupSearch, logSearch, takeOverSearch } from './optimizer-search.ts'

export const optimizerNavigation: NavEntry[] = [
  {
    to: '/automation-logs',
    label: 'Automation',
    icon: repeatOutline,
    group: 'Campaigns',
    authorities: ['MERCHANT_MANAGER'],
  },
]

/** The log and the groups, under the dashboard's layout. */
export function optimizerRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-logs',
      validateSearch: logSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./log/log-page.tsx'), 'LogPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-groups',
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./groups/groups-page.tsx'), 'GroupsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-groups/$groupId',
      validateSearch: groupSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./groups/group-page.tsx'), 'GroupPage'),
    }),
  ]
}

/** Taking campaigns over, without the frame, like the wizard. */
export function takeOverRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/take-over',
      validateSearch: takeOverSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./take-over/take-over-page.tsx'), 'TakeOverPage'),
    }),
  ]
}
