import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { type MeasuredName, measuredNames, type MetricName } from '#shared/metrics.ts'
import { day, id, moment } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { homePaths } from './paths.ts'
import { explainedNames, factorNames } from './why.ts'

type Days = { dateFrom: string; dateTo: string }
const days = { dateFrom: day, dateTo: day }
const inOrder = <T extends Days>() =>
  v.check((r: T) => r.dateFrom <= r.dateTo, 'The first day must not come after the last')
const fewDays = <T extends Days>() =>
  v.check((r: T) => Date.parse(r.dateTo) - Date.parse(r.dateFrom) < 400 * 86_400_000, 'At most 400 days')

/** Days in the profile's time zone, both included, at most 400 of them. */
const range = v.pipe(v.strictObject(days), inOrder(), fewDays())

const granularity = v.optional(v.picklist(['DAY', 'WEEK', 'MONTH']), 'DAY')
const nullableNumber = v.nullable(v.number())
const band = v.object({ low: v.number(), high: v.number() })

/** The metric that each card of advertising shows. TACOS and profit need the seller's total sales as well. */
export const metricOfCard = {
  spend: 'cost',
  sales: 'sales',
  acos: 'acos',
  roas: 'roas',
  orders: 'orders',
  clicks: 'clicks',
  impressions: 'impressions',
} as const satisfies Record<string, MetricName>
type AdCard = keyof typeof metricOfCard

const cardName = v.picklist([...(Object.keys(metricOfCard) as AdCard[]), 'tacos', 'profit'])
export type CardName = v.InferOutput<typeof cardName>

type MeasuredTerm = Exclude<MeasuredName, 'cost'> | 'spend'
/** `productSales` are the sales of the products whose costs are complete. */
const termName = v.picklist([
  ...measuredNames.map((name): MeasuredTerm => (name === 'cost' ? 'spend' : name)),
  'totalSales',
  'productSales',
  'fees',
  'goods',
])
export type TermName = v.InferOutput<typeof termName>

/** One card: the value of the range, and a value a day. */
const card = v.object({
  metric: cardName,
  unit: v.picklist(['MONEY', 'PERCENT', 'COUNT', 'RATIO']),
  value: nullableNumber,
  /**
   * Where the value will end in nine of ten cases, as orders still arrive; a day that is not over counts as it is shown.
   * Null once all days have settled, before there is history to learn from, and for what is not learnt: clicks,
   * impressions, and figures with the seller's total sales.
   */
  band: v.optional(v.nullable(band), null),
  /** The value of the days that are over, and of as many days before the range: what the change compares. */
  compared: nullableNumber,
  previous: nullableNumber,
  /** Tells the user why `value` is unknown; null when it is known. */
  unknownBecause: v.nullable(v.string()),
  /** What the user should know about the value, for instance that costs are missing; else null. */
  note: v.nullable(v.string()),
  sparkline: v.array(nullableNumber),
  /** The parts of the value's formula, in order; empty for plain sums and unknown values. */
  terms: v.optional(v.array(v.object({ name: termName, value: v.number() })), []),
})
export type DashboardCard = v.InferOutput<typeof card>

const doubt = v.nullable(v.picklist(['FEW_CLICKS', 'FEW_ORDERS', 'CHANCE']))
/** A change taken apart; effects are amounts of money, or points of ACOS, and add up to it. See `why.ts`. */
const explained = v.object({
  metric: v.picklist(explainedNames),
  before: v.number(),
  after: v.number(),
  change: v.number(),
  factors: v.array(
    v.object({
      name: v.picklist(factorNames),
      before: v.number(),
      after: v.number(),
      effect: v.number(),
      doubt,
      parts: v.array(
        v.object({
          campaignId: v.nullable(id),
          name: v.nullable(v.string()),
          before: nullableNumber,
          after: nullableNumber,
          effect: v.number(),
          within: v.number(),
          mix: v.number(),
          doubt,
        }),
      ),
    }),
  ),
})

const pace = {
  budget: money,
  spent: money,
  /** The budget's share for the hours so far; null where hours are not received. */
  expected: v.nullable(money),
  /** What the day costs at this pace; null before anything can be said. */
  projected: v.nullable(money),
  /** Whether the pace is by its own hours of the last 28 days, or by the clock because there are too few of them. */
  curve: v.picklist(['OWN', 'CLOCK']),
}

export const homeEndpoints = {
  cards: defineEndpoint({
    method: 'GET',
    path: homePaths.cards,
    access: 'subscription',
    summary: 'The cards of Home for the current marketplace, each with its change against the period before',
    query: range,
    response: v.object({
      currency: v.string(),
      dateFrom: day,
      dateTo: day,
      /** The last day that was over when it was imported, up to which the change compares; null where there is none. */
      comparedTo: v.nullable(day),
      previousFrom: v.nullable(day),
      previousTo: v.nullable(day),
      freshness,
      cards: v.array(card),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  breakdown: defineEndpoint({
    method: 'GET',
    path: homePaths.breakdown,
    access: 'subscription',
    summary: 'A row for each marketplace of each of the user’s merchants, in its own currency and in the user’s',
    query: range,
    response: v.object({
      /** The currency of the current marketplace, to which the others are converted. */
      userCurrency: v.string(),
      /** Day of the exchange rates used. */
      ratesOf: day,
      /** All rows together in the user's currency; null where one has no rate, or there is but one. */
      total: v.nullable(v.object({ cost: money, sales: money, acos: nullableNumber, roas: nullableNumber })),
      /** Merchants that are left out because no subscription covers them. */
      withoutAccess: v.number(),
      rows: v.array(
        v.object({
          merchantId: id,
          merchantName: v.string(),
          marketplaceId: v.number(),
          countryCode: v.string(),
          name: v.string(),
          currency: v.string(),
          ...figureEntries,
          /**
           * Money in the user's currency, in whole units of it, and the rate: units of the row's currency for one unit of
           * the user's. Null when there is no rate.
           */
          converted: v.nullable(v.object({ cost: money, sales: money, rate: v.number() })),
          freshness,
        }),
      ),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  performance: defineEndpoint({
    method: 'GET',
    path: homePaths.performance,
    access: 'subscription',
    summary: 'The chart of the advertising performance: every day, week or month of the range',
    query: v.pipe(v.strictObject({ ...days, granularity }), inOrder(), fewDays()),
    response: v.object({
      currency: v.string(),
      freshness,
      points: v.array(
        v.object({
          date: day,
          ...figureEntries,
          /** Where the day will end in nine of ten cases; null once it has settled, and for weeks and months. */
          band: v.nullable(v.object({ cost: band, sales: band, orders: band, acos: v.nullable(band) })),
        }),
      ),
      /** What happened to products on these days, the first 500; none for weeks and months. */
      events: v.array(
        v.object({
          date: day,
          kind: v.picklist(['OUT_OF_STOCK', 'BACK_IN_STOCK', 'PRICE_CHANGED']),
          asin: v.string(),
          title: v.nullable(v.string()),
          /** Pieces of stock, or prices in decimals of the currency. */
          before: nullableNumber,
          after: nullableNumber,
        }),
      ),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  budgets: defineEndpoint({
    method: 'GET',
    path: homePaths.budgets,
    access: 'subscription',
    summary:
      'Today’s budgets: spent, expected by now, when each will be used up at this pace, and what the month will cost',
    response: v.object({
      currency: v.string(),
      timezone: v.string(),
      /** Up to when the spend of today is complete. */
      asOf: v.nullable(moment),
      movingFrom: v.nullable(day),
      /** Null while nothing of today was received. */
      today: v.nullable(
        v.object({
          /** HOURS: as the marketplace sends them. DAYS: as of the last import, which is older. */
          source: v.picklist(['HOURS', 'DAYS']),
          /** Those on their way to most of their budget, the most money beyond it first. */
          campaigns: v.array(
            v.object({
              campaignId: id,
              name: v.string(),
              ...pace,
              /** When the budget will be used up; null when it lasts, or is used up already. */
              endsAt: v.nullable(moment),
              outSince: v.nullable(moment),
              /** Time without budget so far, in minutes; null when that is not known. */
              lostMinutes: v.nullable(v.number()),
              lostMinutesAhead: v.number(),
            }),
          ),
          /** How many running campaigns have a daily budget, and all of them together. */
          count: v.number(),
          total: v.object(pace),
        }),
      ),
      month: v.object({
        from: day,
        to: day,
        /** Of the days before today. */
        spent: money,
        /** The mean of the last seven settled days; null while there are none. */
        average: v.nullable(money),
        /** Today among them. */
        daysLeft: v.number(),
        projected: v.nullable(money),
      }),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  why: defineEndpoint({
    method: 'GET',
    path: homePaths.why,
    access: 'subscription',
    summary:
      'Why ACOS, spend and sales changed against the days before: taken apart into price of a click, conversion and value of an order, and into the campaigns that moved them',
    query: range,
    response: v.object({
      currency: v.string(),
      /** The days that are compared: those that are over, and as many before. Null where no day is over. */
      compared: v.nullable(v.object({ from: day, to: day, previousFrom: day, previousTo: day })),
      freshness,
      /** Null where a factor was zero in one of the periods, so that there is nothing to compare. */
      acos: v.nullable(explained),
      cost: v.nullable(explained),
      sales: v.nullable(explained),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  cardsFile: defineEndpoint({
    ...exportEndpoint,
    path: homePaths.cardsFile,
    summary: 'The cards of Home, as CSV or XLSX',
    query: v.pipe(v.strictObject({ ...days, ...exportQuery([]) }), inOrder(), fewDays()),
    errors: ['RULE_VIOLATED'],
  }),
  breakdownFile: defineEndpoint({
    ...exportEndpoint,
    path: homePaths.breakdownFile,
    summary: 'The marketplaces of all merchants, as CSV or XLSX',
    query: v.pipe(v.strictObject({ ...days, ...exportQuery([]) }), inOrder(), fewDays()),
    errors: ['RULE_VIOLATED'],
  }),
  performanceFile: defineEndpoint({
    ...exportEndpoint,
    path: homePaths.performanceFile,
    summary: 'The chart of the advertising performance, as CSV or XLSX',
    query: v.pipe(v.strictObject({ ...days, granularity, ...exportQuery([]) }), inOrder(), fewDays()),
    errors: ['RULE_VIOLATED'],
  }),
}
