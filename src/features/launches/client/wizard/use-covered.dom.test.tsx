import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useCovered } from './wizard-page.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const watch = (stays: () => boolean) =>
  renderHook((launching: boolean) => useCovered({ launching, reopening: false, stays }), { initialProps: true })
const later = () => act(() => void vi.advanceTimersByTime(2000))

it('brings the sheets back where another tab has seen the end of the launch', () => {
  const { result, rerender } = watch(() => true)
  later()
  expect(result.current).toBe(true)
  rerender(false)
  expect(result.current, 'not before it is clear that nothing leads away').toBe(true)
  later()
  expect(result.current).toBe(false)
})

it('covers them until the user is led elsewhere, however long that takes', () => {
  let leaving = true
  const { result, rerender } = watch(() => !leaving)
  rerender(false)
  later()
  expect(result.current).toBe(true)
  leaving = false
  later()
  expect(result.current).toBe(false)
})
