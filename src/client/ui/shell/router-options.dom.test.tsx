import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { routerOptions } from './router-options.tsx'

configure({ asyncUtilTimeout: 20_000 })
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function open(loader: () => Promise<unknown>) {
  const root = createRootRoute()
  const screenRoute = createRoute({ getParentRoute: () => root, path: '/', loader, component: () => <h1>Settings</h1> })
  const router = createRouter({
    ...routerOptions,
    routeTree: root.addChildren([screenRoute]),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

it('a screen that failed shows its error when asked to, and loads again what it lacked', async () => {
  // React reports what the error screen shows.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let loads = 0
  open(async () => {
    loads += 1
    if (loads === 1) throw new Error('Cannot read this')
  })
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Something went wrong!')
  expect(screen.queryByText(/Cannot read this/)).toBeNull()
  fireEvent.click(screen.getByText('Show Error'))
  expect(screen.getByText(/Cannot read this/)).toBeTruthy()
  fireEvent.click(screen.getByText('Hide Error'))
  expect(screen.queryByText(/Cannot read this/)).toBeNull()
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('Settings')).toBeTruthy()
})

it('a screen whose data is late says so', async () => {
  open(() => new Promise(() => undefined))
  expect(await screen.findByText('Still loading. This takes longer than usual.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
