import { type RawBuilder, sql } from 'kysely'
import {
  type AttributedSums,
  attributedFields,
  derivedMetrics,
  type FigureSums,
  fieldOf,
  type MeasuredName,
  measuredNames,
  type MetricName,
  type TrafficSums,
  trafficFields,
} from '#shared/metrics.ts'

const toColumn = (field: string): string => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const columnsOf = <F extends string>(fields: readonly F[]) => fields.map(field => ({ field, column: toColumn(field) }))

/** The column of every measured metric in the fact tables, and its name in sums: `cost_micros`, `costMicros`. */
export const metricColumns = columnsOf<keyof FigureSums>(measuredNames.map(fieldOf))
export const attributedColumns = columnsOf<keyof AttributedSums>(attributedFields)
export const trafficColumns = columnsOf<keyof TrafficSums>(trafficFields)

const joined = (each: (column: string, field: string) => string) =>
  sql.raw(metricColumns.map(({ column, field }) => each(column, field)).join(', '))

/** `impressions, clicks, cost_micros, …` */
export const columnNames = joined(column => column)
/** `sum(impressions), …` in the order of `columnNames`, for roll-ups. */
export const columnSums = joined(column => `sum(${column})`)
/** The sums of rows as `FigureSums`; zeros where there is no row. */
export const figureSums = joined((column, field) => `coalesce(sum(${column}), 0)::float8 as "${field}"`)
/** The sums of rows under the columns' own names. Whole numbers are added up as such: floats took half as long again. */
export const columnTotals = joined(column => `sum(${column})::float8 as ${column}`)
/** The columns of one row `alias` as `FigureSums`; zeros where an outer join found none. */
export const figuresOf = (alias: string) =>
  joined((column, field) => `coalesce(${alias}.${column}, 0)::float8 as "${field}"`)

const column = (name: MeasuredName) => sql.ref(`f.${toColumn(fieldOf(name))}`)

/** The columns that a metric is worked out from. */
export const columnsOfMetric = (name: MetricName): string[] => {
  const derived = derivedMetrics[name as keyof typeof derivedMetrics] as
    | { formula: readonly MeasuredName[] }
    | undefined
  return (derived?.formula ?? [name as MeasuredName]).map(one => toColumn(fieldOf(one)))
}

/** What rows with figures `f` are ordered by; `f` is null where nothing happened. Null for a ratio that is unknown. */
export function metricSortKey(name: MetricName): RawBuilder<unknown> {
  if (!(name in derivedMetrics)) return sql`coalesce(${column(name as MeasuredName)}, 0)`
  // Money in micros and fractions instead of percentages have the same order.
  const metric = derivedMetrics[name as keyof typeof derivedMetrics]
  const [dividend, divisor] = [column(metric.formula[0]), column(metric.formula[1])]
  return 'isInfiniteOverZero' in metric
    ? sql`case when ${divisor} > 0 then ${dividend} / ${divisor} when ${dividend} > 0 then 'Infinity'::float8 end`
    : sql`${dividend} / nullif(${divisor}, 0)`
}
