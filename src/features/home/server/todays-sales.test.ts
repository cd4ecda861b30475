import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importDays, importProductTrade, importTrade } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { getCards } from './get-cards.ts'

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
let services: Services
let seller: ConnectedSeller
const signal = new AbortController().signal
const quiet = { signal, onProgress: async () => undefined }
function us() {
  const [profile] = seller.profiles
  if (!profile) throw new Error('no profile')
  return profile
}
const today = () => dayIn(services.clock.now(), us().timezone)
const ctx = (): Ctx => ({ ...seller.ctx, clock: services.clock })

beforeAll(async () => {
  opened = await servicesWithOutside()
  services = { ...opened.services, clock: opened.sandbox.world.clock }
  // Noon in New York: the running day has sales and is far from its end.
  opened.sandbox.world.clock.set(new Date(`${addDays(dayIn(services.clock.now(), 'UTC'), 1)}T17:00:00Z`))
  seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
  await importStructure(services, us(), quiet)
  await pullAll()
  await pullProducts()
  // Without other costs profit is sales less ad cost, so that both cards tell what they take for the sales.
  await sql`insert into product (merchant_id, marketplace_id, asin, sku, title, fees_micros, updated_at)
    select distinct merchant_id, marketplace_id, asin, asin, asin, 0, now() from product_trade_day`.execute(
    services.db.system,
  )
  await sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at)
    select merchant_id, marketplace_id, sku, '2000-01-01', 0, now() from product`.execute(services.db.system)
})
afterAll(() => opened.services.close())

async function pullAll() {
  const range = { from: addDays(today(), -3), to: today() }
  await importDays(services, us(), { ...range, ...quiet })
  await importTrade(services, us(), range.from, range.to, signal)
}
async function pullProducts() {
  for (const back of [0, 1, 2, 3]) await importProductTrade(services, us(), addDays(today(), -back), signal)
}
/** The total sales as TACOS takes them and as profit takes them. */
async function salesOf(dateFrom: string, dateTo: string) {
  const { cards } = await getCards(ctx(), { dateFrom, dateTo })
  const value = (metric: string) => cards.find(card => card.metric === metric)?.value ?? null
  const [spend, tacos, profit] = [value('spend'), value('tacos'), value('profit')]
  if (spend === null || tacos === null || profit === null) return { spend, tacos, profit }
  return { byTacos: (spend / tacos) * 100, byProfit: profit + spend }
}

test('TACOS and profit count the same sales of the running day', async () => {
  const { byTacos, byProfit } = await salesOf(today(), today())
  expect(byTacos).toBeGreaterThan(0)
  expect(byProfit).toBeCloseTo(byTacos ?? 0, 2)
})

test('they agree while newer sales are only half read, and after', async () => {
  const before = await salesOf(addDays(today(), -2), today())
  opened.sandbox.world.clock.advance(4 * 3_600_000)
  await pullAll()
  const between = await salesOf(addDays(today(), -2), today())
  expect(between.byProfit).toBeCloseTo(between.byTacos ?? 0, 2)
  await pullProducts()
  const after = await salesOf(addDays(today(), -2), today())
  expect(after.byProfit).toBeCloseTo(after.byTacos ?? 0, 2)
  expect(after.byTacos).toBeGreaterThan(before.byTacos ?? 0)
})

test('a day that has begun since the last import leaves both as they were', async () => {
  const yesterday = today()
  const before = await salesOf(addDays(yesterday, -1), yesterday)
  opened.sandbox.world.clock.advance(14 * 3_600_000)
  expect(today()).toBe(addDays(yesterday, 1))
  expect(await salesOf(addDays(yesterday, -1), today())).toEqual(before)
})
