import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import { feeInWords } from '#shared/ad-spend-fee.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import type { AdSpendSummary, FeeLine } from '../../fee-contract.ts'
import { adSpendFee, type FeeStretch, type IncludedSpend, type Month, monthOf } from '../../fee.ts'
import { readMonth, toFeeStretches } from './read-month.ts'

type MonthState = AdSpendSummary['months'][number]
/** What the fee of a month, or of a part of it, is worked out from. */
interface Basis {
  included: IncludedSpend
  stretches: FeeStretch[]
  lines: Omit<FeeLine, 'spendUsd' | 'fee'>[]
  state: Pick<MonthState, 'month' | 'isWhole' | 'state' | 'invoiceId' | 'corrections'>
}

/**
 * The caller's ad spend on paid days, and the fee on it. A whole month that was charged is shown as it was charged. Other
 * days are worked out from the newest figures and rates; a part of a month has the same part of what the plan includes.
 */
export async function adSpendSummary(
  ctx: Ctx,
  { fromDate, toDate }: { fromDate: string; toDate: string },
): Promise<AdSpendSummary> {
  const lines: FeeLine[] = []
  const months: MonthState[] = []
  let includedCents = 0n
  for (let month = monthOf(fromDate); month.from <= toDate; month = monthOf(addDays(month.to, 1))) {
    const range = {
      from: month.from < fromDate ? fromDate : month.from,
      to: month.to > toDate ? toDate : month.to,
    }
    const isWhole = range.from === month.from && range.to === month.to
    const basis = (isWhole && (await chargedMonth(ctx, month))) || (await openMonth(ctx, month, range))
    const fee = adSpendFee(basis.included, basis.stretches)
    includedCents += fee.includedCents
    lines.push(
      ...basis.lines.map((line, i) => ({
        ...line,
        spendUsd: basis.stretches[i]?.rate ? dollars(fee.parts[i]?.spendCents) : null,
        fee: dollars(fee.parts[i]?.feeCents),
      })),
    )
    months.push({
      ...basis.state,
      spend: dollars(fee.spendCents),
      taxableSpend: dollars(fee.taxableCents),
      fee: dollars(fee.feeCents),
    })
  }
  const total = (field: 'spend' | 'taxableSpend' | 'fee') =>
    months.reduce((all, month) => all + Math.round(month[field] * 100), 0) / 100
  const percentages = new Set(lines.map(line => line.percentage))
  return {
    fromDate,
    toDate,
    currency: 'USD',
    spend: total('spend'),
    includedSpend: dollars(includedCents),
    taxableSpend: total('taxableSpend'),
    percentage: percentages.size === 1 ? ([...percentages][0] ?? null) : null,
    fee: total('fee'),
    isFinal: months.every(({ state }) => state !== 'OPEN'),
    lines,
    months,
  }
}

const dollars = (cents: bigint | undefined): number => Number(cents ?? 0n) / 100

async function openMonth(ctx: Ctx, month: Month, range: { from: string; to: string }): Promise<Basis> {
  const { day } = await currentRates(ctx.db.system)
  const reading = await readMonth(ctx, ctx.actor.accountId, month, day, range)
  const lines = reading.stretches.map(one => ({
    merchantId: one.merchantId,
    profileId: one.profileId,
    accountName: one.accountName,
    countryCode: one.countryCode,
    fromDate: one.from,
    toDate: one.to,
    currency: one.currency,
    spend: fromMicros(Number(one.spendMicros)),
    rateDate: reading.rates.day,
    ...percentageOf(Number(one.minimumTaxableMicros), Number(one.basisPoints)),
  }))
  const isWhole = range.from === month.from && range.to === month.to
  const state = { month: month.name, isWhole, state: 'OPEN', invoiceId: null, corrections: 0 } as const
  return { included: reading.included, stretches: toFeeStretches(reading), lines, state }
}

const percentageOf = (minimumTaxableMicros: number, basisPoints: number) => {
  const percentage = basisPoints / 100
  const minimumTaxablePrice = fromMicros(minimumTaxableMicros)
  return { percentage, formula: feeInWords({ minimumTaxablePrice, adSpendPercentage: percentage }) }
}

interface ChargedRow {
  state: 'CARRIED' | 'ISSUING' | 'INVOICED'
  invoiceId: string | null
  includedMicroDays: number
  corrections: number
  lines: {
    of_merchant: number
    profile_id: number
    account_name: string
    country_code: string
    currency: string
    from_day: string
    to_day: string
    minimum_taxable_micros: number
    basis_points: number
    spend_micros: number
    rate_day: string
    own_rate: number | null
    usd_rate: number
  }[]
}

/** A month as it was frozen; null while it is open. */
async function chargedMonth({ db, actor }: Ctx, month: Month): Promise<Basis | null> {
  const { rows } = await sql<ChargedRow>`select coalesce(w.state, r.state) as state,
      coalesce(w.invoice_id, r.invoice_id) as "invoiceId", r.included_micro_days as "includedMicroDays",
      (select coalesce(sum(fee_cents), 0)::bigint from billing_run c where c.account_id = r.account_id
        and c.period = r.period and c.revision > 0) as corrections,
      (select coalesce(jsonb_agg(to_jsonb(l) order by l.position), '[]') from billing_line l where l.run_id = r.id) as lines
    from billing_run r left join billing_run w on w.id = r.invoiced_with
    where r.account_id = ${actor.accountId} and r.period = ${month.from} and r.revision = 0`.execute(db.system)
  const [run] = rows
  if (!run) return null
  const { state, invoiceId, includedMicroDays, corrections } = run
  return {
    included: { microDays: BigInt(includedMicroDays), daysInMonth: month.days },
    stretches: run.lines.map(line => ({
      spendMicros: BigInt(line.spend_micros),
      basisPoints: BigInt(line.basis_points),
      rate: line.own_rate === null ? null : { own: BigInt(line.own_rate), usd: BigInt(line.usd_rate) },
    })),
    lines: run.lines.map(line => ({
      merchantId: line.of_merchant,
      profileId: line.profile_id,
      accountName: line.account_name,
      countryCode: line.country_code,
      fromDate: line.from_day,
      toDate: line.to_day,
      currency: line.currency,
      spend: fromMicros(line.spend_micros),
      rateDate: line.rate_day,
      ...percentageOf(line.minimum_taxable_micros, line.basis_points),
    })),
    state: { month: month.name, isWhole: true, state, invoiceId, corrections: corrections / 100 },
  }
}
