import {
  addSums,
  derivedMetrics,
  type FigureSums,
  type MeasuredName,
  type MetricName,
  metrics,
  toFigures,
} from '#shared/metrics.ts'
import { type Amount, fromMicros, type Micros } from '#shared/money.ts'
import { profitAfterAds, type ProfitTerms } from '#shared/profit.ts'
import { type CardName, type DashboardCard, metricOfCard, type TermName } from './contract.ts'

/** A day's advertising figures with the seller's total sales of that day, null when they have not arrived. */
export interface HomeDay extends FigureSums {
  date: string
  totalSalesMicros: Micros | null
}

export interface Profit {
  valueMicros: Micros | null
  unknownBecause: string | null
  note: string | null
  /** What it is calculated from. */
  terms: readonly { name: TermName; valueMicros: Micros }[]
}

export interface Period {
  days: readonly HomeDay[]
  /** The days that were imported; TACOS and profit count these. */
  imported: readonly HomeDay[]
  profit: Profit
}

type Band = DashboardCard['band']
/** Where figures of the whole range will end. */
export type Bands = Record<'cost' | 'sales' | 'orders' | 'acos', Band>

/** The two periods that the change compares: the days of the range that are over, and as many before. */
export interface Compared {
  now: Period
  before: Period
}

/** What the change compares; null where there is nothing to compare. */
function bothOf<T>(compared: { now: T; before: T } | null, of: (period: T) => number | null) {
  return { compared: compared && of(compared.now), previous: compared && of(compared.before) }
}

type Figures = ReturnType<typeof toFigures>
/** The advertising figures of which the cards show one each. */
interface AdFigures {
  current: Figures
  days: Figures[]
  compared: { now: Figures; before: Figures } | null
}

/** A card without the band in which its value will end. */
type CardFigures = Omit<DashboardCard, 'band'>

/** The cards of Home. A sparkline has a value for each day. */
export function buildCards(current: Period, compared: Compared | null, bands: Bands | null): DashboardCard[] {
  const figures: AdFigures = {
    current: toFigures(addSums(current.days)),
    days: current.days.map(toFigures),
    compared: compared && {
      now: toFigures(addSums(compared.now.days)),
      before: toFigures(addSums(compared.before.days)),
    },
  }
  const ad = (name: keyof typeof metricOfCard) => adCard(name, metricOfCard[name], figures)
  const cards = [
    ...(['spend', 'sales', 'acos', 'roas'] as const).map(ad),
    tacosCard(current, compared),
    ...(['orders', 'clicks', 'impressions'] as const).map(ad),
    profitCard(current, compared),
  ]
  return cards.map(card => ({ ...card, band: bands && bandOf(card.metric, bands) }))
}

function bandOf(card: CardName, bands: Bands): Band {
  const { cost, sales, orders, acos } = bands
  // ROAS is ACOS upside down.
  const roas = acos && acos.low > 0 ? { low: 100 / acos.high, high: 100 / acos.low } : null
  return { spend: cost, sales, orders, acos, roas, clicks: null, impressions: null, tacos: null, profit: null }[card]
}

function adCard(name: CardName, metric: MetricName, { current: figures, days, compared }: AdFigures): CardFigures {
  const { unit, unknownBecause } = metrics[metric]
  const value = figures[metric]
  const formula: readonly MeasuredName[] =
    metric in derivedMetrics ? derivedMetrics[metric as keyof typeof derivedMetrics].formula : []
  return {
    metric: name,
    unit: unit.toUpperCase() as Uppercase<typeof unit>,
    value,
    ...bothOf(compared, period => period[metric]),
    unknownBecause: value === null ? (unknownBecause ?? null) : null,
    note: null,
    sparkline: days.map(day => day[metric]),
    terms:
      value === null ? [] : formula.map(term => ({ name: term === 'cost' ? 'spend' : term, value: figures[term] })),
  }
}

const salesMissing = 'Not known: the total sales of some of these days have not arrived yet.'
const noTotalSales = 'Not known: there were no sales in these days.'

/** Total sales of the days; null when those of one day are missing, because a part would look like the whole. */
function totalSalesOf(days: readonly HomeDay[]): Micros | null {
  let total = 0
  for (const { totalSalesMicros } of days) {
    if (totalSalesMicros === null) return null
    total += totalSalesMicros
  }
  return total
}

function tacosOf(days: readonly HomeDay[]): number | null {
  const totalMicros = totalSalesOf(days)
  return totalMicros ? (addSums(days).costMicros / totalMicros) * 100 : null
}

function tacosCard({ imported, days }: Period, compared: Compared | null): CardFigures {
  const [value, totalMicros] = [tacosOf(imported), totalSalesOf(imported)]
  return {
    metric: 'tacos',
    unit: 'PERCENT',
    value,
    ...bothOf(compared, period => tacosOf(period.imported)),
    unknownBecause: value !== null ? null : !imported.length || totalMicros === null ? salesMissing : noTotalSales,
    note: null,
    sparkline: days.map(day => tacosOf([day])),
    terms:
      value === null
        ? []
        : toTerms([
            { name: 'spend', valueMicros: addSums(imported).costMicros },
            { name: 'totalSales', valueMicros: totalMicros ?? 0 },
          ]),
  }
}

const toTerms = (terms: Profit['terms']): DashboardCard['terms'] =>
  terms.map(({ name, valueMicros }) => ({ name, value: fromMicros(valueMicros) }))

function profitCard({ profit }: Period, compared: Compared | null): CardFigures {
  const amountOf = (micros: Micros | null): Amount | null => (micros === null ? null : fromMicros(micros))
  return {
    metric: 'profit',
    unit: 'MONEY',
    value: amountOf(profit.valueMicros),
    ...bothOf(compared, period => amountOf(period.profit.valueMicros)),
    unknownBecause: profit.unknownBecause,
    note: profit.note,
    sparkline: [],
    terms: toTerms(profit.terms),
  }
}

/** What was sold at known costs, and of how many products a cost is missing. */
interface Sold extends Omit<ProfitTerms, 'costMicros'> {
  withCosts: number
  missingCogs: number
  missingFees: number
}

/**
 * Profit after ads of what was sold at known costs. Names the products that are left out, rather than count their costs
 * as 0; null means that the sales by product of a day are missing.
 */
export function profitOf(sold: Sold | null, costMicros: Micros): Profit {
  const unknown = (unknownBecause: string): Profit => ({ valueMicros: null, unknownBecause, note: null, terms: [] })
  if (sold === null) return unknown(salesMissing)
  const { salesMicros, feesMicros, goodsMicros, withCosts, missingCogs, missingFees } = sold
  const notes = [
    missingCogs > 0 && `COGS missing on ${missingCogs} ${missingCogs === 1 ? 'product' : 'products'}`,
    missingFees > 0 && `fees not known of ${missingFees} ${missingFees === 1 ? 'product' : 'products'}`,
  ].filter(note => note !== false)
  if (withCosts === 0 && notes.length > 0) return unknown(`Not known: ${notes.join(', ')}.`)
  return {
    valueMicros: profitAfterAds({ salesMicros, feesMicros, goodsMicros, costMicros }),
    unknownBecause: null,
    note: notes.length ? `${notes.join(', ')}: left out.` : null,
    terms: [
      { name: 'productSales', valueMicros: salesMicros },
      { name: 'fees', valueMicros: feesMicros },
      { name: 'goods', valueMicros: goodsMicros },
      { name: 'spend', valueMicros: costMicros },
    ],
  }
}

const meanings: Record<CardName, string> = {
  spend: 'What your ads cost in these days: the price of every click that the marketplace charged.',
  sales: 'What shoppers bought after they clicked one of your ads, as the marketplace attributes it.',
  acos: 'Advertising cost of sales: how much of every unit of ad sales you spent on ads. Lower is better.',
  roas: 'Return on ad spend: how much ad sales each unit of ad spend brought. Higher is better.',
  tacos: 'Total advertising cost of sales: ad spend against all your sales, with or without an ad.',
  orders: 'Orders that the marketplace attributes to a click on your ads.',
  clicks: 'How often shoppers clicked your ads. Every click is paid for.',
  impressions: 'How often your ads were shown. An impression costs nothing until it is clicked.',
  profit: 'What is left of your sales after the marketplace’s fees, your cost of goods and your ads.',
}

/** How a card is named and explained; `sign` stands between the parts of its formula. */
export function textOfCard(name: CardName) {
  const text = {
    tacos: { label: 'TACOS', better: 'down' },
    profit: { label: 'Profit after ads', better: 'up' },
  } as const
  const { label, better } = name === 'tacos' || name === 'profit' ? text[name] : metrics[metricOfCard[name]]
  return { label, better, meaning: meanings[name], sign: name === 'profit' ? '−' : '÷' }
}

export const unitOf = ({ unit }: DashboardCard) => unit.toLowerCase() as Lowercase<typeof unit>
