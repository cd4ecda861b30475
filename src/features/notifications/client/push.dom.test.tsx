import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { subscriptionChanges } from '#client/pwa/start-pwa.ts'
import { PushOffer } from './push-offer.tsx'
import { PushSwitch } from './push-switch.tsx'
import { PushSync } from './push-sync.tsx'
import { setPushWanted } from './push.ts'

const [ourKey, olderKey] = ['BNew', 'BOld']
const bytesOf = (text: string) => Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer

// The browser and the network are the outside here: what a page can see of them.
interface Held {
  endpoint: string
  options: { applicationServerKey: ArrayBuffer }
  toJSON: () => object
  unsubscribe: () => Promise<boolean>
}
let held: Held | null
let made: number
let answer: NotificationPermission
let reachable: boolean
const requestPermission = vi.fn<() => Promise<NotificationPermission>>()
function holding(key: string): Held {
  const subscription: Held = {
    endpoint: `https://fcm.googleapis.com/fcm/send/${++made}`,
    options: { applicationServerKey: bytesOf(key) },
    toJSON: () => ({ keys: { p256dh: 'point', auth: 'secret' } }),
    unsubscribe: () => {
      if (held === subscription) held = null
      return Promise.resolve(true)
    },
  }
  return subscription
}
function subscribe({ applicationServerKey }: { applicationServerKey: string }) {
  if (!reachable) return Promise.reject(new DOMException('no service', 'AbortError'))
  held = holding(applicationServerKey)
  return Promise.resolve(held)
}
const registration = { pushManager: { getSubscription: () => Promise.resolve(held), subscribe } }

let calls: { method: string; path: string; body: unknown }[]
let serverKey: string | null
let refusal: { status: number; errorCode: string } | null
function network(url: string, init?: { method?: string; body?: string }) {
  const path = new URL(url, 'http://x').pathname
  const method = init?.method ?? 'GET'
  if (path === '/api/push/public-key') return Promise.resolve(Response.json({ publicKey: serverKey }))
  calls.push({ method, path, body: JSON.parse(init?.body ?? 'null') as unknown })
  if (refusal && method === 'POST') {
    const { status, errorCode } = refusal
    refusal = null
    return Promise.resolve(Response.json({ errorCode, message: 'No.', details: [], requestId: '' }, { status }))
  }
  return Promise.resolve(new Response(null, { status: 204 }))
}

beforeEach(() => {
  localStorage.clear()
  held = null
  made = 0
  calls = []
  refusal = null
  serverKey = ourKey
  reachable = true
  answer = 'granted'
  const notification = { permission: 'default' as NotificationPermission, requestPermission }
  requestPermission.mockReset().mockImplementation(() => {
    notification.permission = answer
    return Promise.resolve(answer)
  })
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', Object)
  const serviceWorker = { getRegistration: () => Promise.resolve(registration), ready: Promise.resolve(registration) }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  vi.stubGlobal('fetch', network)
})
afterEach(() => {
  cleanup()
  for (const ours of ['serviceWorker', 'userAgent']) Reflect.deleteProperty(navigator, ours)
  vi.unstubAllGlobals()
})

function show(children: ReactNode) {
  const client = createQueryClient()
  render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)
  return client
}
function permit() {
  Object.assign(Notification, { permission: 'granted' })
}
const toSwitch = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /On this device/ })
function bound(n: number, publicKey = ourKey) {
  return {
    method: 'POST',
    path: '/api/push/subscriptions',
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${n}`,
      keys: { p256dh: 'point', auth: 'secret' },
      publicKey,
    },
  }
}

describe('who waits for something', () => {
  test('is offered, and the browser asks for permission only after the tap', async () => {
    show(<PushOffer />)
    const button = await screen.findByRole('button', { name: 'Notify me' })
    expect([requestPermission.mock.calls.length, calls]).toEqual([0, []])
    fireEvent.click(button)
    await screen.findByText('You’ll get a notification when it’s done.')
    expect(requestPermission).toHaveBeenCalledOnce()
    expect(calls).toEqual([bound(1)])
  })

  test('a user who declines reads how to allow it later, and is not asked again', async () => {
    answer = 'denied'
    show(<PushOffer />)
    fireEvent.click(await screen.findByRole('button', { name: 'Notify me' }))
    expect((await screen.findByRole('alert')).textContent).toContain('browser’s settings')
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
    cleanup()
    Object.assign(Notification, { permission: 'default' })
    show(<PushOffer />)
    await waitFor(() => expect(document.body.textContent).toBe(''))
    expect(calls).toEqual([])
  })

  test('behind a firewall learns that, and nothing counts as on', async () => {
    reachable = false
    show(<PushOffer />)
    fireEvent.click(await screen.findByRole('button', { name: 'Notify me' }))
    expect((await screen.findByRole('alert')).textContent).toContain('push service cannot be reached')
    expect([calls, held]).toEqual([[], null])
  })

  test('is offered nothing where the server sends none', async () => {
    serverKey = null
    const client = show(<PushOffer />)
    await waitFor(() => expect(client.getQueryData(['push', 'public-key'])).toBeNull())
    expect(document.body.textContent).toBe('')
  })
})

describe('the switch', () => {
  test('goes on and off, for browser and server alike', async () => {
    show(<PushSwitch />)
    await waitFor(() => expect(toSwitch().disabled).toBe(false))
    fireEvent.click(toSwitch())
    await waitFor(() => expect(toSwitch().checked).toBe(true))
    fireEvent.click(toSwitch())
    await waitFor(() => expect(toSwitch().checked).toBe(false))
    const { body } = bound(1)
    expect(calls).toEqual([
      bound(1),
      { method: 'DELETE', path: '/api/push/subscriptions', body: { endpoint: body.endpoint } },
    ])
    expect(held).toBeNull()
  })

  test('makes another subscription where the server will not have the one that is there', async () => {
    permit()
    show(<PushSwitch />)
    await waitFor(() => expect(toSwitch().disabled).toBe(false))
    refusal = { status: 409, errorCode: 'CONFLICT' }
    fireEvent.click(toSwitch())
    await waitFor(() => expect(toSwitch().checked).toBe(true))
    expect(calls).toEqual([bound(1), bound(2)])
  })

  test('stays off when the server cannot be reached', async () => {
    show(<PushSwitch />)
    await waitFor(() => expect(toSwitch().disabled).toBe(false))
    refusal = { status: 500, errorCode: 'INTERNAL' }
    fireEvent.click(toSwitch())
    expect((await screen.findByRole('alert')).textContent).toBe('No.')
    expect([toSwitch().checked, held]).toEqual([false, null])
  })

  const reasons: [what: string, arrange: () => void, words: RegExp][] = [
    ['blocked', () => void Object.assign(Notification, { permission: 'denied' }), /blocked in this browser/],
    ['a browser that cannot', () => Reflect.deleteProperty(navigator, 'serviceWorker'), /cannot show notifications/],
    [
      'an iPhone without the app installed',
      () => {
        Reflect.deleteProperty(navigator, 'serviceWorker')
        Object.defineProperty(navigator, 'userAgent', { value: 'iPhone', configurable: true })
      },
      /Add to Home Screen/,
    ],
    [
      'a server without keys',
      () => {
        serverKey = null
      },
      /server does not send notifications/,
    ],
  ]
  test.each(reasons)('says why it cannot be used: %s', async (_, arrange, words) => {
    arrange()
    show(<PushSwitch />)
    expect(await screen.findByText(words)).toBeDefined()
    expect(toSwitch().disabled).toBe(true)
  })
})

describe('at each start', () => {
  test('the browser’s subscription is sent to the server again', async () => {
    permit()
    held = holding(ourKey)
    show(<PushSync />)
    await waitFor(() => expect(calls).toEqual([bound(1)]))
  })

  test('a lost subscription, or one for an older key, is created again if the user had enabled push', async () => {
    permit()
    held = holding(olderKey)
    show(<PushSync />)
    await waitFor(() => expect(calls).toEqual([bound(2)]))
    held = null
    subscriptionChanges.set(count => count + 1)
    await waitFor(() => expect(calls).toEqual([bound(2), bound(3)]))
    expect(requestPermission).not.toHaveBeenCalled()
  })

  test('who never wanted it is asked nothing, and the server neither', async () => {
    const client = show(<PushSync />)
    await waitFor(() => expect(client.getQueryData(['push', 'needed'])).toBe(false))
    expect([
      requestPermission.mock.calls.length,
      calls,
      client.getQueryState(['push', 'public-key'])?.fetchStatus,
    ]).toEqual([0, [], 'idle'])
  })

  test('who wanted it, but allows it no longer, is not asked again', async () => {
    setPushWanted(true)
    const client = show(<PushSync />)
    await waitFor(() => expect(client.getQueryData(['push', 'browser', ourKey])).toBe(false))
    expect([requestPermission.mock.calls.length, calls]).toEqual([0, []])
  })

  test('one that the server refuses is given up', async () => {
    permit()
    held = holding(ourKey)
    refusal = { status: 409, errorCode: 'CONFLICT' }
    show(<PushSync />)
    await waitFor(() => expect(held).toBeNull())
  })
})

test('who logs out leaves a browser that takes no pushes, and no wish of theirs', async () => {
  permit()
  held = holding(ourKey)
  setPushWanted(true)
  // Also one who does so before anything about notifications was loaded.
  await wipeClientData(createQueryClient())
  expect([held, localStorage.length]).toEqual([null, 0])
})
