import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { cubeOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { inventorySearch } from './inventory-search.ts'

export const catalogueNavigation: NavEntry[] = [{ to: '/inventory', label: 'Inventory', icon: cubeOutline }]

export function catalogueRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/inventory',
      validateSearch: inventorySearch,
      component: lazyRouteComponent(() => import('./inventory-page.tsx'), 'InventoryPage'),
    }),
  ]
}
