import { type RawBuilder, sql } from 'kysely'
import { figuresBy, metricSortKey, type RangeOptions } from '#features/metrics/server/public.ts'
import type { EditableEntity } from '#features/structure/contract.ts'
import { matching, type Owner, selectShown, sortKey, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { derivedMetrics, type MetricName, metrics } from '#shared/metrics.ts'
import { servingKinds, statusesOf } from '#shared/serving-status.ts'
import type { FigureCondition } from '../../figure-filter.ts'
import type { RowColumn, servingFilters } from '../../list-queries.ts'

/**
 * A condition on rows `t`; one that looks into other tables is made for the owner. How the rows are met may decide how it is
 * written: all that match are found, or rows are read in an order until enough of them match.
 */
export type ListingFilter = RawBuilder<unknown> | ((owner: Owner, met: 'FOUND' | 'IN_ORDER') => RawBuilder<unknown>)

/** The conditions of a listing for an owner's rows. */
export const filtersFor = (owner: Owner, filters: readonly ListingFilter[], met: 'FOUND' | 'IN_ORDER' = 'FOUND') =>
  filters.map(filter => (typeof filter === 'function' ? filter(owner, met) : filter))

/** The condition that rows `t` are the owner's and pass a listing's filters. */
export const whereOf = (owner: Owner, { filters }: Pick<Listing, 'filters'>, met?: 'IN_ORDER') =>
  matching(owner, filtersFor(owner, filters, met))

/** One kind of rows, aliased `t`, and which of them. */
export interface Listing<E extends EditableEntity = EditableEntity> {
  entity: E
  /** Which rows, on `t`, of the owner's. */
  filters: readonly ListingFilter[]
  /** Which of them by their figures over the days. */
  conditions: readonly FigureCondition[]
  /** True when the filters leave few rows, so that only their figures are summed. */
  few: boolean
  /** Which sums the rows have; those of the entity when absent. */
  sums?: 'keyword' | 'otherTarget'
  /** True when all rows with these sums match, so that they need not be looked up. */
  isWhole?: boolean
  /** True when a filter looks into texts, which takes so long that it is asked once. */
  isSearch?: boolean
  /** How many rows match, where there is a shorter way than to read them; conditions apart. */
  counted?: ((owner: Owner) => RawBuilder<unknown>) | undefined
}

/** The sums of rows over the days, by `key`. */
export function sumsOf(
  owner: Owner,
  listing: Listing,
  from: string,
  to: string,
  options: Omit<RangeOptions, 'keys'> = {},
): RawBuilder<unknown> {
  const { entity, filters, few, sums } = listing
  const summed = (keys?: RawBuilder<unknown>) => figuresBy(sums ?? entity, owner, from, to, { ...options, keys })
  if (!few) return summed()
  // Found once, not for each of the days that are added up.
  return sql`(with few as materialized (select t.id from ${tableOf(entity)} t where ${whereOf(owner, { filters })})
    select * from ${summed(sql`array(select id from few)`)} x)`
}

/** Rows `t` that match, left-joined with their figures `f` over the days. */
function withFigures(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  const filters = [...listing.filters, ...listing.conditions.map(meets)]
  return sql`${tableOf(listing.entity)} t left join ${sumsOf(owner, listing, from, to)} f on f.key = t.id where ${whereOf(owner, { filters })}`
}

// The sort key is in micros and fractions. Unknown ratios meet no condition; spend without sales is above every ACOS.
const unitFactor = { money: 1e6, count: 1, percent: 0.01, ratio: 1 } as const
const operators = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` } as const
function meets({ metric, is, value }: FigureCondition): RawBuilder<unknown> {
  return sql`(${metricSortKey(metric)}) ${operators[is]} ${value * unitFactor[metrics[metric].unit]}::float8`
}

/** Whether rows without any figures meet a condition: their measured figures are 0, their ratios unknown. */
function isMetBySilence({ metric, is, value }: FigureCondition): boolean {
  if (metric in derivedMetrics) return false
  return is === '<=' || (is === '>=' && value === 0) || (is === '<' && value > 0)
}

/** The conditions of a listing, as SQL on figures `f`. */
export function conditionsOf({ conditions }: Listing) {
  const isMet = conditions.length ? sql`coalesce(${sql.join(conditions.map(meets), sql` and `)}, false)` : sql`true`
  const hasSilent = conditions.every(isMetBySilence)
  return { isMet, hasSilent, isNarrowed: conditions.length > 0 }
}

/** A subquery of the ids of the rows that match. */
export function matchingIds(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  return listing.conditions.length
    ? sql`select t.id from ${withFigures(owner, listing, from, to)}`
    : sql`select t.id from ${tableOf(listing.entity)} t where ${whereOf(owner, listing)}`
}

/**
 * A subquery of the account's rows that were ever shown, by `key`, and whether each of them matches, `is_in`: for sums, to
 * which the others add nothing.
 */
export function shownRows(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  const { entity, conditions } = listing
  const isMet = sql`t.id in (select f.key from ${sumsOf(owner, listing, from, to, { isAlone: true })} f where ${sql.join(conditions.map(meets), sql` and `)})`
  const filters = [...filtersFor(owner, listing.filters, 'IN_ORDER'), ...(conditions.length ? [isMet] : [])]
  return selectShown(entity, owner, sql`t.id as key, (${sql.join(filters, sql` and `)}) is true as is_in`, [])
}

/** The filters that apply: absent ones are left out. */
export const filtersOf = <F extends ListingFilter>(...filters: (F | false | undefined)[]): F[] =>
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

/** Text search in a column of `t` that has it in small letters; an empty text takes no part. */
export const contains = (column: 'name_lower' | 'text_lower', text: string | undefined): RawBuilder<unknown> | false =>
  Boolean(text) && sql`strpos(${sql.ref(`t.${column}`)}, lower(${text})) > 0`

/** Whether not all rows with the listing's sums match. */
export const isPart = ({ few, isWhole }: Listing): boolean => !few && isWhole !== true

/**
 * Of more than `read` targets the first without figures are met in the order of their ids, of fewer all are found. Above
 * `sorted` rows that a search found, the first are met in the order of an index. Of more than `whole` rows only the figure that
 * orders them is summed for all. Tests make them smaller.
 */
export const pageLimits = { read: 100_000, sorted: 2000, whole: 2000 }

/** The number of rows in a relation `found`. */
export const countOfFound = sql`(select count(*) from found)::float8`

/**
 * Which rows match: a relation `w` of one row, in `n` how many there are, and unless all do, a relation `shown` of the ids of
 * those that were ever shown, which alone have figures. All that match are in a relation `found`, which costs nothing where it
 * is not read.
 */
export function matchedRows(owner: Owner, listing: Listing, n: RawBuilder<unknown> | null): RawBuilder<unknown> {
  const { entity, filters } = listing
  const w = sql`w as materialized (select ${n ?? sql`null::float8`} as n)`
  if (!isPart(listing)) return w
  const shown = selectShown(entity, owner, sql`t.id`, filtersFor(owner, filters, 'IN_ORDER'))
  return sql`found as materialized (select t.id from ${tableOf(entity)} t where ${whereOf(owner, listing)}),
    shown as materialized (${shown}), ${w}`
}
/**
 * The same for conditions that no row without figures meets: a relation `met` of the `sums` that meet them, of which few may
 * be left, which are looked up. Nothing is counted.
 */
export function metRows(owner: Owner, listing: Listing, sums: RawBuilder<unknown>): RawBuilder<unknown> {
  const filters = filtersFor(owner, listing.filters, 'IN_ORDER')
  const n = sql`(select count(*) from met)`
  const lookedUp = [...filters, sql`t.id = any(array(select key from met))`, sql`${n} <= ${pageLimits.sorted}`]
  return sql`met as materialized (select * from ${sums}),
    shown as materialized (select t.id from ${tableOf(listing.entity)} t where ${matching(owner, lookedUp)}
      union all ${selectShown(listing.entity, owner, sql`t.id`, [...filters, sql`${n} > ${pageLimits.sorted}`])}),
    w as materialized (select null::float8 as n)`
}

// Looked up in a hash table: as a join the planner, which expects few, would compare all with all.
export const isMatching = (key: RawBuilder<unknown>) => sql`(${key} in (select id from shown)) is true`

/** The ids of all rows that match, in the order of the pages. */
export async function readOrderedIds(
  tx: Db,
  owner: Owner,
  listing: Listing,
  { from, to, sortBy, sortDir }: { from: string; to: string; sortBy: RowColumn; sortDir: 'asc' | 'desc' },
): Promise<number[]> {
  const order = sortBy in metrics ? metricSortKey(sortBy as MetricName) : sortKey(listing.entity, sortBy, owner)
  const { rows } = await sql<{ id: number }>`select t.id from ${withFigures(owner, listing, from, to)}
    order by ${order} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, t.id`.execute(tx)
  return rows.map(({ id }) => id)
}
