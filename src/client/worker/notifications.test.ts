import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WorkerScope } from './worker-scope.ts'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

interface Shown {
  title: string
  body: string
  tag: string
  renotify?: boolean
  actions?: { action: string }[]
  data: { url: string; buttons?: { action: string; token: string }[] }
}

/** A worker as far as the code uses it, with what it showed and did. */
function fakeWorker() {
  const shown: Shown[] = []
  const opened: string[] = []
  const badges: number[] = []
  const synced: string[] = []
  const worker = {
    registration: {
      showNotification: async (title: string, options: Omit<Shown, 'title'>) => void shown.push({ title, ...options }),
      sync: { register: async (tag: string) => void synced.push(tag) },
    },
    navigator: {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    },
    clients: { matchAll: async () => [], openWindow: async (url: string) => void opened.push(url) },
  } as unknown as WorkerScope
  return { worker, shown, opened, badges, synced }
}

const payload = {
  web_push: 8030,
  app_badge: 2,
  notification: {
    title: 'Out of budget',
    body: '“Bottles” stopped at 10:40.',
    navigate: 'https://tideline.example/notifications?id=7',
    tag: 'budget-42',
    renotify: true,
    actions: [
      { action: 'PAUSE_CAMPAIGN', title: 'Pause' },
      { action: 'SNOOZE', title: 'Snooze 1 h' },
    ],
    data: { tokens: { PAUSE_CAMPAIGN: 'pause-token', SNOOZE: 'snooze-token' } },
  },
}
const sent: string[] = []
let answer: () => Response = () => Response.json({ message: '“Bottles” is paused.', openCount: 1 })

// The store is opened once for each life of the worker.
let modules: typeof import('./notifications.ts') &
  typeof import('./push-actions.ts') &
  typeof import('./worker-store.ts')
beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('Notification', { maxActions: 2 })
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    sent.push(`${method} ${url}`)
    return answer()
  })
  sent.length = 0
  answer = () => Response.json({ message: '“Bottles” is paused.', openCount: 1 })
  modules = {
    ...(await import('./worker-store.ts')),
    ...(await import('./push-actions.ts')),
    ...(await import('./notifications.ts')),
  }
})
afterEach(() => vi.useRealTimers())
// The files of a worker share its globals.
afterAll(() => vi.unstubAllGlobals())

async function pushed() {
  const scene = fakeWorker()
  await modules.showPush(scene.worker, { data: { json: () => payload } })
  const [first] = scene.shown
  if (!first) throw new Error('nothing was shown')
  const click = (action = '') =>
    modules.clickNotification(scene.worker, {
      action,
      notification: { ...first, close: () => undefined },
    })
  return { ...scene, first, click }
}

it('shows a push with its buttons, sets the badge and remembers when it came', async () => {
  expect(await modules.lastPushAt()).toBeNull()
  const { first, badges } = await pushed()
  expect(first).toMatchObject({
    title: 'Out of budget',
    tag: 'budget-42',
    renotify: true,
    actions: [{ action: 'PAUSE_CAMPAIGN' }, { action: 'SNOOZE' }],
    data: { url: '/notifications?id=7' },
  })
  expect(badges).toEqual([2])
  expect(Date.now() - ((await modules.lastPushAt()) ?? 0)).toBeLessThan(5000)
})

it('has no buttons where the browser has none', async () => {
  vi.stubGlobal('Notification', {})
  expect((await pushed()).first.actions).toEqual([])
})

it('opens the card when no button is pressed', async () => {
  const { click, opened } = await pushed()
  await click()
  expect([opened, sent]).toEqual([['/notifications?id=7'], []])
})

it('asks a window that is still starting again, and leads one that is not the app there itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const scene = await pushed()
  const led: string[] = []
  let messages = 0
  const open = (answersAt: number) => ({
    focused: false,
    focus: async () => undefined,
    navigate: async (url: string) => void led.push(url),
    postMessage: ({ url }: { url: string }, { transfer: [port] }: { transfer: [MessagePort] }) => {
      expect(url).toBe('/notifications?id=7')
      messages += 1
      if (messages === answersAt) port.postMessage('gone there')
    },
  })
  const tap = async (answersAt: number) => {
    messages = 0
    scene.worker.clients.matchAll = async () => [open(answersAt)] as never
    let isOver = false
    const tapped = scene.click().finally(() => (isOver = true))
    // A message between two ports takes real time.
    while (!isOver) await vi.advanceTimersByTimeAsync(100).then(() => new Promise(resolve => setImmediate(resolve)))
    await tapped
  }
  await tap(3)
  expect([messages, led]).toEqual([3, []])
  await tap(0)
  expect(messages).toBeGreaterThan(10)
  expect([led, scene.opened]).toEqual([['/notifications?id=7'], []])
})

it('puts a subscription in the place of one that the browser gave up, and tells open pages', async () => {
  const { worker } = fakeWorker()
  const [made, messages]: [unknown[], unknown[]] = [[], []]
  worker.registration.pushManager = { subscribe: async options => made.push(options) }
  worker.clients.matchAll = async () => [{ postMessage: (message: unknown) => void messages.push(message) }] as never
  const options = { applicationServerKey: new ArrayBuffer(65), userVisibleOnly: true }
  await modules.renewSubscription(worker, { oldSubscription: { options }, newSubscription: null })
  expect([made, messages]).toEqual([[options], [{ type: 'subscription' }]])
  await modules.renewSubscription(worker, { oldSubscription: { options }, newSubscription: {} })
  expect([made.length, messages.length]).toEqual([1, 2])
})

it('does what a button says, and shows it under the same tag', async () => {
  const { click, shown, badges, opened } = await pushed()
  await click('PAUSE_CAMPAIGN')
  expect(sent).toEqual(['POST /api/notifications/actions/pause-token'])
  expect(shown.at(-1)).toMatchObject({ title: 'Paused', body: '“Bottles” is paused.', tag: 'budget-42' })
  expect([badges.at(-1), opened, await modules.pendingActions()]).toEqual([1, [], []])
})

it('says why it was not done, and leads to the card', async () => {
  answer = () => Response.json({ errorCode: 'CONFLICT', message: 'This is over.' }, { status: 409 })
  const { click, shown, badges } = await pushed()
  await click('PAUSE_CAMPAIGN')
  expect(shown.at(-1)).toMatchObject({ title: 'Not done', body: 'This is over.', data: { url: '/notifications?id=7' } })
  expect(badges).toEqual([2])
  expect(await modules.pendingActions()).toEqual([])
})

it.each([
  ['there is no network', () => Promise.reject(new TypeError('Failed to fetch')) as unknown as Response],
  ['the server is down', () => new Response('', { status: 503 })],
])('keeps a button while %s, and sends it once there is one', async (_, fails) => {
  answer = fails
  const { worker, click, shown, synced } = await pushed()
  await click('PAUSE_CAMPAIGN')
  expect(shown.at(-1)).toMatchObject({ title: 'Queued until you are online', tag: 'budget-42' })
  expect(synced).toEqual([modules.actionsSync])
  expect(await modules.sendPendingActions(worker)).toBe(false)
  answer = () => Response.json({ message: '“Bottles” is paused.', openCount: 1 })
  expect(await modules.sendPendingActions(worker)).toBe(true)
  expect(shown.at(-1)).toMatchObject({ title: 'Paused' })
  const count = sent.length
  expect(await modules.sendPendingActions(worker)).toBe(true)
  expect(sent.length).toBe(count)
})

it('gives a button up after 12 hours, and says so', async () => {
  answer = () => new Response('', { status: 503 })
  const { worker, click, shown } = await pushed()
  await click('PAUSE_CAMPAIGN')
  const count = sent.length
  const later = Date.now() + 12 * 3_600_000 + 1000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  expect(await modules.sendPendingActions(worker)).toBe(true)
  vi.mocked(Date.now).mockRestore()
  expect(shown.at(-1)).toMatchObject({ title: 'Not done', body: expect.stringContaining('12 hours') })
  expect(sent.length).toBe(count)
})

it('forgets everything with the user', async () => {
  answer = () => new Response('', { status: 503 })
  await (await pushed()).click('PAUSE_CAMPAIGN')
  await modules.wipeWorkerStore()
  expect([await modules.pendingActions(), await modules.lastPushAt()]).toEqual([[], null])
})
