import { type Figures, noFigures, ratiosOf, sumFigures } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import type { DashboardCard, Term } from './contract.ts'

/**
 * A day's advertising figures with the seller's whole sales of that day, null when not known. Money is in micros
 * throughout these rules, because sums of decimals drift; the cards carry decimals.
 */
export interface HomeDay extends Figures {
  date: string
  totalSales: number | null
}

/** What is left after costs, or why that is not known. */
export interface Profit {
  value: number | null
  unknownBecause: string | null
  note: string | null
  /** What it is worked out from, in micros. */
  terms: readonly Term[]
}

export interface Period {
  days: readonly HomeDay[]
  /** The days of which figures were imported; ratios with total sales, and profit, are of these. */
  imported: readonly HomeDay[]
  profit: Profit
}

/** The day that it is now where the marketplace's days are counted. */
export const todayIn = (marketplaceId: number, now: Date): string => dayIn(now, timezoneOfMarketplace(marketplaceId))

/** The range of equal length that ends the day before `from`. */
export const periodBefore = (from: string, to: string): { from: string; to: string } => {
  const length = daysBetween(from, to) + 1
  return { from: addDays(from, -length), to: addDays(from, -1) }
}

/**
 * The days of a period that count for TACOS and for profit alike: all until the last import, the running one included as
 * far as it was read. A day that began since has neither ad cost nor sales yet.
 */
export const importedDays = <T extends { date: string }>(days: readonly T[], importedTo: string | null): T[] =>
  importedTo === null ? [] : days.filter(day => day.date <= importedTo)

const salesMissing = 'Not known: the total sales of some of these days have not arrived yet.'
const noSales = 'Not known: there were no attributed sales in these days.'
const noSpend = 'Not known: there was no spend in these days.'
const noTotalSales = 'Not known: there were no sales in these days.'

/** Whole sales of the days; null when one of them is not known, because a part would look like the whole. */
const totalSalesOf = (days: readonly HomeDay[]): number | null =>
  days.reduce<number | null>((sum, day) => (sum === null || day.totalSales === null ? null : sum + day.totalSales), 0)

const tacosOf = (days: readonly HomeDay[]): number | null => {
  const total = totalSalesOf(days)
  const { cost } = sumFigures(days)
  return total === null || total === 0 ? null : (cost / total) * 100
}

interface CardRule {
  metric: DashboardCard['metric']
  unit: DashboardCard['unit']
  of: (period: Period) => number | null
  ofDay: (day: HomeDay) => number | null
  because: (period: Period) => string | null
  /** What the value is worked out from, in the order of the formula. */
  terms?: (period: Period) => Term[]
}

const adTerms = (days: readonly HomeDay[], ...names: ('spend' | 'sales')[]): Term[] => {
  const { cost, sales } = sumFigures(days)
  return names.map(name => ({ name, value: name === 'spend' ? cost : sales }))
}

const sum = (metric: CardRule['metric'], unit: CardRule['unit'], field: keyof Figures): CardRule => ({
  metric,
  unit,
  of: period => sumFigures(period.days)[field],
  ofDay: day => day[field],
  because: () => null,
})

const rules: readonly CardRule[] = [
  sum('spend', 'MONEY', 'cost'),
  sum('sales', 'MONEY', 'sales'),
  {
    metric: 'acos',
    unit: 'PERCENT',
    of: period => ratiosOf(sumFigures(period.days)).acos,
    ofDay: day => ratiosOf(day).acos,
    because: () => noSales,
    terms: period => adTerms(period.days, 'spend', 'sales'),
  },
  {
    metric: 'roas',
    unit: 'RATIO',
    of: period => ratiosOf(sumFigures(period.days)).roas,
    ofDay: day => ratiosOf(day).roas,
    because: () => noSpend,
    terms: period => adTerms(period.days, 'sales', 'spend'),
  },
  {
    metric: 'tacos',
    unit: 'PERCENT',
    of: period => tacosOf(period.imported),
    ofDay: day => tacosOf([day]),
    because: period =>
      !period.imported.length || totalSalesOf(period.imported) === null ? salesMissing : noTotalSales,
    terms: period => [
      ...adTerms(period.imported, 'spend'),
      { name: 'totalSales', value: totalSalesOf(period.imported) ?? 0 },
    ],
  },
  sum('orders', 'COUNT', 'orders'),
  sum('clicks', 'COUNT', 'clicks'),
  sum('impressions', 'COUNT', 'impressions'),
]

const inUnit = (unit: DashboardCard['unit'], value: number | null): number | null =>
  unit === 'MONEY' && value !== null ? fromMicros(value) : value

const inMoney = (terms: readonly Term[]): Term[] => terms.map(({ name, value }) => ({ name, value: fromMicros(value) }))

/**
 * The cards of Home. Ratios are of sums; a sparkline has a value a day. Profit = total sales - (marketplace fees + cost
 * of goods + ad cost), worked out by the caller since it needs the products.
 */
export const buildCards = (current: Period, previous: Period): DashboardCard[] => [
  ...rules.map((rule): DashboardCard => {
    const value = rule.of(current)
    return {
      metric: rule.metric,
      unit: rule.unit,
      value: inUnit(rule.unit, value),
      previous: inUnit(rule.unit, rule.of(previous)),
      unknownBecause: value === null ? rule.because(current) : null,
      note: null,
      sparkline: current.days.map(day => inUnit(rule.unit, rule.ofDay(day))),
      terms: value === null ? [] : inMoney(rule.terms?.(current) ?? []),
    }
  }),
  {
    metric: 'profit',
    unit: 'MONEY',
    value: inUnit('MONEY', current.profit.value),
    previous: inUnit('MONEY', previous.profit.value),
    unknownBecause: current.profit.unknownBecause,
    note: current.profit.note,
    sparkline: [],
    terms: inMoney(current.profit.terms),
  },
]

/** What is known of one product's trade in the period; money in micros, fees and goods a unit. */
export interface ProductTrade {
  units: number
  sales: number
  /** Cost of goods a unit; null when the user gave none. */
  cogs: number | null
  /** The marketplace's fees a unit; null when it told none. */
  fees: number | null
}

/** Profit after ads over the products whose costs are known; says which are left out rather than take them for 0. */
export const profitOf = (products: readonly ProductTrade[] | null, adCost: number): Profit => {
  const unknown = (unknownBecause: string): Profit => ({ value: null, unknownBecause, note: null, terms: [] })
  if (products === null) return unknown(salesMissing)
  const sold = products.filter(p => p.units !== 0 || p.sales !== 0)
  const known = sold.filter(p => p.cogs !== null && p.fees !== null)
  const missingCogs = sold.filter(p => p.cogs === null).length
  const missingFees = sold.filter(p => p.fees === null).length
  const notes = [
    missingCogs > 0 && `COGS missing on ${missingCogs} ${missingCogs === 1 ? 'product' : 'products'}`,
    missingFees > 0 && `fees not known of ${missingFees} ${missingFees === 1 ? 'product' : 'products'}`,
  ].filter(note => note !== false)
  if (sold.length > 0 && known.length === 0) return unknown(`Not known: ${notes.join(', ')}.`)
  const total = (of: (product: ProductTrade) => number): number => known.reduce((sum, product) => sum + of(product), 0)
  const productSales = total(p => p.sales)
  const fees = total(p => p.units * (p.fees ?? 0))
  const goods = total(p => p.units * (p.cogs ?? 0))
  return {
    value: productSales - fees - goods - adCost,
    unknownBecause: null,
    note: notes.length ? `${notes.join(', ')}: left out.` : null,
    terms: [
      { name: 'productSales', value: productSales },
      { name: 'fees', value: fees },
      { name: 'goods', value: goods },
      { name: 'spend', value: adCost },
    ],
  }
}

export type Granularity = 'DAY' | 'WEEK' | 'MONTH'

/** The first day of the week (Monday) or month that the day is in; the day itself for days. */
export const bucketOf = (day: string, granularity: Granularity): string => {
  if (granularity === 'DAY') return day
  if (granularity === 'MONTH') return `${day.slice(0, 7)}-01`
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

/** Sums days into their buckets, in order. A bucket that begins before the range is named by its own first day. */
export const inBuckets = (
  days: readonly (Figures & { date: string })[],
  granularity: Granularity,
): (Figures & { date: string })[] => {
  const buckets = new Map<string, Figures>()
  for (const day of days) {
    const bucket = bucketOf(day.date, granularity)
    buckets.set(bucket, sumFigures([buckets.get(bucket) ?? noFigures, day]))
  }
  return [...buckets].map(([date, figures]) => ({ date, ...figures }))
}
