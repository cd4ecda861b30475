import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { figureEntries } from '#shared/figure-schemas.ts'
import { metricNames } from '#shared/metrics.ts'
import { day, dayRange, dayRangeMessage, isDayRange, moment, queryId } from '#shared/query-schemas.ts'
import { isTimeZone } from '#shared/region-format.ts'

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export const clocks = ['MARKETPLACE', 'USER'] as const
export type ClockChoice = (typeof clocks)[number]

const timezone = v.pipe(
  v.string(),
  v.maxLength(60, 'Must be a time zone, as Europe/Berlin'),
  // An offset such as +02:00 is no zone: it has no summer time.
  v.regex(/^[A-Z]/i, 'Must be a time zone, as Europe/Berlin'),
  v.check(isTimeZone, 'Must be a time zone, as Europe/Berlin'),
)

const hourlyQuery = {
  /** Days of the marketplace. */
  ...dayRange,
  metric: v.optional(v.picklist(metricNames, 'Must be a metric'), 'acos'),
  campaignId: v.optional(queryId),
  clock: v.optional(v.picklist(clocks, 'Must be MARKETPLACE or USER'), 'MARKETPLACE'),
  /** Of the user's clock. */
  timezone: v.optional(timezone),
}
const needsZone = 'The user’s clock needs its time zone'
const hasZone = (query: { clock?: ClockChoice | undefined; timezone?: string | undefined }): boolean =>
  query.clock !== 'USER' || query.timezone !== undefined

const cell = v.object({
  /** 1 for Monday. */
  weekday: v.number(),
  /** 0 to 23, on the shown clock. */
  hour: v.number(),
  /** The metric, worked out from the sums below; null where it is unknown. */
  value: v.nullable(v.number()),
  /** For what adds up: the mean of the times that the hour happened, so that five Mondays compare with four Tuesdays. Else null. */
  perHour: v.nullable(v.number()),
  ...figureEntries,
  /** On how many of the days it happened, and how often: on the day with 25 hours one of them happens twice. */
  days: v.number(),
  times: v.number(),
  /** Too few clicks to trust the value. */
  isThin: v.boolean(),
})
export type HourCell = v.InferOutput<typeof cell>

const finding = v.object({
  kind: v.picklist(['SELLS', 'WASTES']),
  /** 1 for Monday. */
  weekdays: v.array(v.number()),
  /** The first hour, and the one after the last: 22 to 2 goes past midnight. */
  from: v.number(),
  to: v.number(),
  clicks: v.number(),
  orders: v.number(),
  /** The orders that this spend brings in the other hours. */
  expectedOrders: v.number(),
  /** Percent of the spend and the sales of all hours. */
  costShare: v.number(),
  salesShare: v.number(),
  /** Null without sales. */
  acos: v.nullable(v.number()),
  /** That of all other hours. */
  usualAcos: v.number(),
})
export type HourFinding = v.InferOutput<typeof finding>

export const hourlyEndpoints = {
  heatmap: defineEndpoint({
    method: 'GET',
    path: '/hourly-heatmap',
    access: 'subscription',
    summary: 'The hours of the week, Monday first: a metric of each with the sums and counts behind it',
    query: v.pipe(
      v.strictObject(hourlyQuery),
      v.check(q => isDayRange(q), dayRangeMessage),
      v.forward(
        v.check(q => hasZone(q), needsZone),
        ['timezone'],
      ),
    ),
    response: v.object({
      currency: v.string(),
      metric: v.picklist(metricNames),
      dateFrom: day,
      dateTo: day,
      clock: v.picklist(clocks),
      /** Of the shown clock. */
      timezone: v.string(),
      /** Since when the marketplace sends hours (null: not yet), and up to when they are complete. There are none of before. */
      since: v.nullable(moment),
      asOf: v.nullable(moment),
      /** Hours after this moment do not count: for metrics with orders that is three days before `asOf`. */
      countedUntil: v.nullable(moment),
      /** Whole days of hours that were received so far, of those that a full picture needs. */
      collected: v.object({ days: v.number(), needed: v.number() }),
      /** Fewer clicks than these make an hour thin. */
      minClicks: v.number(),
      /** 168: Monday 0 h, Monday 1 h, … */
      cells: v.array(cell),
      totals: v.object(figureEntries),
      /** What the counts are enough to say; by the hours that count for orders, whatever the metric. */
      findings: v.array(finding),
    }),
    errors: ['RULE_VIOLATED', 'NOT_FOUND'],
  }),
  exported: defineEndpoint({
    ...exportEndpoint,
    path: '/hourly-heatmap/export',
    summary: 'The hours of the week with their figures, as CSV or XLSX',
    query: v.pipe(
      v.strictObject({ ...hourlyQuery, ...exportQuery(metricNames) }),
      v.check(q => isDayRange(q), dayRangeMessage),
      v.forward(
        v.check(q => hasZone(q), needsZone),
        ['timezone'],
      ),
    ),
    errors: ['RULE_VIOLATED', 'NOT_FOUND'],
  }),
}
