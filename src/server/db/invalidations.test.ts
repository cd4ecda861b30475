import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import { createInvalidations, type Invalidations } from './invalidations.ts'
import { type Database, openServer } from './open-database.ts'
import { raiseAllVersions, raiseVersion } from './tenant-version.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

let db: Database
let invalidations: Invalidations
let merchants = 0
/** A merchant of its own for each use; its key. */
const newMerchant = () => `merchant ${(merchants += 1)}`
const idOf = (key: string) => Number(key.split(' ')[1])
const write = (key: string, on = db) => raiseVersion(on.system, idOf(key))

beforeAll(async () => {
  db = await openTestDatabase()
  invalidations = await createInvalidations(db)
})
afterAll(async () => {
  await invalidations.close()
  await db.close()
})

test('a write invalidates what was read of its key before, and nothing else', async () => {
  const [key, unchanged] = [newMerchant(), newMerchant()]
  const before = invalidations.stamp()
  expect(invalidations.isCurrent([key, unchanged], before)).toBe(true)
  await write(key)
  expect(invalidations.isCurrent([unchanged], before)).toBe(true)
  expect(invalidations.isCurrent([unchanged, key], before)).toBe(false)
  expect(invalidations.isCurrent([unchanged, key], invalidations.stamp())).toBe(true)
})

test('a write that was rolled back invalidates nothing', async () => {
  const key = newMerchant()
  const before = invalidations.stamp()
  const failing = db.transaction(async tx => {
    await raiseVersion(tx, idOf(key))
    throw new Error('stopped')
  })
  await expect(failing).rejects.toThrow('stopped')
  expect(invalidations.isCurrent([key], before)).toBe(true)
})

test('what was read before a key was forgotten for want of room is not trusted', async () => {
  const [early, key] = [invalidations.stamp(), newMerchant()]
  await write(key)
  await sql`insert into tenant_version select 1000000 + n, 1 from generate_series(1, 50001) as n`.execute(db.system)
  await raiseAllVersions(db.system)
  expect(invalidations.isCurrent(['merchant 999999'], early)).toBe(false)
  expect(invalidations.isCurrent(['merchant 999999'], invalidations.stamp())).toBe(true)
})

test('nothing is trusted behind a pooler that answers statements and delivers no notifications', async () => {
  const answered = async () => undefined
  const deaf = await createInvalidations({
    listen: async () => ({ ping: answered, notify: answered, reconnect: () => undefined, stop: answered }),
    afterWrites: () => undefined,
  })
  expect(deaf.isCurrent([], deaf.stamp())).toBe(false)
  await deaf.close()
})

// The embedded database has no connections to lose.
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('on a database server', () => {
  let door: Server
  let listener: Invalidations
  let through: Database
  /** Passes nothing on in either direction, without closing anything. */
  let isSilent = false
  const open = new Set<Socket>()

  beforeAll(async () => {
    if (!('connectionString' in db.raw)) throw new Error('there is no server')
    const target = new URL(db.raw.connectionString)
    const throughDoor = new URL(target)
    door = createServer(visitor => {
      const inner = connect(Number(target.port || 5432), target.hostname)
      open.add(visitor)
      visitor.on('error', () => undefined).on('close', () => (open.delete(visitor), inner.destroy()))
      inner.on('error', () => undefined).on('close', () => visitor.destroy())
      visitor.on('data', part => isSilent || inner.write(part))
      inner.on('data', part => isSilent || visitor.write(part))
    })
    await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
    throughDoor.hostname = '127.0.0.1'
    throughDoor.port = String((door.address() as AddressInfo).port)
    through = await openServer(throughDoor.href, { poolSize: 2 })
    listener = await createInvalidations(through)
  })
  afterAll(async () => {
    await listener.close()
    await through.close()
    door.close()
  })

  test('nothing is trusted while the connection is lost, and nothing older when it is back', async () => {
    const before = listener.stamp()
    expect(listener.isCurrent([], before)).toBe(true)
    open.forEach(visitor => visitor.destroy())
    await vi.waitFor(() => expect(listener.isCurrent([], listener.stamp())).toBe(false), {
      timeout: 10_000,
      interval: 1,
    })
    const key = newMerchant()
    await write(key)
    await vi.waitFor(() => expect(listener.isCurrent([key], listener.stamp())).toBe(true), { timeout: 10_000 })
    expect(listener.isCurrent([key], before)).toBe(false)
    await write(key)
    await waitUntil(() => expect(listener.isCurrent([key], listener.stamp() - 1)).toBe(false))
  })

  test('nothing is trusted three seconds after a connection fell silent, which is then replaced', async () => {
    const before = listener.stamp()
    const silentAt = Date.now()
    isSilent = true
    await write(newMerchant())
    await vi.waitFor(() => expect(listener.isCurrent([], listener.stamp())).toBe(false), { timeout: 5000, interval: 5 })
    expect(Date.now() - silentAt).toBeLessThan(3200)
    isSilent = false
    await vi.waitFor(() => expect(listener.isCurrent([], listener.stamp())).toBe(true), { timeout: 15_000 })
    expect(listener.isCurrent([], before)).toBe(false)
  })

  test('a write is saved, and seen by the next read, while the connection is lost', async () => {
    open.forEach(visitor => visitor.destroy())
    const stamp = listener.stamp()
    const key = newMerchant()
    await waitUntil(() => write(key, through))
    expect(listener.isCurrent([key], stamp)).toBe(false)
  })
})
