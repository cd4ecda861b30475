import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { useAccountNotice } from './wizard-page.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  for (const { id } of currentToasts()) dismissToast(id)
})

it('says once that another tab has changed the account, and nothing while it stays', () => {
  vi.useFakeTimers()
  const later = () => vi.advanceTimersByTime(1000)
  const { rerender } = renderHook(({ scope, name }) => useAccountNotice(scope, name), {
    initialProps: { scope: '3.1', name: 'Tide · United States' },
  })
  rerender({ scope: '3.1', name: 'Tide Inc. · United States' })
  later()
  expect(currentToasts()).toEqual([])
  rerender({ scope: '4.1', name: 'Nordhafen · United States' })
  rerender({ scope: '4.7', name: 'Nordhafen · Germany' })
  later()
  expect(currentToasts().map(t => t.title)).toEqual(['Switched to Nordhafen · Germany'])
})
