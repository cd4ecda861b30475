import { QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { createQueryClient } from '#client/api/query-client.ts'

/** Shows a page of a feature's routes at an address, alone: without the frame, the guard and retries. */
export function showRoutes(
  routesOf: (parent: AnyRoute) => readonly AnyRoute[],
  address: string,
  area: 'dashboard' | 'action' = 'dashboard',
) {
  const root = createRootRoute()
  const parent = createRoute({ getParentRoute: () => root, id: area })
  const router = createRouter({
    routeTree: root.addChildren([parent.addChildren([...routesOf(parent)])]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
