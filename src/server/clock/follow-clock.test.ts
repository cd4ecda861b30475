import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitUntil } from '../../../tests/support/wait-until.ts'
import { createLog } from '../log/log.ts'
import { type FollowedClock, followClock, machineClock } from './follow-clock.ts'

const DAY_MS = 86_400_000
let aheadMs: number
let broken: boolean
let server: Server
let clock: FollowedClock
let lines: string[]

beforeEach(async () => {
  aheadMs = 0
  broken = false
  lines = []
  server = createServer((_request, reply) =>
    reply.end(broken ? 'nonsense' : JSON.stringify({ now: new Date(Date.now() + aheadMs).toISOString() })),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  clock.close()
  await new Promise(done => server.close(done))
})
async function start() {
  const { port } = server.address() as AddressInfo
  const log = createLog({ level: 'info', destination: { write: line => void lines.push(line) } })
  clock = await followClock(`http://127.0.0.1:${port}/`, log)
}
const ahead = () => clock.now().getTime() - Date.now()

test('the time is that of the other clock from the start, and the machine’s is still there', async () => {
  aheadMs = 3 * DAY_MS
  await start()
  expect(Math.abs(ahead() - 3 * DAY_MS)).toBeLessThan(2000)
  expect(Math.abs(machineClock(clock).now().getTime() - Date.now())).toBeLessThan(1000)
})

test('a clock that shows the machine’s time changes nothing', async () => {
  aheadMs = 900
  await start()
  expect(Math.abs(ahead())).toBeLessThan(20)
})

test('a move forward is followed and announced once', async () => {
  await start()
  const moved = vi.fn()
  clock.onMove(moved)
  aheadMs = DAY_MS
  await waitUntil(() => expect(ahead()).toBeGreaterThan(DAY_MS - 2000))
  await new Promise(done => setTimeout(done, 1500))
  expect(moved).toHaveBeenCalledOnce()
})

test('while the other clock cannot be read, time runs on, and this is logged once', async () => {
  aheadMs = DAY_MS
  await start()
  broken = true
  await waitUntil(() => expect(lines.join('')).toContain('cannot be read'))
  await new Promise(done => setTimeout(done, 1500))
  expect(lines.filter(line => line.includes('cannot be read'))).toHaveLength(1)
  expect(ahead()).toBeGreaterThan(DAY_MS - 2000)
})

test('a clock that follows no other is the machine’s own', () => {
  const own = { now: () => new Date(0) }
  expect(machineClock(own)).toBe(own)
})
