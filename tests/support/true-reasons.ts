import { expect } from 'vitest'
import { homeEndpoints as home } from '#features/home/contract.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums, type FigureSums, noSums } from '#shared/metrics.ts'
import { smallestUnitMicros } from '#shared/money.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import type { Days, TrueWorld } from './true-world.ts'

type Why = EndpointOutput<typeof home.why>
type Explained = NonNullable<Why['acos']>

const rates: Record<Explained['factors'][number]['name'], (sums: FigureSums) => number> = {
  clicks: sums => sums.clicks,
  cpc: sums => sums.costMicros / sums.clicks / 1e6,
  cvr: sums => (sums.orders / sums.clicks) * 100,
  aov: sums => sums.salesMicros / sums.orders / 1e6,
}
const wholes: Record<Explained['metric'], (sums: FigureSums) => number> = {
  acos: sums => (sums.costMicros / sums.salesMicros) * 100,
  cost: sums => sums.costMicros / 1e6,
  sales: sums => sums.salesMicros / 1e6,
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/**
 * Compares why ACOS, spend and sales changed with the marketplace's own books: the periods, the factors, what each did (the
 * share of the change by logarithms), and the campaigns that are named. All parts add up to the change without a rest.
 */
export async function expectTrueReasons(trueWorld: TrueWorld, country: string, days: Days): Promise<void> {
  await trueWorld.workIn(country)
  const range = { dateFrom: days.from, dateTo: days.to }
  const why = await trueWorld.answer<Why>(country, homeRoutes, home.why, range)
  const lastOver = addDays(trueWorld.today(country), -1)
  const over = { from: days.from, to: days.to < lastOver ? days.to : lastOver }
  const before = { from: addDays(days.from, -1 - daysBetween(over.from, over.to)), to: addDays(days.from, -1) }
  expect(why.compared).toEqual({ ...over, previousFrom: before.from, previousTo: before.to })
  const [was, is] = [before, over].map(period => trueWorld.books(country, period, fact => fact.campaignId)) as [
    Map<string, FigureSums>,
    Map<string, FigureSums>,
  ]
  const amazonIds = await trueWorld.amazonIds(country, 'campaign')
  const ofCampaign = (id: number) => {
    const key = amazonIds.get(id) ?? ''
    return { before: was.get(key) ?? noSums, after: is.get(key) ?? noSums }
  }
  const account = { before: addSums([...was.values()]), after: addSums([...is.values()]) }
  for (const metric of ['acos', 'cost', 'sales'] as const) {
    const explained = why[metric] ?? expect.unreachable()
    const unit = metric === 'acos' ? 0.01 : smallestUnitMicros(trueWorld.profileOf(country).currency) / 1e6
    expectNear(explained.before, wholes[metric](account.before), unit)
    expectNear(explained.after, wholes[metric](account.after), unit)
    expectNear(explained.change, explained.after - explained.before, unit / 100)
    expectNear(sum(explained.factors.map(factor => factor.effect)), explained.change, unit / 100)
    for (const factor of explained.factors) expectFactor(factor, metric, account, { unit, ofCampaign })
  }
}

interface Periods {
  before: FigureSums
  after: FigureSums
}

function expectFactor(
  factor: Explained['factors'][number],
  metric: Explained['metric'],
  account: Periods,
  { unit, ofCampaign }: { unit: number; ofCampaign: (id: number) => Periods },
): void {
  const rate = rates[factor.name]
  expect(factor.before).toBeCloseTo(rate(account.before), 6)
  expect(factor.after).toBeCloseTo(rate(account.after), 6)
  const [whole, wholeAfter] = [wholes[metric](account.before), wholes[metric](account.after)]
  const moved = Math.log(rate(account.after) / rate(account.before)) / Math.log(wholeAfter / whole)
  const power = metric === 'acos' && factor.name !== 'cpc' ? -1 : 1
  // Rounded so that the factors add up: by two units at most.
  expectNear(factor.effect, (wholeAfter - whole) * moved * power, 2 * unit)
  expectNear(sum(factor.parts.map(part => part.effect)), factor.effect, unit / 100)
  for (const part of factor.parts) {
    expectNear(part.within + part.mix, part.effect, unit / 100)
    if (part.campaignId === null) continue
    const own = ofCampaign(part.campaignId)
    for (const at of ['before', 'after'] as const) {
      const value = rate(own[at])
      if (part[at] === null) expect(Number.isFinite(value)).toBe(false)
      else expect(part[at]).toBeCloseTo(value, 6)
    }
  }
}

const expectNear = (value: number, expected: number, within: number): void =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(within + 1e-9)
