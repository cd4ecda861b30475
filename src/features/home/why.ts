import { addSums, type FigureSums } from '#shared/metrics.ts'
import { fromMicros, roundToUnit, smallestUnitMicros } from '#shared/money.ts'
import { thresholds } from './thresholds.ts'

export const explainedNames = ['acos', 'cost', 'sales'] as const
export type ExplainedName = (typeof explainedNames)[number]
export const factorNames = ['clicks', 'cpc', 'cvr', 'aov'] as const
export type FactorName = (typeof factorNames)[number]

/** Why a change should not be relied on. */
export type Doubt = 'FEW_CLICKS' | 'FEW_ORDERS' | 'CHANCE'

/** A campaign, or all others together, in the two periods. */
export interface Mover {
  /** Null for all others together. */
  campaignId: number | null
  name: string | null
  before: FigureSums
  after: FigureSums
}

/** What one campaign added to a factor's effect; `within` and `mix` add up to `effect`. */
export interface FactorPart {
  campaignId: number | null
  name: string | null
  /** The factor in this campaign: clicks, money of a click or order, percent of conversion; null where it had none. */
  before: number | null
  after: number | null
  effect: number
  /** By its own figures. */
  within: number
  /** By its weight in the account: more or fewer clicks (or orders) than others. */
  mix: number
  doubt: Doubt | null
}

export interface Factor {
  name: FactorName
  before: number
  after: number
  /** What it did to the whole: amounts of money, or points of ACOS. */
  effect: number
  doubt: Doubt | null
  /** The strongest first; what is left of the factor's effect is the last, without a campaign. */
  parts: FactorPart[]
}

/** A change taken apart. The effects of the factors add up to `change`, and the parts of each factor to its effect. */
export interface Explained {
  metric: ExplainedName
  before: number
  after: number
  change: number
  factors: Factor[]
}

type Sums = Pick<FigureSums, 'clicks' | 'orders' | 'costMicros' | 'salesMicros'>

/** A factor is a count, or a rate over a weight: a mean of the campaigns' own rates, weighted by their clicks or orders. */
const factors: Record<FactorName, { over: (s: Sums) => number; value: (s: Sums) => number; shown: number }> = {
  clicks: { over: () => 1, value: s => s.clicks, shown: 1 },
  cpc: { over: s => s.clicks, value: s => s.costMicros, shown: 1e-6 },
  cvr: { over: s => s.clicks, value: s => s.orders, shown: 100 },
  aov: { over: s => s.orders, value: s => s.salesMicros, shown: 1e-6 },
}

/** ACOS = CPC / (CVR x AOV), spend = clicks x CPC, sales = clicks x CVR x AOV. */
const formulas: Record<ExplainedName, readonly { name: FactorName; power: 1 | -1 }[]> = {
  acos: [
    { name: 'cpc', power: 1 },
    { name: 'cvr', power: -1 },
    { name: 'aov', power: -1 },
  ],
  cost: [
    { name: 'clicks', power: 1 },
    { name: 'cpc', power: 1 },
  ],
  sales: [
    { name: 'clicks', power: 1 },
    { name: 'cvr', power: 1 },
    { name: 'aov', power: 1 },
  ],
}

/**
 * Takes the change of a metric between two periods apart into its factors, and each factor into what campaigns did to it.
 * The change of a product is split by the logarithms of its factors (LMDI: Ang, Energy Policy 2005), which leaves no rest
 * and does not depend on an order of the factors. Null where a factor was zero or unknown in one of the periods: nothing can
 * be compared with nothing. Everything is rounded to what is shown (a cent, a hundredth of a point) so that it still adds up.
 */
export function explain(
  metric: ExplainedName,
  movers: readonly Mover[],
  currency: string,
  mostParts = 5,
): Explained | null {
  const [before, after] = [addSums(movers.map(m => m.before)), addSums(movers.map(m => m.after))]
  const formula = formulas[metric]
  if (formula.some(({ name }) => !rateOf(name, before) || !rateOf(name, after))) return null
  const { perWhole, toShown } = unitOf(metric, currency)
  const [from, to] = [unitsOf(metric, before, currency), unitsOf(metric, after, currency)]
  const mean = logMean(wholeOf(metric, before), wholeOf(metric, after))
  const raw = formula.map(({ name, power }) => {
    const scale = (power * mean) / logMean(rateOf(name, before) ?? 0, rateOf(name, after) ?? 0)
    const moved = movers.map(mover => partOf(name, mover, before, after))
    return { name, pieces: moved.flatMap(({ within, mix }) => [within * scale, mix * scale]) }
  })
  const effects = apportion(
    to - from,
    raw.map(({ pieces }) => sumOf(pieces) * perWhole),
  )
  return {
    metric,
    before: toShown(from),
    after: toShown(to),
    change: toShown(to - from),
    factors: raw.map(({ name, pieces }, index) => {
      const units = effects[index] ?? 0
      const exact = apportion(
        units,
        pieces.map(piece => piece * perWhole),
      )
      return {
        name,
        before: shownRate(name, before) ?? 0,
        after: shownRate(name, after) ?? 0,
        effect: toShown(units),
        doubt: doubtOf(name, before, after),
        parts: strongest(name, movers, exact, toShown, mostParts),
      }
    }),
  }
}

const rateOf = (name: FactorName, sums: Sums): number | null => {
  const over = factors[name].over(sums)
  return over === 0 ? null : factors[name].value(sums) / over
}
const shownRate = (name: FactorName, sums: Sums): number | null => {
  const rate = rateOf(name, sums)
  return rate === null ? null : rate * factors[name].shown
}

/** The whole in its own unit: money, or percent. */
function wholeOf(metric: ExplainedName, { costMicros, salesMicros }: Sums): number {
  if (metric === 'acos') return (costMicros / salesMicros) * 100
  return fromMicros(metric === 'cost' ? costMicros : salesMicros)
}

/** What is shown is a whole number of these: cents, or hundredths of a point. */
function unitOf(metric: ExplainedName, currency: string) {
  const micros = metric === 'acos' ? 10_000 : smallestUnitMicros(currency)
  return { perWhole: 1_000_000 / micros, toShown: (units: number): number => fromMicros(units * micros) }
}

/** The whole in whole units of what is shown: cents, or hundredths of a percent. */
function unitsOf(metric: ExplainedName, sums: Sums, currency: string): number {
  if (metric === 'acos') return Math.round(wholeOf(metric, sums) * 100)
  const micros = metric === 'cost' ? sums.costMicros : sums.salesMicros
  return Math.round(roundToUnit(micros, currency) / smallestUnitMicros(currency))
}

// (b - a) / ln(b / a), which is their common value where they are equal.
function logMean(a: number, b: number): number {
  const ratio = b / a - 1
  return Math.abs(ratio) < 1e-9 ? a : (b - a) / Math.log1p(ratio)
}

/**
 * What a campaign did to the account's rate. The account's rate is the mean of the campaigns', weighted by their share of
 * the clicks (or orders). A campaign moves it by its own rate, and by having more weight while it is above the mean.
 */
function partOf(name: FactorName, mover: Mover, before: Sums, after: Sums): { within: number; mix: number } {
  const { over } = factors[name]
  if (name === 'clicks') return { within: mover.after.clicks - mover.before.clicks, mix: 0 }
  const [w0, w1] = [over(mover.before) / over(before), over(mover.after) / over(after)]
  // Without clicks of its own in a period a campaign has no rate there, and only its weight can have changed.
  const r1 = rateOf(name, mover.after) ?? rateOf(name, mover.before)
  const r0 = rateOf(name, mover.before) ?? r1
  if (r0 === null || r1 === null) return { within: 0, mix: 0 }
  const mean = ((rateOf(name, before) ?? 0) + (rateOf(name, after) ?? 0)) / 2
  return { within: ((w0 + w1) / 2) * (r1 - r0), mix: (w1 - w0) * ((r0 + r1) / 2 - mean) }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Whole numbers that add up to `total`, each next to its share: the largest remainders are rounded up. */
export function apportion(total: number, shares: readonly number[]): number[] {
  const parts = shares.map(Math.floor)
  const order = shares.map((share, i) => ({ i, rest: share - Math.floor(share) })).toSorted((a, b) => b.rest - a.rest)
  let left = total - sumOf(parts)
  const step = Math.sign(left)
  for (let at = 0; left !== 0 && order.length; at++, left -= step) {
    const { i } = order.at(step > 0 ? at % order.length : -1 - (at % order.length)) ?? { i: 0 }
    parts[i] = (parts[i] ?? 0) + step
  }
  return parts
}

function strongest(
  name: FactorName,
  movers: readonly Mover[],
  exact: readonly number[],
  toShown: (units: number) => number,
  most: number,
): FactorPart[] {
  const all = movers.map((mover, i) => ({ mover, within: exact[2 * i] ?? 0, mix: exact[2 * i + 1] ?? 0 }))
  const sized = all.toSorted((a, b) => Math.abs(b.within + b.mix) - Math.abs(a.within + a.mix))
  const named = sized.filter(({ mover, within, mix }) => mover.campaignId !== null && within + mix !== 0).slice(0, most)
  const rest = all.filter(one => !named.includes(one))
  const parts = named.map(({ mover, within, mix }) => ({
    campaignId: mover.campaignId,
    name: mover.name,
    before: shownRate(name, mover.before),
    after: shownRate(name, mover.after),
    effect: toShown(within + mix),
    within: toShown(within),
    mix: toShown(mix),
    doubt: doubtOf(name, mover.before, mover.after),
  }))
  const [within, mix] = [sumOf(rest.map(one => one.within)), sumOf(rest.map(one => one.mix))]
  if (within === 0 && mix === 0) return parts
  const others = { campaignId: null, name: null, before: null, after: null, doubt: null }
  return [...parts, { ...others, effect: toShown(within + mix), within: toShown(within), mix: toShown(mix) }]
}

/** Why the change of a factor says little: counts that are too small, or a move that comes by chance. */
export function doubtOf(name: FactorName, before: Sums, after: Sums): Doubt | null {
  const { leastClicks, leastOrders, leastDeviation } = thresholds
  // How many clicks there were is counted, not estimated.
  if (name === 'clicks') return null
  if (Math.min(before.clicks, after.clicks) < leastClicks) return 'FEW_CLICKS'
  if (name === 'cpc') return null
  if (name === 'aov') return Math.min(before.orders, after.orders) < leastOrders ? 'FEW_ORDERS' : null
  const pooled = (before.orders + after.orders) / (before.clicks + after.clicks)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.clicks + 1 / after.clicks))
  const moved = Math.abs(after.orders / after.clicks - before.orders / before.clicks)
  return moved <= leastDeviation * error ? 'CHANCE' : null
}
