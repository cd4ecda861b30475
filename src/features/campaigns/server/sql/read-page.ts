import { type RawBuilder, sql } from 'kysely'
import {
  type FigureState,
  figureStateOf,
  metricColumns,
  metricSortKey,
  figuresBy,
} from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { derivedMetrics, type FigureSums, type MetricName, metrics } from '#shared/metrics.ts'
import { servingKinds, statusesOf } from '#shared/serving-status.ts'
import type { FigureCondition } from '../../figure-filter.ts'
import type { RowColumn, servingFilters } from '../../list-queries.ts'
import type { EditableEntity, Rows } from '#features/structure/contract.ts'
import { type Owner, selectList, sortKey, tableOf, matching } from '#features/structure/server/public.ts'

/** One kind of rows, aliased `t`, and which of them. */
export interface Listing<E extends EditableEntity = EditableEntity> {
  entity: E
  /** Which rows, on `t`, of the owner's. */
  filters: readonly RawBuilder<unknown>[]
  /** Which of them by their figures over the days. */
  conditions: readonly FigureCondition[]
  /** True when the filters leave few rows, so that only their figures are summed. */
  few: boolean
}

export interface PageOptions {
  from: string
  to: string
  page: number
  size: number
  sortBy: RowColumn
  sortDir: 'asc' | 'desc'
}

/** The sums of rows over the days, by `key`. */
function sumsOf(owner: Owner, { entity, filters, few }: Listing, from: string, to: string): RawBuilder<unknown> {
  const sums = figuresBy(entity, owner, from, to)
  // As a plain array the keys reach the facts' index; as a join they would be met only after everything was summed.
  return few
    ? sql`(select * from ${sums} x where x.key = any(array(select t.id from ${tableOf(entity)} t where ${matching(owner, filters)})))`
    : sums
}

/** Rows `t` that match, left-joined with their figures `f` over the days. */
function withFigures(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  const all = [...listing.filters, ...listing.conditions.map(meets)]
  return sql`${tableOf(listing.entity)} t left join ${sumsOf(owner, listing, from, to)} f on f.key = t.id where ${matching(owner, all)}`
}

// The sort key is in micros and fractions. Unknown ratios meet no condition; spend without sales is above every ACOS.
const unitFactor = { money: 1e6, count: 1, percent: 0.01, ratio: 1 } as const
const operators = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` } as const
function meets({ metric, is, value }: FigureCondition): RawBuilder<unknown> {
  return sql`(${metricSortKey(metric)}) ${operators[is]} ${value * unitFactor[metrics[metric].unit]}::float8`
}

/** Whether rows without any figures meet the conditions: their measured figures are 0, their ratios unknown. */
function isMetBySilence({ metric, is, value }: FigureCondition): boolean {
  if (metric in derivedMetrics) return false
  return is === '<=' || (is === '>=' && value === 0) || (is === '<' && value > 0)
}

/** A subquery of the ids of the rows that match. */
export function matchingIds(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  return listing.conditions.length
    ? sql`select t.id from ${withFigures(owner, listing, from, to)}`
    : sql`select t.id from ${tableOf(listing.entity)} t where ${matching(owner, listing.filters)}`
}

/** The filters that apply: absent ones are left out. */
export const filtersOf = (...filters: (RawBuilder<unknown> | false | undefined)[]): RawBuilder<unknown>[] =>
  filters.filter(filter => filter !== false && filter !== undefined)

/** State filter on `t`; ALL takes no part. */
export const stateIs = (state: string): RawBuilder<unknown> | false => state !== 'ALL' && sql`t.state = ${state}`

/** Filter on `t` by why it is shown or not. */
export function servingIs(serving: (typeof servingFilters)[number] | undefined): RawBuilder<unknown> | false {
  if (serving === undefined) return false
  const isOneOf = (...kinds: (typeof listedKinds)[number][]) =>
    sql`t.serving_status = any(${kinds.flatMap(statusesOf)}::text[])`
  if (serving === 'STOPPED')
    return sql`(t.state = 'ENABLED' and t.serving_status is not null and not ${isOneOf('RUNS')})`
  if (serving === 'UNKNOWN') return sql`(t.serving_status is not null and not ${isOneOf(...listedKinds)})`
  return isOneOf(serving)
}
const listedKinds = servingKinds.filter(kind => kind !== 'UNKNOWN')

/** Text search on a column of `t`, whatever the letters' case; an empty text takes no part. */
export const contains = (column: 'name' | 'text', text: string | undefined): RawBuilder<unknown> | false =>
  Boolean(text) && sql`strpos(lower(${sql.ref(`t.${column}`)}), lower(${text})) > 0`

const columns = metricColumns.map(({ column }) => sql.ref(column))
const figureColumns = metricColumns.map(({ column }) => sql.ref(`f.${column}`))
// The row's figures by the names of their sums, and those of all rows with a prefix.
const rowSums = sql.join(metricColumns.map(({ column, field }) => sql`${sql.ref(`p.${column}`)} as ${sql.ref(field)}`))
const allSums = sql.join(
  metricColumns.map(({ column, field }) => sql`${sql.ref(`s.${column}`)} as ${sql.ref(`all_${field}`)}`),
)

/**
 * One page of rows with their figures, how many match and their sums over all pages, and the state of the figures, in one
 * pass over the facts. Most rows of a large account have no figures: they are equal in every order by figures, so that only
 * the first of them are met, and they add nothing to the sums.
 * Unknown values come last in both directions; equal rows are ordered by id, so that no row is on two pages.
 */
export async function readPage<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  listing: Listing<E>,
  options: PageOptions,
): Promise<{ rows: (Rows[E] & FigureSums)[]; total: number; totals: FigureSums; state: FigureState | null }> {
  const { from, to, page, size, sortBy, sortDir } = options
  const { entity, filters, conditions } = listing
  const table = tableOf(entity)
  const inOrder = sql`sort_key ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, id`
  const where = matching(owner, filters)
  const isMet = conditions.length ? sql`coalesce(${sql.join(conditions.map(meets), sql` and `)}, false)` : sql`true`
  const rowOfPage = sql.join([sql`id`, sql`sort_key`, ...columns])
  const hasSilent = conditions.every(isMetBySilence)
  const isFigure = sortBy in metrics
  const silentKey = isFigure ? sql`${sortBy in derivedMetrics ? null : 0}::float8` : sortKey(entity, sortBy)
  const silent = sql`select t.id, ${silentKey} as sort_key, ${sql.join(columns.map(column => sql`0::float8 as ${column}`))}
    from ${table} t where ${where} and t.id not in (select key from f)
    order by ${isFigure ? sql`t.id` : inOrder} limit ${(page + 1) * size}`
  const result = await sql<Record<string, unknown>>`
    with f as materialized (select * from ${sumsOf(owner, listing, from, to)} f),
    m as materialized (
      select t.id, ${orderOf(entity, sortBy)} as sort_key, ${sql.join(figureColumns)}, ${isMet} as is_met
      from f join ${table} t on t.id = f.key where ${where}
    ), p as (
      select * from (select ${rowOfPage} from m where is_met ${hasSilent ? sql`union all (${silent})` : sql``}) u
      order by ${inOrder} limit ${size} offset ${page * size}
    ), s as (
      select ${hasSilent ? sql`(select count(*) from ${table} t where ${where}) - (select count(*) from m where not is_met)` : sql`count(*)`}::float8 as total,
        ${sql.join(columns.map(column => sql`coalesce(sum(${column}), 0) as ${column}`))} from m where is_met
    )
    select ${selectList(entity)}, ${rowSums}, s.total as "all_total", ${allSums}, ${figureStateOf(owner)} as "figure_state"
    from s left join (p join ${table} t on t.merchant_id = ${owner.merchantId} and t.id = p.id) on true
    order by p.sort_key ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, p.id`.execute(tx)
  const [first] = result.rows
  const totals = Object.fromEntries(metricColumns.map(({ field }) => [field, Number(first?.[`all_${field}`] ?? 0)]))
  // An empty page still has its row of sums. The others have what the select list says.
  const rows = result.rows.filter(row => row.id !== null) as unknown as (Rows[E] & FigureSums)[]
  return {
    rows,
    total: Number(first?.all_total ?? 0),
    totals: totals as unknown as FigureSums,
    state: (first?.figure_state ?? null) as FigureState | null,
  }
}

/** The ids of all rows that match, in the order of the pages. */
export async function readOrderedIds(
  tx: Db,
  owner: Owner,
  listing: Listing,
  { from, to, sortBy, sortDir }: Omit<PageOptions, 'page' | 'size'>,
): Promise<number[]> {
  const direction = sortDir === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<{ id: number }>`select t.id from ${withFigures(owner, listing, from, to)}
    order by ${orderOf(listing.entity, sortBy)} ${direction} nulls last, t.id`.execute(tx)
  return rows.map(({ id }) => id)
}

const orderOf = (entity: EditableEntity, column: RowColumn): RawBuilder<unknown> =>
  column in metrics ? metricSortKey(column as MetricName) : sortKey(entity, column)
