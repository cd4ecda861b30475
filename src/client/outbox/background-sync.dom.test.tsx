import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { signInAs, testEdit as edit } from '../../../tests/support/test-edit.ts'
import { resetServer, route, server } from '../../../tests/support/outbox-server.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'
import { wakeOutbox } from '../worker/outbox-sync.ts'
import { startOutbox } from './flush-outbox.ts'
import { discardEdit, pendingEdits, queueEdit } from './outbox.ts'

const registered: string[] = []
const workerOfPage = Object.assign(new EventTarget(), {
  getRegistration: () => Promise.resolve({ sync: { register: async (tag: string) => void registered.push(tag) } }),
})
const shown: string[] = []
const messages: unknown[] = []

/** The browser wakes the worker, because there is a network again; `pages` are open. */
const wake = (pages = 0): Promise<void> =>
  wakeOutbox({
    clients: {
      matchAll: () =>
        Promise.resolve(Array.from({ length: pages }, () => ({ postMessage: (m: unknown) => messages.push(m) }))),
    },
    registration: { showNotification: async (title: string) => void shown.push(title) },
  } as never)

beforeAll(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  vi.stubGlobal('Notification', { permission: 'granted' })
  Object.defineProperty(navigator, 'serviceWorker', { value: workerOfPage, configurable: true })
})
afterAll(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})
beforeEach(() => {
  localStorage.clear()
  signInAs('7')
  resetServer()
  shown.length = 0
  messages.length = 0
})

it('the browser is asked to wake the worker, which notifies of what waits only while no page is open', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  await waitUntil(() => expect(registered).toEqual(['tideline.outbox', 'tideline.outbox']))
  await wake()
  expect(shown).toEqual(['2 changes are queued'])
  await wake(1)
  expect([shown.length, messages]).toEqual([1, [{ type: 'outbox' }]])
  for (const { id } of pendingEdits()) discardEdit(id)
  await waitUntil(async () => {
    shown.length = 0
    await wake()
    expect(shown).toEqual([])
  })
})

it('without permission the worker stays silent', async () => {
  queueEdit(edit())
  await waitUntil(async () => {
    await wake()
    expect(shown).toEqual(['1 change is queued'])
  })
  vi.stubGlobal('Notification', { permission: 'default' })
  shown.length = 0
  await wake()
  expect(shown).toEqual([])
})

it('an open page sends what waits when the worker says that there is a network', async () => {
  const stop = startOutbox(route)
  queueEdit(edit())
  expect(server.outcomes).toEqual([])
  workerOfPage.dispatchEvent(new MessageEvent('message', { data: { type: 'outbox' } }))
  await waitUntil(() => expect(server.outcomes).toEqual(['sent Tide mugs']))
  stop()
})
