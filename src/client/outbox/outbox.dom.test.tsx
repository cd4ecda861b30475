import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '../api/api-error.ts'
import { wipeClientData } from '../api/wipe-client-data.ts'
import { currentToasts } from '../ui/shell/toast-store.ts'
import { signOut } from '../api/session/session.ts'
import { flushOutbox, type OutboxRoute, type SendEdit, startOutbox, tryAgain } from './flush-outbox.ts'
import { queueEdit, waitingEdits, withdrawAll, withdrawEdit } from './outbox.ts'
import { signInAs, testEdit as edit } from './test-edit.ts'

// The server, as far as the outbox knows it: each call takes the next of these, else it is taken.
let answers: (() => Promise<unknown>)[]
let sent: { row: number; set: object; version: number | null }[]
let told: string[]
let shop: string | undefined
const send: SendEdit = ({ row, set }, version) => {
  sent.push({ row, set, version })
  return (answers.shift() ?? (() => Promise.resolve({})))()
}
const route: OutboxRoute = {
  senders: { campaign: () => Promise.resolve(send) },
  shop: () => shop,
  onSent: ({ name }) => told.push(`sent ${name}`),
  onRefused: ({ name }, reason) => told.push(`refused ${name}: ${reason}`),
}
const refuse =
  (status: number, errorCode: string, extra: object = {}) =>
  () =>
    Promise.reject(
      new ApiError(
        status,
        { errorCode: errorCode as 'FORBIDDEN', message: 'No.', details: [], requestId: '' },
        { ...extra },
      ),
    )
const conflict = (current: object) => refuse(409, 'VERSION_CONFLICT', { current })
const lost = () => Promise.reject(new NetworkError(false, 'gone'))
const slow = () => Promise.reject(new NetworkError(true, 'late'))

beforeEach(() => {
  localStorage.clear()
  signInAs('7')
  answers = []
  sent = []
  told = []
  shop = '1/1'
})
afterEach(() => {
  onlineManager.setOnline(true)
  vi.useRealTimers()
})

it('keeps a change over a reload, in the moment it is made', () => {
  queueEdit(edit())
  const kept = localStorage.getItem('tideline.outbox') ?? ''
  localStorage.removeItem('tideline.outbox')
  expect(waitingEdits()).toEqual([])
  localStorage.setItem('tideline.outbox', kept)
  expect(waitingEdits()).toMatchObject([{ row: 11, set: { state: 'PAUSED' }, version: 3 }])
})
it('what is stored and not understood is no change', () => {
  localStorage.setItem('tideline.outbox', '[{"kind":"campaign"}]')
  expect(waitingEdits()).toEqual([])
  queueEdit(edit())
  const [known] = waitingEdits()
  localStorage.setItem('tideline.outbox', JSON.stringify([{ kind: 'campaign' }, known]))
  expect(waitingEdits()).toEqual([known])
  localStorage.setItem('tideline.outbox', 'broken')
  expect(waitingEdits()).toEqual([])
})
it('makes one change of several of a row, and none of one that was made and unmade', () => {
  queueEdit(edit())
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  expect(waitingEdits()).toMatchObject([
    { set: { state: 'PAUSED', budget: 30 }, was: { state: 'ENABLED', budget: 25 } },
  ])
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  expect(waitingEdits()).toMatchObject([{ set: { budget: 30 }, was: { budget: 25 } }])
  queueEdit(edit({ set: { budget: 25 }, was: { budget: 30 } }))
  expect(waitingEdits()).toEqual([])
})
it('sends nothing without network, and everything in its order once there is one', async () => {
  onlineManager.setOnline(false)
  for (const row of [3, 1, 2]) queueEdit(edit({ row, name: `Row ${row}` }))
  await flushOutbox(route)
  expect(sent).toEqual([])
  const stop = startOutbox(route)
  onlineManager.setOnline(true)
  await vi.waitFor(() => expect(told).toEqual(['sent Row 3', 'sent Row 1', 'sent Row 2']))
  expect(waitingEdits()).toEqual([])
  stop()
})
it('after too many calls all that waits goes on waiting', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  answers = [refuse(429, 'RATE_LIMITED')]
  await flushOutbox(route)
  expect(sent).toHaveLength(1)
  await flushOutbox(route)
  expect(sent.map(one => one.row)).toEqual([11, 11, 12])
  expect(waitingEdits()).toEqual([])
})
it.each([
  ['no network', lost],
  ['no answer in time', slow],
  ['a server in trouble', refuse(503, 'UPSTREAM_UNAVAILABLE')],
  ['the page of a proxy', () => Promise.reject(new NetworkError(false, undefined, 502))],
])('%s holds back the later changes of the same row and no others', async (_name, answer) => {
  answers = [answer]
  queueEdit(edit())
  await flushOutbox(route)
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  answers = [answer]
  await flushOutbox(route, () => true)
  expect(sent.map(one => one.row)).toEqual([11, 11, 12])
  expect(told).toEqual(['sent Ebb lamps'])
  await flushOutbox(route, () => true)
  expect(sent.slice(3).map(one => one.set)).toEqual([{ state: 'PAUSED' }, { budget: 30 }])
  expect(waitingEdits()).toEqual([])
})
it.each([
  ['a server that fails', refuse(500, 'INTERNAL'), 'No.'],
  ['a server that never answers in time', slow, 'Tideline took too long to answer. Please try again.'],
])(
  'is tried less and less often at %s, then set aside until the user says otherwise',
  async (_name, answer, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    queueEdit(edit())
    answers = Array.from({ length: 6 }, () => answer)
    const sentAfter = async (seconds: number) => {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await flushOutbox(route)
      return sent.length
    }
    expect([await sentAfter(0), await sentAfter(29), await sentAfter(1)]).toEqual([1, 1, 2])
    expect([await sentAfter(59), await sentAfter(1), await sentAfter(120), await sentAfter(240)]).toEqual([2, 3, 4, 5])
    expect(waitingEdits()[0]?.aside).toBeUndefined()
    expect(await sentAfter(480)).toBe(6)
    expect(waitingEdits()).toMatchObject([{ row: 11, aside: reason }])
    expect(await sentAfter(3600)).toBe(6)
    await flushOutbox(route, () => true)
    expect(sent).toHaveLength(6)
    await tryAgain(route, waitingEdits()[0]?.id ?? '')
    expect(told).toEqual(['sent Tide mugs'])
  },
)
it('without network nothing is counted as a failure', async () => {
  queueEdit(edit())
  answers = Array.from({ length: 10 }, () => lost)
  for (let times = 0; times < 10; times += 1) await flushOutbox(route)
  expect(sent).toHaveLength(10)
  expect(waitingEdits()).toMatchObject([{ failures: 0 }])
  await flushOutbox(route)
  expect(told).toEqual(['sent Tide mugs'])
})
it('a kind whose code cannot be had holds back its own rows only', async () => {
  queueEdit(edit({ kind: 'target' }))
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  const target = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  await flushOutbox({ ...route, senders: { ...route.senders, target } })
  expect(told).toEqual(['sent Ebb lamps'])
  expect(waitingEdits()).toMatchObject([{ kind: 'target', tried: false, failures: 0 }])
})
it('tells what the server refuses, and sends what is behind it', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  answers = [refuse(403, 'FORBIDDEN')]
  await flushOutbox(route)
  expect(told).toEqual(['refused Tide mugs: No.', 'sent Ebb lamps'])
})
it('is sent on top of a change of other fields, but never over a change of the same ones', async () => {
  queueEdit(edit())
  answers = [conflict({ version: 7, state: 'ENABLED', budget: 99 })]
  await flushOutbox(route)
  expect(sent.map(one => one.version)).toEqual([3, 7])
  expect(told).toEqual(['sent Tide mugs'])
  queueEdit(edit({ set: { budget: 30 }, was: { budget: 25 } }))
  answers = [conflict({ version: 9, state: 'PAUSED', budget: 50 })]
  await flushOutbox(route)
  expect(told[1]).toBe('refused Tide mugs: CONFLICT')
  expect(waitingEdits()).toEqual([])
})
it('a change whose answer was lost is not made twice', async () => {
  queueEdit(edit())
  answers = [lost]
  await flushOutbox(route)
  answers = [conflict({ version: 4, state: 'PAUSED' })]
  await flushOutbox(route)
  expect(sent).toHaveLength(2)
  expect(told).toEqual(['sent Tide mugs'])
})
it('a change made after one whose answer was lost waits beside it and builds on what was taken', async () => {
  queueEdit(edit())
  answers = [lost]
  await flushOutbox(route)
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  expect(waitingEdits().map(one => one.set)).toEqual([{ state: 'PAUSED' }, { state: 'ENABLED' }])
  const taken = conflict({ version: 4, state: 'PAUSED' })
  answers = [taken, taken]
  await flushOutbox(route)
  expect(told).toEqual(['sent Tide mugs', 'sent Tide mugs'])
  expect(sent.at(-1)).toEqual({ row: 11, set: { state: 'ENABLED' }, version: 4 })
})
it('a change of which a part was made already is made whole', async () => {
  queueEdit(edit({ set: { state: 'PAUSED', budget: 30 }, was: { state: 'ENABLED', budget: 25 } }))
  answers = [conflict({ version: 4, state: 'PAUSED', budget: 25 })]
  await flushOutbox(route)
  expect(sent.map(one => one.version)).toEqual([3, 4])
  expect(told).toEqual(['sent Tide mugs'])
})
it('what is sent by the user’s word waits for what is under way, and is sent then', async () => {
  const arrived = Promise.withResolvers<object>()
  queueEdit(edit())
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }), Date.now() - 13 * 3_600_000)
  answers = [() => arrived.promise]
  const flushed = flushOutbox(route)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  const asked = flushOutbox(route, ({ row }) => row === 12)
  arrived.resolve({})
  await Promise.all([flushed, asked])
  expect(told).toEqual(['sent Tide mugs', 'sent Ebb lamps'])
})
it('where the device has no room it says so, and keeps what waited before', () => {
  queueEdit(edit())
  const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  full.mockRestore()
  expect(waitingEdits()).toMatchObject([{ row: 11 }])
  expect(currentToasts()).toMatchObject([{ title: 'Ebb lamps was not changed' }])
})
it('waits until the shop it was made in is worked in again', async () => {
  queueEdit(edit())
  shop = '2/4'
  await flushOutbox(route)
  shop = undefined
  await flushOutbox(route)
  expect(sent).toEqual([])
  shop = '1/1'
  await flushOutbox(route)
  expect(told).toEqual(['sent Tide mugs'])
})
it('is never sent by itself after twelve hours, only when the user says so', async () => {
  queueEdit(edit(), Date.now() - 12 * 3_600_000 - 1000)
  await flushOutbox(route)
  expect(sent).toEqual([])
  await flushOutbox(route, () => true)
  expect(told).toEqual(['sent Tide mugs'])
})
it('a change made while the one before is on its way waits beside it', async () => {
  const arrived = Promise.withResolvers<object>()
  queueEdit(edit())
  answers = [() => arrived.promise, conflict({ version: 4, state: 'PAUSED' })]
  const flushed = flushOutbox(route)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  queueEdit(edit({ set: { state: 'ENABLED' }, was: { state: 'PAUSED' } }))
  arrived.resolve({})
  await flushed
  expect(waitingEdits()).toMatchObject([{ set: { state: 'ENABLED' } }])
  await flushOutbox(route)
  expect(sent.at(-1)).toEqual({ row: 11, set: { state: 'ENABLED' }, version: 4 })
})
it('a change that was taken back is not sent', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  answers = [
    () => {
      withdrawEdit(waitingEdits().find(one => one.row === 12)?.id ?? '')
      return Promise.resolve({})
    },
  ]
  await flushOutbox(route)
  expect(sent.map(one => one.row)).toEqual([11])
})
it('outlives a session that expires, for its own user only', async () => {
  queueEdit(edit())
  await wipeClientData()
  await signOut()
  expect(waitingEdits()).toEqual([])
  await flushOutbox(route)
  signInAs('8')
  expect(waitingEdits()).toEqual([])
  await flushOutbox(route, () => true)
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  await flushOutbox(route)
  expect(told).toEqual(['sent Ebb lamps'])
  signInAs('7')
  expect(waitingEdits()).toMatchObject([{ row: 11, user: '7' }])
  await flushOutbox(route)
  expect(told).toEqual(['sent Ebb lamps', 'sent Tide mugs'])
})
it('is sent as soon as its user has logged in again', async () => {
  queueEdit(edit())
  await signOut()
  const stop = startOutbox(route)
  signInAs('7')
  await vi.waitFor(() => expect(told).toEqual(['sent Tide mugs']))
  stop()
})
it('what is left to send stays when somebody else logs in meanwhile', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  answers = [
    () => {
      signInAs('8')
      return Promise.resolve({})
    },
  ]
  await flushOutbox(route)
  expect(sent.map(one => one.row)).toEqual([11])
  signInAs('7')
  expect(waitingEdits()).toMatchObject([{ row: 12 }])
})
it('a knowing log-out takes what waits of this user, and of no other', async () => {
  queueEdit(edit())
  await signOut()
  signInAs('8')
  queueEdit(edit({ row: 12 }))
  withdrawAll()
  expect(waitingEdits()).toEqual([])
  signInAs('7')
  expect(waitingEdits()).toMatchObject([{ row: 11 }])
})
it('nothing is kept for nobody, and that is said', async () => {
  await signOut()
  queueEdit(edit({ name: 'Lost lamp' }))
  expect(localStorage.getItem('tideline.outbox')).toBeNull()
  expect(currentToasts().at(-1)).toMatchObject({ title: 'Lost lamp was not changed' })
})
