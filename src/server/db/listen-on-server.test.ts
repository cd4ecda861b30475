import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listenOnServer } from './open-database.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

const serverUrl = process.env.TEST_DATABASE_URL

// The embedded database has no connections to lose.
describe.skipIf(serverUrl === undefined)('listening on a database server', () => {
  const target = new URL(serverUrl ?? 'postgres://nowhere')
  /** A proxy in front of the database that holds connections while `holding`. */
  let door: Server
  let url: string
  let holding = false
  let came = 0
  const held: (() => void)[] = []
  const open = new Set<Socket>()
  beforeAll(async () => {
    door = createServer(visitor => {
      came++
      open.add(visitor)
      visitor.on('close', () => open.delete(visitor)).on('error', () => undefined)
      const through = () => {
        const inner = connect(Number(target.port || 5432), target.hostname)
        inner.on('error', () => visitor.destroy()).on('close', () => visitor.destroy())
        visitor.on('close', () => inner.destroy()).pipe(inner)
        inner.pipe(visitor)
      }
      if (holding) held.push(through)
      else through()
    })
    await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
    const through = new URL(target)
    through.hostname = '127.0.0.1'
    through.port = String((door.address() as AddressInfo).port)
    url = through.href
  })
  afterEach(() => {
    holding = false
    came = 0
    held.length = 0
  })
  afterAll(() => void door.close())

  const cut = () => open.forEach(visitor => visitor.destroy())
  const notify = async (channel: string, payload: string) => {
    const client = new pg.Client({ connectionString: target.href })
    await client.connect()
    await client.query('select pg_notify($1, $2)', [channel, payload])
    await client.end()
  }
  const longerThanARetry = () => new Promise(resolve => setTimeout(resolve, 1300))

  test('a lost connection is opened again and keeps listening', async () => {
    const heard: string[] = []
    const { stop } = await listenOnServer(url, 'again', payload => void heard.push(payload))
    cut()
    await waitUntil(async () => {
      await notify('again', 'hello')
      expect(heard).toContain('hello')
    })
    await stop()
    await waitUntil(() => expect(open.size).toBe(0))
  })

  test('stopping during a reconnection leaves no connection open', async () => {
    const heard: string[] = []
    const { stop } = await listenOnServer(url, 'stopped', payload => void heard.push(payload))
    holding = true
    cut()
    await waitUntil(() => expect(held).toHaveLength(1))
    const stopped = stop()
    held.forEach(through => through())
    await stopped
    await waitUntil(() => expect(open.size).toBe(0))
    await notify('stopped', 'too late')
    expect(heard).toEqual([])
  })

  test('stopping before a reconnection opens no connection', async () => {
    const { stop } = await listenOnServer(url, 'waiting', () => undefined)
    cut()
    await waitUntil(() => expect(open.size).toBe(0))
    await stop()
    await longerThanARetry()
    expect(came).toBe(1)
  })

  test('one that could not be opened at first is not tried again', async () => {
    const nobody = new URL(url)
    nobody.pathname = '/no-such-database'
    await expect(listenOnServer(nobody.href, 'none', () => undefined)).rejects.toThrow('no-such-database')
    await longerThanARetry()
    expect(came).toBe(1)
  })
})
