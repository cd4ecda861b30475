import { type Micros, smallestUnitMicros } from '#shared/money.ts'

export interface BudgetShare {
  key: string
  weight: number
}

const ceilTo = (micros: Micros, unit: number) => Math.ceil(micros / unit) * unit
const floorTo = (micros: Micros, unit: number) => Math.floor(micros / unit) * unit

/**
 * Splits an amount by weights so that every share is at least `floors[i]`, exact to the currency's smallest unit. Shares
 * that fall below their floor are set to it and the rest is split again; what rounding leaves goes to `remainderTo`.
 * Null when the floors add up to more than the amount.
 */
export function splitWithFloors(
  micros: Micros,
  weights: readonly number[],
  floors: readonly number[],
  currency: string,
  remainderTo: number,
): number[] | null {
  const unit = smallestUnitMicros(currency)
  const least = floors.map(floor => ceilTo(floor, unit))
  const sum = (shares: readonly number[]) => shares.reduce((a, b) => a + b, 0)
  if (sum(least) > micros) return null
  const atFloor = weights.map(() => false)
  const share = () => {
    const rest = micros - sum(least.filter((_, i) => atFloor[i]))
    const weight = sum(weights.filter((_, i) => !atFloor[i]))
    return weights.map((w, i) => (atFloor[i] ? (least[i] ?? 0) : floorTo((rest * w) / weight, unit)))
  }
  let shares = share()
  for (let low = lowOnes(shares, least); low.length; low = lowOnes(shares, least)) {
    for (const i of low) atFloor[i] = true
    shares = share()
  }
  shares[remainderTo] = (shares[remainderTo] ?? 0) + micros - sum(shares)
  return shares
}

const lowOnes = (shares: readonly number[], least: readonly number[]): number[] =>
  shares.flatMap((share, i) => (share < (least[i] ?? 0) ? [i] : []))

/** A phase's share of the budget and the campaigns that have it between them. */
export interface PhaseShare {
  weight: number
  campaigns: BudgetShare[]
}

/**
 * The daily budget of each campaign: first by phase, then within the phase, each at least the marketplace's minimum and
 * all adding up to the total. `remainderTo` is the index of the phase that gets what rounding leaves. Null when the
 * total is too small for that many campaigns.
 */
export function splitBudget(
  totalMicros: Micros,
  phases: readonly PhaseShare[],
  minimumMicros: Micros,
  currency: string,
  remainderTo: number,
): Map<string, number> | null {
  const minimum = ceilTo(minimumMicros, smallestUnitMicros(currency))
  const byPhase = splitWithFloors(
    totalMicros,
    phases.map(p => p.weight),
    phases.map(p => p.campaigns.length * minimum),
    currency,
    remainderTo,
  )
  if (!byPhase) return null
  const budgets = new Map<string, number>()
  for (const [i, { campaigns }] of phases.entries()) {
    const shares = splitWithFloors(
      byPhase[i] ?? 0,
      campaigns.map(c => c.weight),
      campaigns.map(() => minimum),
      currency,
      0,
    )
    for (const [j, { key }] of campaigns.entries()) budgets.set(key, shares?.[j] ?? minimum)
  }
  return budgets
}

/** The least daily budget that a number of campaigns can share. */
export const leastBudget = (campaigns: number, minimumMicros: Micros, currency: string): number =>
  campaigns * ceilTo(minimumMicros, smallestUnitMicros(currency))
