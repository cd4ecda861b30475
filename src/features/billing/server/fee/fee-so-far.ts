import { currentRates } from '#features/exchange-rates/server/public.ts'
import { profileDays, projectMonth } from '#features/metrics/server/public.ts'
import type { Services } from '#server/context.ts'
import { closingDays, feeInWords } from '#shared/ad-spend-fee.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { adSpendFee, type FeeStretch, monthOf } from '../../fee.ts'
import { readMonth, type Stretch, toFeeStretches } from './read-month.ts'

/** The fee on ad spend of the current month. Amounts in USD. */
export interface FeeSoFar {
  from: string
  to: string
  /** The month is charged on this day or soon after. */
  closesOn: string
  spend: number
  /** What the plans include of the whole month. */
  includedSpend: number
  taxableSpend: number
  fee: number
  /** What the month will cost if its other days are like the last settled ones; null before anything can be said. */
  projectedSpend: number | null
  projectedFee: number | null
  /** How the fee is worked out, as a phrase, for each plan and percentage of the month. */
  formulas: string[]
  /** The last day of which every advertising account has figures; null if one has none. */
  figuresTo: string | null
  /** From this day on the ad spend may still change; null if no day can. */
  unsettledFrom: string | null
  /** The day of the exchange rates. The fee is converted at the rates of the closing day. */
  ratesOf: string
  /** Currencies without an exchange rate: what was spent in them is not counted. */
  unconverted: string[]
  /** By advertising account and percentage: the spend in its own currency, and in USD where there is a rate. */
  profiles: {
    name: string
    currency: string
    spend: number
    converted: number | null
    percentage: number
    fee: number | null
  }[]
}

/** Clicks are found invalid for three days after the end of a day. */
const settlingDays = 3
/** Days before today that the projection looks at: seven that have settled. */
const pastDays = 14

/** The fee of an account's current month, by the figures that are imported; null without a paid day in it. */
export async function feeSoFar(services: Services, accountId: number): Promise<FeeSoFar | null> {
  const { db, clock } = services
  const now = clock.now()
  const month = monthOf(dayIn(now, 'UTC'))
  const rates = await currentRates(db.system)
  const reading = await readMonth(services, accountId, month, rates.day)
  const { stretches, included } = reading
  if (!stretches.length && included.microDays === 0n) return null
  const soFar = toFeeStretches(reading)
  const fee = adSpendFee(included, soFar)
  const projected = await projectStretches(services, stretches, soFar, now)
  const projectedFee = projected && adSpendFee(included, projected)
  const ends = stretches.map(({ figures, timezone }) => ({
    to: figures?.to ?? null,
    settledTo: figures?.asOf ? addDays(dayIn(new Date(figures.asOf), timezone), -settlingDays - 1) : null,
  }))
  const unsettled = ends.map(({ settledTo }) => (settledTo === null ? month.from : addDays(settledTo, 1))).sort()[0]
  const words = stretches.map(({ minimumTaxableMicros, basisPoints }) =>
    feeInWords({
      minimumTaxablePrice: fromMicros(Number(minimumTaxableMicros)),
      adSpendPercentage: Number(basisPoints) / 100,
    }),
  )
  return {
    from: month.from,
    to: month.to,
    closesOn: addDays(month.to, closingDays + 1),
    spend: dollars(fee.spendCents),
    includedSpend: dollars(fee.includedCents),
    taxableSpend: dollars(fee.taxableCents),
    fee: dollars(fee.feeCents),
    projectedSpend: projectedFee && dollars(projectedFee.spendCents),
    projectedFee: projectedFee && dollars(projectedFee.feeCents),
    formulas: [...new Set(words)],
    figuresTo: ends.some(({ to }) => to === null) ? null : (ends.flatMap(({ to }) => to ?? []).sort()[0] ?? null),
    unsettledFrom: unsettled === undefined ? null : unsettled < month.from ? month.from : unsettled,
    ratesOf: rates.day,
    unconverted: [...new Set(stretches.filter((_, i) => !soFar[i]?.rate).map(one => one.currency))],
    profiles: stretches.map(({ accountName, countryCode, currency, spendMicros, basisPoints }, i) => ({
      name: `${accountName} (${countryCode})`,
      currency,
      spend: fromMicros(Number(spendMicros)),
      converted: soFar[i]?.rate ? dollars(fee.parts[i]?.spendCents ?? 0n) : null,
      percentage: Number(basisPoints) / 100,
      fee: soFar[i]?.rate ? dollars(fee.parts[i]?.feeCents ?? 0n) : null,
    })),
  }
}

const dollars = (cents: bigint): number => Number(cents) / 100

/** The stretches with what the days that are left will cost; null if one of the accounts has no settled day. */
async function projectStretches(
  { db }: Services,
  stretches: readonly Stretch[],
  fees: readonly FeeStretch[],
  now: Date,
): Promise<FeeStretch[] | null> {
  const projected: FeeStretch[] = []
  for (const [i, stretch] of stretches.entries()) {
    const fee = fees[i]
    const { merchantId, profileId, timezone, figures, to } = stretch
    const today = dayIn(now, timezone)
    if (!fee) continue
    // Of a plan that has ended, or an account that is no longer managed, no day is left.
    if (to < today || !stretch.isHeld) {
      projected.push(fee)
      continue
    }
    const from = addDays(today, -pastDays)
    const days = await db.reading(merchantId, tx => profileDays(tx, merchantId, [profileId], from, today))
    const settledTo = figures?.asOf ? addDays(dayIn(new Date(figures.asOf), timezone), -settlingDays - 1) : null
    const { averageMicros } = projectMonth(today, days, settledTo)
    if (averageMicros === null) return null
    const spentToday = days.find(day => day.date === today)?.costMicros ?? 0
    const first = stretch.from > today ? stretch.from : today
    const daysLeft = Number(to.slice(8)) - Number(first.slice(8)) + 1
    const restOfToday = first === today ? Math.max(averageMicros, spentToday) - spentToday : averageMicros
    const extra = restOfToday + averageMicros * (daysLeft - 1)
    projected.push({ ...fee, spendMicros: fee.spendMicros + BigInt(extra) })
  }
  return projected
}
