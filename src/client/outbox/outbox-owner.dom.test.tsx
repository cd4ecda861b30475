import { beforeEach, expect, it } from 'vitest'
import { signOut } from '../api/session/session.ts'
import { wipeClientData } from '../api/wipe-client-data.ts'
import { currentToasts } from '../ui/shell/toast-store.ts'
import { flushOutbox, startOutbox } from './flush-outbox.ts'
import { queueEdit, pendingEdits, discardOwnEdits } from './outbox.ts'
import { signInAs, testEdit as edit } from '../../../tests/support/test-edit.ts'
import { resetServer, route, server } from '../../../tests/support/outbox-server.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

beforeEach(() => {
  localStorage.clear()
  signInAs('7')
  resetServer()
})

it('waits until the shop it was made in is worked in again', async () => {
  queueEdit(edit())
  server.shop = '2/4'
  await flushOutbox(route)
  server.shop = undefined
  await flushOutbox(route)
  expect(server.sent).toEqual([])
  server.shop = '1/1'
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Tide mugs'])
})
it('outlives a session that expires, for its own user only', async () => {
  queueEdit(edit())
  await wipeClientData()
  await signOut()
  expect(pendingEdits()).toEqual([])
  await flushOutbox(route)
  signInAs('8')
  expect(pendingEdits()).toEqual([])
  await flushOutbox(route, () => true)
  queueEdit(edit({ row: 12, name: 'Ebb lamps' }))
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Ebb lamps'])
  signInAs('7')
  expect(pendingEdits()).toMatchObject([{ row: 11, user: '7' }])
  await flushOutbox(route)
  expect(server.outcomes).toEqual(['sent Ebb lamps', 'sent Tide mugs'])
})
it('is sent as soon as its user has logged in again', async () => {
  queueEdit(edit())
  await signOut()
  const stop = startOutbox(route)
  signInAs('7')
  await waitUntil(() => expect(server.outcomes).toEqual(['sent Tide mugs']))
  stop()
})
it('what is left to send stays when somebody else logs in meanwhile', async () => {
  queueEdit(edit())
  queueEdit(edit({ row: 12 }))
  server.answers = [
    () => {
      signInAs('8')
      return Promise.resolve({})
    },
  ]
  await flushOutbox(route)
  expect(server.sent.map(one => one.row)).toEqual([11])
  signInAs('7')
  expect(pendingEdits()).toMatchObject([{ row: 12 }])
})
it('a knowing log-out takes what waits of this user, and of no other', async () => {
  queueEdit(edit())
  await signOut()
  signInAs('8')
  queueEdit(edit({ row: 12 }))
  discardOwnEdits()
  expect(pendingEdits()).toEqual([])
  signInAs('7')
  expect(pendingEdits()).toMatchObject([{ row: 11 }])
})
it('nothing is kept for nobody, and that is said', async () => {
  await signOut()
  queueEdit(edit({ name: 'Lost lamp' }))
  expect(localStorage.getItem('tideline.outbox')).toBeNull()
  expect(currentToasts().at(-1)).toMatchObject({ title: 'Lost lamp was not changed' })
})
