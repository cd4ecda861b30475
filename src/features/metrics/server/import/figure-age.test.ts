import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImportProgress, importStructure } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type ConnectedSeller, connectSeller } from '../../../../../tests/support/connected-seller.ts'
import { moveToMorning, servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { profileFreshness, tradeAsOf } from '../sql/freshness.ts'
import { importDays } from './import-days.ts'
import { importProductTrade, importTrade } from './import-trade.ts'

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
let services: Services
let seller: ConnectedSeller
const HOUR_MS = 3_600_000
const signal = new AbortController().signal
function us() {
  const [profile] = seller.profiles
  if (!profile) throw new Error('no profile')
  return profile
}
const now = () => services.clock.now()
function range() {
  const to = dayIn(now(), us().timezone)
  return { from: addDays(to, -41), to }
}
const asOf = async () => (await services.db.tenant(us().merchantId, tx => profileFreshness(tx, us()))).asOf
const stagedRows = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from report_row`.execute(services.db.system)).rows[0]?.n ?? 0
const pull = (onProgress: ImportProgress['onProgress'] = async () => undefined) =>
  importDays(services, us(), { ...range(), signal, onProgress })

beforeAll(async () => {
  opened = await servicesWithOutside()
  moveToMorning(opened.sandbox.world)
  // The product and the marketplace by one clock, so that an hour can pass for both.
  services = { ...opened.services, clock: opened.sandbox.world.clock }
  seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
  await importStructure(services, us(), { signal, onProgress: async () => undefined })
})
afterAll(() => opened.services.close())

/** Breaks the pull off before its last report is taken. */
async function breakOff(share: number) {
  if (share > 0.8) throw new Error('the process is ending')
}

test('while the last report of the first pull is missing, there is no age', async () => {
  await expect(pull(breakOff)).rejects.toThrow('the process is ending')
  expect(await asOf()).toBeNull()
})

test('a report that was read ahead when the pull ended leaves no rows behind', async () => {
  let staged = 0
  const breakOffLater = async (_share: number, _days: string, part?: object) => {
    // Of few rows none is saved.
    if (!part || !('kind' in part) || part.kind !== 'SEARCH_TERM') return
    // The report after the one that was saved last is read meanwhile.
    while (!staged) staged = await stagedRows()
    throw new Error('the process is ending')
  }
  await expect(pull(breakOffLater)).rejects.toThrow('the process is ending')
  expect(staged).toBeGreaterThan(0)
  expect(await stagedRows()).toBe(0)
})

test('an age changes only when the whole pull has come in, and is that of its first request', async () => {
  const before = now()
  await pull()
  const first = await asOf()
  expect(first?.getTime()).toBeLessThanOrEqual(now().getTime())
  opened.sandbox.world.clock.advance(HOUR_MS)
  await expect(pull(breakOff)).rejects.toThrow('the process is ending')
  expect(await asOf()).toEqual(first)
  // The reports that the broken pull had requested are taken up: the figures are as old as the requests.
  const broken = now()
  opened.sandbox.world.clock.advance(HOUR_MS / 4)
  await pull()
  const second = await asOf()
  expect(second?.getTime()).toBeGreaterThan((first ?? before).getTime())
  expect(second?.getTime()).toBeLessThanOrEqual(broken.getTime())
})

test('total sales are as old as the days that are still to be read again', async () => {
  const { from, to } = range()
  const tradeAge = () => services.db.tenant(us().merchantId, tx => tradeAsOf(tx, us(), from, to))
  expect(await tradeAge()).toBeNull()
  await importTrade(services, us(), from, to, signal)
  await importProductTrade(services, us(), to, signal)
  const first = await tradeAge()
  opened.sandbox.world.clock.advance(2 * HOUR_MS)
  await importTrade(services, us(), from, to, signal)
  expect((await tradeAge())?.getTime()).toBeLessThan((first?.getTime() ?? 0) + HOUR_MS)
  await importProductTrade(services, us(), to, signal)
  expect((await tradeAge())?.getTime()).toBeGreaterThanOrEqual((first?.getTime() ?? 0) + 2 * HOUR_MS)
})
