import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { createRandom } from '#shared/random.ts'
import { addDays } from '#shared/time.ts'
import { openTestDatabase } from '../../../../tests/support/database.ts'
import { facts, target } from '../engine/test-facts.ts'
import type { Group } from './groups.ts'
import { holdoutOn, settledHoldout } from './holdout.ts'

const startedOn = '2026-10-05'
const lastDay = addDays(startedOn, 27)
const group = { merchantId: 1, profileId: 1, id: 1, campaignIds: [1] } as unknown as Group
const ids = Array.from({ length: 120 }, (_, i) => i + 1)
/** Every target has a click and 0.1 orders a day, so that they have 336 orders in 28 days. */
const days = (today: string, orders = 0.1) =>
  Array.from({ length: 40 }, (_, i) => ({
    day: addDays(today, -1 - i),
    clicks: 1,
    costMicros: 500_000,
    orders,
    salesMicros: 2e6,
  }))
const factsOn = (today: string, orders?: number) => {
  const base = facts({ targets: ids.map(id => target(String(id), { days: days(today, orders) })) })
  const ofAll = days(today, (orders ?? 0.1) * ids.length).map(one => ({ ...one, budgetMicros: 50e6 }))
  return { ...base, campaigns: base.campaigns.slice(0, 1).map(one => ({ ...one, days: ofAll })) }
}

let db: Database
const inTenant = <T>(work: Parameters<typeof db.tenant<T>>[1]): Promise<T> => db.tenant(1, work)
const heldOn = (today: string, orders?: number) => inTenant(tx => holdoutOn(tx, group, factsOn(today, orders), today))

beforeAll(async () => {
  db = await openTestDatabase()
  await sql`insert into optimizer_group (merchant_id, profile_id, name, state, settings, asks, taken_over_at, shadow_until)
    values (1, 1, 'g', 'RUNNING', '{}', '{}', now(), now())`.execute(db.system)
})
afterAll(() => db.close())

test('a group with too few orders holds nothing back', async () => {
  expect(await heldOn(addDays(startedOn, -3), 0.05)).toEqual([])
})

test('18 of 120 targets keep their bids for four weeks, and a quarter has one test', async () => {
  const held = await heldOn(startedOn)
  expect(held).toHaveLength(18)
  expect(new Set(held).size).toBe(18)
  // What is drawn stays, even if orders fail to come.
  expect((await heldOn(lastDay, 0)).toSorted()).toEqual(held.toSorted())
  expect(await heldOn(addDays(lastDay, 1))).toEqual([])
  expect(await heldOn('2027-01-01')).not.toEqual(held)
})

test('what the changed targets earn more is found once the test has settled, and not before', async () => {
  const { rows } = await sql<{ id: number; isHeld: boolean }>`select target_id as id, is_held as "isHeld"
    from optimizer_holdout where quarter = '2026-Q4'`.execute(db.system)
  const random = createRandom(7)
  const values = rows.flatMap(({ id, isHeld }) =>
    Array.from({ length: 56 }, (_, i) => {
      const day = addDays(startedOn, i - 28)
      const sales = (2 + random()) * (i >= 28 && !isHeld ? 1.5 : 1)
      return { id, day, salesMicros: Math.round(sales * 1e6) }
    }),
  )
  await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, impressions, clicks, cost_micros,
      sales_micros, orders, units)
    select 1, 1, 1, 1, u.id, u.day, 10, 1, 500000, u.sales, 0, 0 from unnest(${values.map(one => one.id)}::bigint[],
      ${values.map(one => one.day)}::date[], ${values.map(one => one.salesMicros)}::bigint[]) as u(id, day, sales)`.execute(
    db.system,
  )
  const settled = (to: string) => inTenant(tx => settledHoldout(tx, group, 0.5, to))
  expect(await settled(addDays(lastDay, -1))).toBeNull()
  const found = await settled(lastDay)
  expect(found).toMatchObject({ from: startedOn, to: lastDay, estimate: { verdict: 'BETTER', targets: 102, held: 18 } })
  // Half of the sales is margin: 1.25 more a day for each of 102 targets, over 28 days, half of it profit.
  const truth = 102 * 28 * 1.25 * 0.5 * 1e6
  const { low, middle, high } = found?.estimate.profitMicros ?? expect.unreachable()
  expect(low).toBeLessThan(truth)
  expect(high).toBeGreaterThan(truth)
  expect(middle / truth).toBeCloseTo(1, 1)
})
