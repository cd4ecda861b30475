import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inventorySearch } from './inventory/inventory-search.ts'

/** /inventory, under the dashboard's layout. */
export function catalogueRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/inventory',
      validateSearch: inventorySearch,
      component: lazyRouteComponent(() => import('./inventory/inventory-page.tsx'), 'InventoryPage'),
    }),
  ]
}
