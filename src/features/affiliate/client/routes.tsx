import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { giftOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const affiliateNavigation: NavEntry[] = [
  { to: '/affiliate', label: 'Affiliate', icon: giftOutline, group: 'Account' },
]

/** /affiliate, under the dashboard's layout. */
export function affiliateRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/affiliate',
      component: lazyRouteComponent(() => import('./affiliate-page.tsx'), 'AffiliatePage'),
    }),
  ]
}
