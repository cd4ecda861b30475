import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { colorPaletteOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const brandingNavigation: NavEntry[] = [
  { to: '/branding', label: 'Branding', icon: colorPaletteOutline, group: 'Account', authorities: ['AGENCY'] },
]

/** /branding, under the dashboard's layout. */
export function brandingRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/branding',
      component: lazyRouteComponent(() => import('./branding-page.tsx'), 'BrandingPage'),
    }),
  ]
}
