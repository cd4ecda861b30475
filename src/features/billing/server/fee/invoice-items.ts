import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { feeInWords } from '#shared/ad-spend-fee.ts'
import { currencyDigits, fromMicros, numberText } from '#shared/money.ts'
import { monthOf } from '../../fee.ts'
import { dateText, defaultRegion } from '#shared/region-format.ts'

/** The most items that the provider takes on an invoice. */
const mostItems = 250

export interface FeeItem {
  /** The same whenever the items of a run are made again. */
  id: string
  cents: number
  description: string
  from: string
  to: string
  /** The figures of one advertising account: amounts in decimals, `spend` in its own `currency`. */
  figures: Record<string, string>
}

interface Charged {
  runId: number
  period: string
  revision: number
  runCents: number
  position: number | null
  accountName: string
  countryCode: string
  currency: string
  fromDay: string
  toDay: string
  minimumTaxableMicros: number
  basisPoints: number
  spendMicros: number
  rateDay: string
  ownRate: number
  usdRate: number
  feeCents: number
}

/**
 * What the invoice of a run lists: an item for each advertising account and plan, one for each correction of an earlier
 * month, and what was carried to it. They add up to the run's `invoice_cents`.
 */
export async function itemsOfRun(db: Db, runId: number): Promise<FeeItem[]> {
  const { rows } =
    await sql<Charged>`select r.id as "runId", r.period, r.revision, r.fee_cents as "runCents", l.position,
      l.account_name as "accountName", l.country_code as "countryCode", l.currency, l.from_day as "fromDay",
      l.to_day as "toDay", l.minimum_taxable_micros as "minimumTaxableMicros", l.basis_points as "basisPoints",
      l.spend_micros as "spendMicros", l.rate_day as "rateDay", l.own_rate as "ownRate", l.usd_rate as "usdRate", l.fee_cents as "feeCents"
    from billing_run r left join billing_line l on l.run_id = r.id and r.revision = 0 and l.fee_cents <> 0
    where r.id = ${runId} or r.invoiced_with = ${runId}
    order by r.period, r.revision, l.position`.execute(db)
  const items = rows.flatMap(row => {
    if (row.revision > 0) return [toCorrection(row)]
    return row.position === null ? [] : [toItem(row, row.position)]
  })
  if (items.length <= mostItems) return items
  const rest = items.slice(mostItems - 1)
  const joined = {
    id: 'others',
    cents: rest.reduce((all, one) => all + one.cents, 0),
    description: `Ad spend fee for ${rest.length} more lines. The ad spend summary lists each of them.`,
    from: rest.reduce((first, { from }) => (from < first ? from : first), rest[0]?.from ?? ''),
    to: rest.reduce((last, { to }) => (to > last ? to : last), ''),
    figures: {},
  }
  return [...items.slice(0, mostItems - 1), joined]
}

// The payment provider's invoices are written in its own format.
const monthName = (day: string): string =>
  dateText(defaultRegion.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }, new Date(day))

function toItem(row: Charged, position: number): FeeItem {
  const words = feeInWords({
    minimumTaxablePrice: fromMicros(row.minimumTaxableMicros),
    adSpendPercentage: row.basisPoints / 100,
  })
  const digits = currencyDigits(row.currency)
  const spend = numberText(fromMicros(row.spendMicros), digits, defaultRegion)
  const rate = row.currency === 'USD' ? '' : `, at the exchange rate of ${row.rateDay}`
  return {
    id: `${row.runId}-${position}`,
    cents: row.feeCents,
    description: `Ad spend fee for ${monthName(row.period)}, ${row.accountName.slice(0, 80)} (${row.countryCode}): ${words}. Ad spend here: ${row.currency} ${spend}${rate}.`,
    from: row.fromDay,
    to: row.toDay,
    figures: {
      name: `${row.accountName.slice(0, 80)} (${row.countryCode})`,
      currency: row.currency,
      spend: String(fromMicros(row.spendMicros)),
      percentage: String(row.basisPoints / 100),
      ...(row.currency !== 'USD' && { rate: (row.usdRate / row.ownRate).toPrecision(10), rateDay: row.rateDay }),
    },
  }
}

function toCorrection({ runId, period, revision, runCents }: Charged): FeeItem {
  const month = monthName(period)
  return {
    id: `${runId}-correction`,
    cents: runCents,
    description: `Correction ${revision} of the ad spend fee for ${month}: the marketplace restated the ad spend.`,
    from: period,
    to: monthOf(period).to,
    figures: {},
  }
}
