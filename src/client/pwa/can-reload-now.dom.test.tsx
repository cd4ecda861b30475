import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { canReloadNow, useHoldReload, whenReloadAllowed } from './can-reload-now.ts'

const holdReload = () => renderHook(() => useHoldReload(true)).unmount

it('waits until the last of those who hold it lets go', () => {
  const wizard = holdReload()
  const edit = holdReload()
  const reload = vi.fn()
  whenReloadAllowed(reload)
  wizard()
  expect(canReloadNow()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  edit()
  edit()
  expect(reload).toHaveBeenCalledOnce()
  const again = holdReload()
  again()
  expect(reload).toHaveBeenCalledOnce()
})
it('happens at once when nothing holds it', () => {
  const reload = vi.fn()
  whenReloadAllowed(reload)
  expect(reload).toHaveBeenCalledOnce()
})
