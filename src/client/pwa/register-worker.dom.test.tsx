import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '../ui/shell/toast-store.ts'
import { useHoldReload } from './can-reload-now.ts'
import { registerWorker } from './register-worker.ts'

const reload = vi.fn<() => void>()
const posted = vi.fn<(message: unknown) => void>()
const worker = (scriptURL: string) => Object.assign(new EventTarget(), { scriptURL, postMessage: posted })

/** A device on which one version runs and the next one is installed. */
async function openWithNewVersion() {
  const registration = Object.assign(new EventTarget(), {
    active: worker('/service-worker.js'),
    waiting: worker('/service-worker.js?next') as EventTarget | null,
    installing: null,
    update: () => Promise.resolve(),
  })
  const container = Object.assign(new EventTarget(), {
    controller: registration.active,
    register: () => Promise.resolve(registration),
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true })
  await registerWorker({ onNavigation: () => undefined })
  const [offer] = currentToasts()
  expect(offer?.title).toBe('A new version is ready')
  return {
    tapReload: () => act(() => offer?.action?.onSelect()),
    takeOver: () => {
      registration.waiting = null
      container.dispatchEvent(new Event('controllerchange'))
    },
  }
}
/** As the wizard does while there is a draft in it, and a form while something is being entered. */
const startEntering = () => renderHook(() => useHoldReload(true)).unmount

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(location, 'reload').mockImplementation(reload)
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.useRealTimers()
  vi.restoreAllMocks()
  reload.mockReset()
  posted.mockReset()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('what is entered between the tap on Reload and the new version is not lost: the page is loaded again once it is saved', async () => {
  const { tapReload, takeOver } = await openWithNewVersion()
  tapReload()
  expect(posted).toHaveBeenCalledWith({ type: 'SKIP_WAITING' })
  const save = startEntering()
  takeOver()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
  save()
  // The next sheet of what is being entered follows the one before.
  const saveNext = startEntering()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
  saveNext()
  await vi.advanceTimersByTimeAsync(2000)
  expect(reload).toHaveBeenCalledOnce()
})

test('while something is being entered, a tap on Reload leaves the current version in charge until it is saved', async () => {
  const { tapReload } = await openWithNewVersion()
  const save = startEntering()
  tapReload()
  expect(posted).not.toHaveBeenCalled()
  save()
  expect(posted).toHaveBeenCalledOnce()
})

test('a request to take over that the browser drops with its worker is repeated until the new version has taken over', async () => {
  const { tapReload, takeOver } = await openWithNewVersion()
  tapReload()
  await vi.advanceTimersByTimeAsync(7000)
  expect(posted).toHaveBeenCalledTimes(3)
  takeOver()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(posted).toHaveBeenCalledTimes(3)
  expect(reload).toHaveBeenCalledOnce()
})
