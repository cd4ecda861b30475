import Fraction from 'fraction.js'
import { addDays, daysBetween, dayIn, startOfDayIn } from '#shared/time.ts'
import { closingDays } from '#shared/ad-spend-fee.ts'

/**
 * The fee on ad spend of a calendar month:
 *
 *     taxable = the account's ad spend of its paid days in USD - the included spend, at least 0
 *     fee     = the sum over stretches of taxable x their share of the spend x their percentage
 *
 * Everything is exact until the fee is rounded once, half to even, to cents.
 */

const zero = new Fraction(0)
const half = new Fraction(1, 2)
const sumOf = (all: readonly Fraction[]): Fraction => all.reduce((sum, one) => sum.add(one), zero)
/** The largest whole number that is not above it. */
const floorOf = (value: Fraction): bigint => {
  const { s, n } = value.floor()
  return s * n
}

function roundHalfEven(value: Fraction): bigint {
  const low = floorOf(value)
  const beyondHalf = value.sub(low).compare(half)
  return beyondHalf > 0 || (beyondHalf === 0 && low % 2n !== 0n) ? low + 1n : low
}

/** A rate table's value as whole hundred-millionths: exact for what the central bank publishes and for pegged currencies. */
export const toRateUnits = (perEuro: number): bigint => BigInt(Math.round(perEuro * 1e8))

/** Days of one advertising account under one percentage. */
export interface FeeStretch {
  /** Settled spend in millionths of the account's own currency. */
  spendMicros: bigint
  /** What a euro was worth in that currency and in USD, in hundred-millionths; null where no rate is known. */
  rate: { own: bigint; usd: bigint } | null
  /** The percentage in hundredths of a percent. */
  basisPoints: bigint
}

/** The ad spend that the plans cover: for each day, the plan's amount for a month (in micros of USD) times a day's share of it. */
export interface IncludedSpend {
  /** The sum over paid days of the amount of the day's plan. */
  microDays: bigint
  daysInMonth: number
}

interface Fee {
  /** In cents of USD, each rounded half to even. */
  spendCents: bigint
  includedCents: bigint
  taxableCents: bigint
  /** What is charged. */
  feeCents: bigint
  /** By stretch: the spend, and the part of the fee. The parts add up to the fee. */
  parts: { spendCents: bigint; feeCents: bigint }[]
}

const microsOfCent = 10_000n

/** The fee on the spend of a month, or of a part of it. A stretch without a rate counts as nothing. */
export function adSpendFee(included: IncludedSpend, stretches: readonly FeeStretch[]): Fee {
  const spends = stretches.map(({ spendMicros, rate }) =>
    rate ? new Fraction(spendMicros * rate.usd, rate.own * microsOfCent) : zero,
  )
  const spend = sumOf(spends)
  const allowance = new Fraction(included.microDays, BigInt(included.daysInMonth) * microsOfCent)
  const taxable = spend.gt(allowance) ? spend.sub(allowance) : zero
  const share = taxable.gt(zero) ? taxable.div(spend) : zero
  const fees = spends.map((one, i) => one.mul(share).mul(stretches[i]?.basisPoints ?? 0n, 10_000n))
  const feeCents = roundHalfEven(sumOf(fees))
  const parts = partsOf(feeCents, fees)
  return {
    spendCents: roundHalfEven(spend),
    includedCents: roundHalfEven(allowance),
    taxableCents: roundHalfEven(taxable),
    feeCents,
    parts: spends.map((one, i) => ({ spendCents: roundHalfEven(one), feeCents: parts[i] ?? 0n })),
  }
}

/** Whole cents that add up to the total: each part without its fraction, and a cent more where the fractions are largest. */
function partsOf(total: bigint, exact: readonly Fraction[]): bigint[] {
  const parts = exact.map(floorOf)
  const rests = exact.map((one, i) => ({ i, rest: one.sub(parts[i] ?? 0n) }))
  rests.sort((a, b) => b.rest.compare(a.rest) || a.i - b.i)
  const missing = Number(total - parts.reduce((all, one) => all + one, 0n))
  for (const { i } of rests.slice(0, missing)) parts[i] = (parts[i] ?? 0n) + 1n
  return parts
}

/** A calendar month of an account's own days: its name (`2026-10`) and its first and last day. */
export interface Month {
  name: string
  from: string
  to: string
  days: number
}

/** The month that a day belongs to. */
export function monthOf(day: string): Month {
  const name = day.slice(0, 7)
  const from = `${name}-01`
  const to = addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1)
  return { name, from, to, days: daysBetween(from, to) + 1 }
}

/** The day whose exchange rates a month is converted at: the last of those that it stays open. */
export const closingDayOf = (month: Month): string => addDays(month.to, closingDays)

/**
 * When a month closes for advertising accounts of a time zone: four days after its end, and not before the rates of the
 * closing day are published in Frankfurt.
 */
export function closesAt(month: Month, timezone: string): Date {
  const over = startOfDayIn(addDays(closingDayOf(month), 1), timezone)
  const published = new Date(`${closingDayOf(month)}T18:00:00Z`)
  return over > published ? over : published
}

/** A time on a plan. */
export interface PlanPhase {
  isPaid: boolean
  startsAt: Date
  endsAt: Date | null
  planId: number
  minimumTaxableMicros: bigint
  basisPoints: bigint
}

/** Days on one paid plan, both included. */
export type PlanDays = Omit<PlanPhase, 'isPaid' | 'startsAt' | 'endsAt'> & { from: string; to: string }

/** The first day that begins at a moment or after it. */
function firstDayFrom(at: Date, timezone: string): string {
  const day = dayIn(at, timezone)
  return startOfDayIn(day, timezone) < at ? addDays(day, 1) : day
}

/** The paid days of a range, by plan. A day belongs to the phase in which it begins in the time zone. */
export function paidDaysOf(
  { from, to }: { from: string; to: string },
  timezone: string,
  phases: readonly PlanPhase[],
): PlanDays[] {
  return phases
    .filter(({ isPaid }) => isPaid)
    .map(({ startsAt, endsAt, planId, minimumTaxableMicros, basisPoints }) => {
      const first = firstDayFrom(startsAt, timezone)
      const last = endsAt ? addDays(firstDayFrom(endsAt, timezone), -1) : to
      return {
        from: first > from ? first : from,
        to: last < to ? last : to,
        planId,
        minimumTaxableMicros,
        basisPoints,
      }
    })
    .filter(days => days.from <= days.to)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .reduce<PlanDays[]>((all, days) => {
      const last = all.at(-1)
      const goesOn = last?.planId === days.planId && addDays(last.to, 1) === days.from
      return goesOn ? [...all.slice(0, -1), { ...last, to: days.to }] : [...all, days]
    }, [])
}

/** What the plans of these days include. */
export const includedIn = (month: Month, days: readonly PlanDays[]): IncludedSpend => ({
  microDays: days.reduce(
    (all, { from, to, minimumTaxableMicros }) => all + minimumTaxableMicros * BigInt(daysBetween(from, to) + 1),
    0n,
  ),
  daysInMonth: month.days,
})
