/**
 * An independent calculation of the fee on ad spend: whole numbers over one common divisor for the whole month, days walked
 * one by one, time zones by their offsets. It shares nothing with the product.
 */
export interface ModelPlan {
  id: number
  includedDollars: bigint
  basisPoints: bigint
}
export interface ModelPhase {
  plan: ModelPlan | null
  /** Until the next one. */
  startsAt: number
}
export interface ModelProfile {
  id: number
  currency: string
  timezone: string
  basisPoints: bigint | null
  /** Micros by day. */
  spend: Map<string, bigint>
}
/** By day: what a euro was worth, as it was published. */
export type ModelRates = Map<string, Record<string, string>>

const DAY = 86_400_000
const midnights = new Map<string, number>()
const clocks = new Map<string, Intl.DateTimeFormat>()
function offsetAt(at: number, zone: string): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hour: 'numeric' })
  clocks.set(zone, clock)
  const name = clock.formatToParts(at).find(part => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
}
export function midnightIn(day: string, zone: string): number {
  const key = `${zone} ${day}`
  const cached = midnights.get(key)
  if (cached !== undefined) return cached
  const noon = Date.parse(`${day}T00:00:00Z`)
  const guess = noon - offsetAt(noon, zone)
  const at = noon - offsetAt(guess, zone)
  midnights.set(key, at)
  return at
}
export function daysOfMonth(month: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(`${month}-01`); ; at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10)
    if (!day.startsWith(month)) return days
    days.push(day)
  }
}
const planOn = (day: string, zone: string, phases: readonly ModelPhase[]): ModelPlan | null =>
  phases.findLast(({ startsAt }) => startsAt <= midnightIn(day, zone))?.plan ?? null

const scaled = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(8, '0').slice(0, 8))
}

/** The parts of a month that were frozen: what is charged again when the spend is restated. */
export interface FrozenMonth {
  month: string
  /** Micros times days. */
  included: bigint
  parts: { profile: ModelProfile; days: string[]; basisPoints: bigint; own: bigint; usd: bigint }[]
  /** The cents by which each revision changed the fee; the month itself first. */
  charged: bigint[]
  /** The cents of each part, when it was frozen. */
  lines: bigint[]
}

export function freezeModelMonth(
  month: string,
  profiles: readonly ModelProfile[],
  phases: readonly ModelPhase[],
  rates: ModelRates,
): FrozenMonth {
  const days = daysOfMonth(month)
  const closing = new Date(Date.parse(days.at(-1) ?? '') + 4 * DAY).toISOString().slice(0, 10)
  const rateDay =
    [...rates.keys()]
      .filter(day => day <= closing)
      .sort()
      .at(-1) ?? ''
  const table = rates.get(rateDay) ?? {}
  const rateOf = (currency: string) => (currency === 'EUR' ? 100_000_000n : scaled(table[currency] ?? '0'))
  const includedBy = (zone: string) =>
    days.reduce((all, day) => all + (planOn(day, zone, phases)?.includedDollars ?? 0n) * 1_000_000n, 0n)
  const zones = ['UTC', ...profiles.map(one => one.timezone)]
  const included = zones.map(includedBy).reduce((most, one) => (one > most ? one : most))
  const parts: FrozenMonth['parts'] = []
  for (const profile of profiles) {
    let last: ModelPlan | null = null
    for (const day of days) {
      const plan = planOn(day, profile.timezone, phases)
      if (plan && plan !== last)
        parts.push({
          profile,
          days: [],
          basisPoints: profile.basisPoints ?? plan.basisPoints,
          own: rateOf(profile.currency),
          usd: rateOf('USD'),
        })
      if (plan) parts.at(-1)?.days.push(day)
      last = plan
    }
  }
  return { month, included, parts, charged: [], lines: [] }
}

/** The fee of a month by the spend as it is now, and how it is shared. */
export function modelFee({ month, included, parts }: FrozenMonth): { cents: bigint; lines: bigint[] } {
  const divisor = parts.reduce((all, part) => all * part.own, 1n)
  const days = BigInt(daysOfMonth(month).length)
  // Micros of dollars times `divisor`.
  const spends = parts.map(
    part =>
      part.days.reduce((all, day) => all + (part.profile.spend.get(day) ?? 0n), 0n) * part.usd * (divisor / part.own),
  )
  const spend = spends.reduce((all, one) => all + one, 0n)
  const above = spend * days - included * divisor
  if (above <= 0n || spend === 0n) return { cents: 0n, lines: parts.map(() => 0n) }
  // fee of a part = above / (divisor x days) x its spend / spend x basis points / 10^4, in micros; 10^4 micros are a cent.
  const below = divisor * days * spend * 100_000_000n
  const exact = parts.map((part, i) => above * (spends[i] ?? 0n) * part.basisPoints)
  const whole = exact.reduce((all, one) => all + one, 0n)
  const [floor, rest] = [whole / below, whole % below]
  const isUp = rest * 2n > below || (rest * 2n === below && floor % 2n === 1n)
  const cents = isUp ? floor + 1n : floor
  const lines = exact.map(one => one / below)
  let missing = cents - lines.reduce((all, one) => all + one, 0n)
  const order = exact.map((one, i) => ({ i, rest: one % below }))
  order.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))
  for (const { i } of order) if (missing-- > 0n) lines[i] = (lines[i] ?? 0n) + 1n
  return { cents, lines }
}

/** What the provider's invoices must be: by month, the amounts they list. */
export class ModelBilling {
  readonly #frozen: FrozenMonth[] = []
  #carried: bigint[] = []
  readonly invoices = new Map<string, bigint[]>()

  /** Closes a month: its own fee, corrections of the months before, what was carried. */
  close(next: FrozenMonth): void {
    const days = daysOfMonth(next.month)
    const oldest = new Date(Date.parse(days.at(-1) ?? '') - 95 * DAY).toISOString().slice(0, 10)
    const own = modelFee(next)
    const corrections: bigint[] = []
    for (const month of this.#frozen) {
      if (`${month.month}-01` < oldest) continue
      const change = modelFee(month).cents - month.charged.reduce((all, one) => all + one, 0n)
      if (change === 0n) continue
      month.charged.push(change)
      corrections.push(change)
    }
    next.charged.push(own.cents)
    this.#frozen.push(next)
    const all = [...this.#carried, ...corrections, ...own.lines].filter(one => one !== 0n)
    if (all.reduce((sum, one) => sum + one, 0n) < 50n) this.#carried = all
    else {
      this.invoices.set(next.month, all)
      this.#carried = []
    }
  }
}
