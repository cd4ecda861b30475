import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NetworkError } from '../api/api-error.ts'
import { currentToasts } from '../ui/shell/toast-store.ts'
import { flushOutbox, startOutbox, retryEdit } from './flush-outbox.ts'
import { discardEdit, noteSending, pendingEdits, queueEdit } from './outbox.ts'
import { sendOrKeep } from './send-or-keep.ts'
import { signInAs, testEdit as edit } from '../../../tests/support/test-edit.ts'
import { conflict, lost, refuse, resetServer, route, server, slow } from '../../../tests/support/outbox-server.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

beforeEach(() => {
  localStorage.clear()
  signInAs('7')
  resetServer()
})
afterEach(() => {
  onlineManager.setOnline(true)
  vi.useRealTimers()
})

it('keeps a change over a reload, in the moment it is made', () => {
  queueEdit(edit())
  const stored = localStorage.getItem('tideline.outbox') ?? ''
  localStorage.removeItem('tideline.outbox')
  expect(pendingEdits()).toEqual([])
  localStorage.setItem('tideline.outbox', stored)
  expect(pendingEdits()).toMatchObject([{ row: 11, set: { state: 'PAUSED' }, version: 3 }])
})
it('what is stored and not understood is no change', () => {
  localStorage.setItem('tideline.outbox', '[{"kind":"campaign"}]')
  expect(pendingEdits()).toEqual([])
  queueEdit(edit())
  const [known] = pendingEdits()
  localStorage.setItem('tideline.outbox', JSON.stringify([{ kind: 'campaign' }, known]))
  expect(pendingEdits()).toEqual([known])
  localStorage.setItem('tideline.outbox', 'broken')
  expect(pendingEdits()).toEqual([])
})
it('makes one change of several of a row, and none of one that was made and unmade', () => {
  queueEdit(edit())
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  expect(pendingEdits()).toMatchObject([
    { set: { state: 'PAUSED', budget: 30 }, was: { state: 'ENABLED', budget: 25 } },
  ])
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  expect(pendingEdits()).toMatchObject([{ set: { budget: 30 }, was: { budget: 25 } }])
  queueEdit(edit({ set: { budget: 25 }, was: { budget: 30 } }))
  expect(pendingEdits()).toEqual([])
})
it('sends nothing without network, and everything in its order once there is one', async () => {
  onlineManager.setOnline(false)
  for (const row of [3, 1, 2]) queueEdit(edit({ row, name: `Row ${row}` }))
  await flushOutbox(route)
  expect(server.sent).toEqual([])
  const stop = startOutbox(route)
  onlineManager.setOnline(true)
  await waitUntil(() => expect(server.outcomes).toEqual(['sent Row 3', 'sent Row 1', 'sent Row 2']))
  expect(pendingEdits()).toEqual([])
  stop()
})
it('a change that only a newer version can send waits for it', async () => {
  queueEdit(edit())
  server.answers = [refuse(426, 'CLIENT_OUTDATED')]
  await flushOutbox(route)
  expect(server.outcomes).toEqual([])
  expect(pendingEdits()).toMatchObject([{ row: 11, failures: 0 }])
})
it('after too many calls all that waits goes on waiting', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  server.answers = [refuse(429, 'RATE_LIMITED')]
  await flushOutbox(route)
  expect(server.sent).toHaveLength(1)
  await flushOutbox(route)
  expect(server.sent.map(one => one.row)).toEqual([11, 11, 12])
  expect(pendingEdits()).toEqual([])
})
it.each([
  ['no network', lost],
  ['no answer in time', slow],
  ['a server in trouble', refuse(503, 'UPSTREAM_UNAVAILABLE')],
  ['the page of a proxy', () => Promise.reject(new NetworkError(false, undefined, 502))],
])('%s holds back the later changes of the same row and no others', async (_name, answer) => {
  server.answers = [answer]
  queueEdit(edit())
  await flushOutbox(route)
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  server.answers = [answer]
  await flushOutbox(route, () => true)
  expect(server.sent.map(one => one.row)).toEqual([11, 11, 12])
  expect(server.outcomes).toEqual(['sent Ebb lamps'])
  await flushOutbox(route, () => true)
  expect(server.sent.slice(3).map(one => one.set)).toEqual([{ state: 'PAUSED' }, { budget: 30 }])
  expect(pendingEdits()).toEqual([])
})
it.each([
  ['a server that fails', refuse(500, 'INTERNAL'), 'No.'],
  ['a server that never answers in time', slow, 'Tideline took too long to answer. Please try again.'],
])(
  'is tried less and less often at %s, then set aside until the user says otherwise',
  async (_name, answer, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    queueEdit(edit())
    server.answers = Array.from({ length: 6 }, () => answer)
    const sentAfter = async (seconds: number) => {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await flushOutbox(route)
      return server.sent.length
    }
    expect([await sentAfter(0), await sentAfter(29), await sentAfter(1)]).toEqual([1, 1, 2])
    expect([await sentAfter(59), await sentAfter(1), await sentAfter(120), await sentAfter(240)]).toEqual([2, 3, 4, 5])
    expect(pendingEdits()[0]?.aside).toBeUndefined()
    expect(await sentAfter(480)).toBe(6)
    expect(pendingEdits()).toMatchObject([{ row: 11, aside: reason }])
    expect(await sentAfter(3600)).toBe(6)
    await flushOutbox(route, () => true)
    expect(server.sent).toHaveLength(6)
    await retryEdit(route, pendingEdits()[0]?.id ?? '')
    expect(server.outcomes).toEqual(['sent Tide mugs'])
  },
)
it('without network nothing is counted as a failure', async () => {
  queueEdit(edit())
  server.answers = Array.from({ length: 10 }, () => lost)
  for (let times = 0; times < 10; times += 1) await flushOutbox(route)
  expect(server.sent).toHaveLength(10)
  expect(pendingEdits()).toMatchObject([{ failures: 0 }])
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('a kind whose code cannot be had holds back its own rows only', async () => {
  queueEdit(edit({ kind: 'target' }))
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  const target = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  await flushOutbox({ ...route, kinds: { ...route.kinds, target } })
  expect(server.outcomes).toEqual(['sent Ebb lamps'])
  expect(pendingEdits()).toMatchObject([{ kind: 'target', tried: false, failures: 0 }])
})
it('tells what the server refuses, and sends what is behind it', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  server.answers = [refuse(403, 'FORBIDDEN')]
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['refused Tide mugs: No.', 'sent Ebb lamps'])
  expect(pendingEdits()).toMatchObject([{ row: 11, aside: 'No.', tried: false }])
})
it('is sent on top of a change of other fields, but never over a change of the same ones', async () => {
  queueEdit(edit())
  server.answers = [conflict({ version: 7, state: 'ENABLED', budget: 99 })]
  await flushOutbox(route)
  expect(server.sent.map(one => one.version)).toEqual([3, 7])
  expect(server.outcomes).toEqual(['sent Tide mugs'])
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  server.answers = [conflict({ version: 9, state: 'PAUSED', budget: 50 })]
  await flushOutbox(route)
  expect(server.outcomes[1]).toBe('refused Tide mugs: CONFLICT')
  expect(pendingEdits()).toMatchObject([{ set: { budget: 30 }, conflict: { version: 9, now: { budget: 50 } } }])
  await flushOutbox(route, () => true)
  expect(server.sent).toHaveLength(3)
})
it('a change whose answer was lost is not made twice', async () => {
  queueEdit(edit())
  server.answers = [lost]
  await flushOutbox(route)
  server.answers = [conflict({ version: 4, state: 'PAUSED' })]
  await flushOutbox(route)
  expect(server.sent).toHaveLength(2)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('a change made after one whose answer was lost waits beside it and builds on what was taken', async () => {
  queueEdit(edit())
  server.answers = [lost]
  await flushOutbox(route)
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  expect(pendingEdits().map(one => one.set)).toEqual([{ state: 'PAUSED' }, { state: 'ENABLED' }])
  const taken = conflict({ version: 4, state: 'PAUSED' })
  server.answers = [taken, taken]
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs', 'sent Tide mugs'])
  expect(server.sent.at(-1)).toEqual({ row: 11, set: { state: 'ENABLED' }, version: 4 })
})
it('a change of which a part was made already is made whole', async () => {
  queueEdit(edit({ set: { state: 'PAUSED', budget: 30 }, was: { state: 'ENABLED', budget: 25 } }))
  server.answers = [conflict({ version: 4, state: 'PAUSED', budget: 25 })]
  await flushOutbox(route)
  expect(server.sent.map(one => one.version)).toEqual([3, 4])
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('what is sent by the user’s word waits for what is under way, and is sent then', async () => {
  const arrived = Promise.withResolvers<object>()
  queueEdit(edit())
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }), Date.now() - 13 * 3_600_000)
  server.answers = [() => arrived.promise]
  const first = flushOutbox(route)
  await waitUntil(() => expect(server.sent).toHaveLength(1))
  const second = flushOutbox(route, ({ row }) => row === 12)
  arrived.resolve({})
  await Promise.all([first, second])
  expect(server.outcomes).toEqual(['sent Tide mugs', 'sent Ebb lamps'])
})
it('where the device has no room it says so, and keeps what waited before', () => {
  queueEdit(edit())
  const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  full.mockRestore()
  expect(pendingEdits()).toMatchObject([{ row: 11 }])
  expect(currentToasts()).toMatchObject([{ title: 'Ebb lamps was not changed' }])
})
it('is never sent by itself after twelve hours, only when the user says so', async () => {
  queueEdit(edit(), Date.now() - 12 * 3_600_000 - 1000)
  await flushOutbox(route)
  expect(server.sent).toEqual([])
  await flushOutbox(route, () => true)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('a change made while the one before is on its way waits beside it', async () => {
  const arrived = Promise.withResolvers<object>()
  queueEdit(edit())
  server.answers = [() => arrived.promise, conflict({ version: 4, state: 'PAUSED' })]
  const flushed = flushOutbox(route)
  await waitUntil(() => expect(server.sent).toHaveLength(1))
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  arrived.resolve({})
  await flushed
  expect(pendingEdits()).toMatchObject([{ set: { state: 'ENABLED' } }])
  await flushOutbox(route)
  expect(server.sent.at(-1)).toEqual({ row: 11, set: { state: 'ENABLED' }, version: 4 })
})
it('an undone change is not sent', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  server.answers = [
    () => {
      discardEdit(pendingEdits().find(one => one.row === 12)?.id ?? '')
      return Promise.resolve({})
    },
  ]
  await flushOutbox(route)
  expect(server.sent.map(one => one.row)).toEqual([11])
})
it('a change that its page was sending when it died is sent again under the same key, and not before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const key = noteSending(edit())
  expect(pendingEdits()).toEqual([])
  await flushOutbox(route, () => true)
  expect(server.sent).toEqual([])
  vi.setSystemTime(Date.now() + 26_000)
  expect(pendingEdits()).toMatchObject([{ id: key, tried: true, set: { state: 'PAUSED' } }])
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('a call that is answered leaves nothing behind, one that is rejected says so, and one without an answer waits', async () => {
  expect(await sendOrKeep(edit(), async key => `made as ${key.length > 10}`)).toEqual({ answer: 'made as true' })
  await expect(sendOrKeep(edit(), refuse(403, 'FORBIDDEN'))).rejects.toThrow('No.')
  expect(localStorage.getItem('tideline.outbox')).toBeNull()
  let sentAs = ''
  const unanswered = await sendOrKeep(edit(), key => {
    sentAs = key
    return lost()
  })
  expect([unanswered, pendingEdits()]).toMatchObject([null, [{ id: sentAs, tried: true }]])
  onlineManager.setOnline(false)
  expect(await sendOrKeep(edit({ row: 12 }), () => Promise.reject(new Error('sent')))).toBeNull()
  expect(pendingEdits()).toMatchObject([{ row: 11 }, { row: 12, tried: false }])
})
it.each([
  ['a call that finds the session expired waits for its user', refuse(401, 'UNAUTHENTICATED')],
  ['a call of a client that is too old waits for the new version', refuse(426, 'CLIENT_OUTDATED')],
])('%s', async (_name, answer) => {
  expect(await sendOrKeep(edit(), answer)).toBeNull()
  expect(pendingEdits()).toMatchObject([{ row: 11 }])
})
it('while the server is still at the same call, it waits and counts no failure', async () => {
  queueEdit(edit())
  server.answers = [refuse(409, 'IDEMPOTENCY_IN_FLIGHT')]
  await flushOutbox(route)
  expect(pendingEdits()).toMatchObject([{ failures: 0, tried: true }])
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('a decision takes the place of the one before, and belongs to no shop', async () => {
  const decision = (set: object) =>
    edit({ kind: 'campaign', isAct: true, shop: '', version: null, set: { ...set }, was: {} })
  queueEdit(decision({ act: 'SNOOZE', hours: 4 }))
  queueEdit(decision({ act: 'DISMISS', reason: 'EXPECTED' }))
  expect(pendingEdits()).toMatchObject([{ set: { act: 'DISMISS', reason: 'EXPECTED' } }])
  expect(pendingEdits()[0]?.set).not.toHaveProperty('hours')
  server.shop = '2/4'
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('two additions are two changes', () => {
  for (const text of ['free', 'used']) queueEdit(edit({ row: 0, isAct: true, set: { text }, was: {} }))
  expect(pendingEdits().map(one => one.set)).toEqual([{ text: 'free' }, { text: 'used' }])
})
