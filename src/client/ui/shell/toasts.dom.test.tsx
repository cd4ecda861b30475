import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toast } from './toast-store.ts'
import { AppShell } from './layouts.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const router = createRouter({
  routeTree: createRootRoute({ component: AppShell, notFoundComponent: () => null }),
  history: createMemoryHistory(),
})
await router.load()
const show = () => render(<RouterProvider router={router as never} />)

it('shows a notification for four seconds, in a live region', () => {
  show()
  act(() => void toast({ title: 'Saved' }))
  expect(screen.getByText('Saved').closest('[aria-live="polite"]')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(3999))
  expect(screen.queryByText('Saved')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByText('Saved')).toBeNull()
})
it('can be closed, and its action is done once', () => {
  const onSelect = vi.fn()
  show()
  act(() => void toast({ title: 'Paused', action: { label: 'Undo', onSelect }, durationMs: Number.POSITIVE_INFINITY }))
  act(() => void vi.advanceTimersByTime(60_000))
  fireEvent.click(screen.getByText('Undo'))
  expect(onSelect).toHaveBeenCalledOnce()
  act(() => void toast({ title: 'Again' }))
  fireEvent.click(screen.getByLabelText('Close: Again'))
  expect(screen.queryByText('Again')).toBeNull()
})
