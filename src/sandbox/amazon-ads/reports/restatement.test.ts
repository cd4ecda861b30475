import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MonthWorld, total } from '../../../../tests/support/month-world.ts'

const DAYS: [string, string] = ['2026-10-20', '2026-10-25']
const columns = ['impressions', 'clicks', 'cost', 'purchases1d', 'sales1d', 'purchases30d', 'sales30d']
const gross = ['grossClickThroughs', 'invalidClickThroughs', 'clicks']

let month: MonthWorld
beforeAll(async () => {
  month = await MonthWorld.start()
})
afterAll(() => month.sandbox.close())

async function sums(): Promise<Record<string, number>> {
  const rows = await month.rows('spCampaigns', 'campaign', columns, DAYS)
  return Object.fromEntries(columns.map(column => [column, total(rows, column)]))
}
async function traffic(): Promise<Record<string, number>> {
  const rows = await month.rows('spGrossAndInvalids', 'campaign', gross, DAYS)
  return Object.fromEntries(gross.map(column => [column, total(rows, column)]))
}
/** What the marketplace will hold of the days when nothing can change any more. */
function truth(): Record<string, number> {
  const { world } = month.sandbox
  const facts = world.market().facts(111, ...DAYS, new Date(world.clock.now().getTime() + 400 * 86_400_000))
  const sum = (of: (fact: (typeof facts)[number]) => number): number =>
    Math.round(facts.reduce((all, fact) => all + of(fact), 0) * 100)
  return {
    impressions: sum(fact => fact.impressions),
    clicks: sum(fact => fact.clicks),
    cost: sum(fact => fact.costMicros / 1e6),
    purchases1d: sum(fact => fact.orders.d1),
    sales1d: sum(fact => fact.salesMicros.d1 / 1e6),
    purchases30d: sum(fact => fact.orders.d30),
    sales30d: sum(fact => fact.salesMicros.d30 / 1e6),
  }
}

describe('figures', () => {
  test('arrive late, lose invalid clicks within three days, gain orders for weeks, and settle to the truth', async () => {
    // Midnight after the last day, whose last hours are not all counted yet.
    await month.pass(6)
    const settled = truth()
    const [atMidnight, grossAtMidnight] = [await sums(), await traffic()]
    expect(atMidnight.impressions).toBeLessThan(settled.impressions ?? 0)

    await month.pass(0.5)
    const [after12Hours, gross12] = [await sums(), await traffic()]
    expect(after12Hours.impressions).toBe(settled.impressions)
    expect(after12Hours.clicks).toBeGreaterThan(settled.clicks ?? 0)
    expect(after12Hours.cost).toBeGreaterThan(settled.cost ?? 0)
    expect(gross12.grossClickThroughs).toBeGreaterThan(grossAtMidnight.grossClickThroughs ?? 0)

    await month.pass(2.5)
    const [after3Days, gross3] = [await sums(), await traffic()]
    expect([after3Days.clicks, after3Days.cost]).toEqual([settled.clicks, settled.cost])
    expect(after3Days.purchases30d).not.toBe(settled.purchases30d)
    expect(gross3.grossClickThroughs).toBe(gross12.grossClickThroughs)
    expect(gross3.invalidClickThroughs).toBeGreaterThan(gross12.invalidClickThroughs ?? 0)
    expect((gross3.grossClickThroughs ?? 0) - (gross3.invalidClickThroughs ?? 0)).toBe(settled.clicks)

    await month.pass(57)
    expect(await sums()).toEqual(settled)
    await month.pass(25)
    expect(await sums()).toEqual(settled)
  })

  test('are the same however often the marketplace was requested on the way', async () => {
    const other = await MonthWorld.start()
    await other.pass(91)
    const rows = await other.rows('spCampaigns', 'campaign', columns, DAYS)
    const requested = Object.fromEntries(columns.map(column => [column, total(rows, column)]))
    expect(requested).toEqual(await sums())
    await other.sandbox.close()
  })
})
