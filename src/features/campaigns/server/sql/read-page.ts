import { type RawBuilder, sql } from 'kysely'
import {
  type FigureState,
  figureStateOf,
  metricColumns,
  metricSortKey,
  figuresBy,
} from '#features/metrics/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import { derivedMetrics, type FigureSums, type MetricName, metrics } from '#shared/metrics.ts'
import { servingKinds, statusesOf } from '#shared/serving-status.ts'
import type { FigureCondition } from '../../figure-filter.ts'
import type { RowColumn, servingFilters } from '../../list-queries.ts'
import { type EditableEntity, entities, type Rows } from '#features/structure/contract.ts'
import { type Owner, selectList, sortKey, tableOf, matching } from '#features/structure/server/public.ts'
import { findFew, rememberCount, type RememberedCount } from './remember-count.ts'

/** One kind of rows, aliased `t`, and which of them. */
export interface Listing<E extends EditableEntity = EditableEntity> {
  entity: E
  /** Which rows, on `t`, of the owner's. */
  filters: readonly RawBuilder<unknown>[]
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
function sumsOf(owner: Owner, { entity, filters, few, sums }: Listing, from: string, to: string): RawBuilder<unknown> {
  const keys = few ? sql`array(select t.id from ${tableOf(entity)} t where ${matching(owner, filters)})` : undefined
  return figuresBy(sums ?? entity, owner, from, to, keys)
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
const figureColumns = sql.join(metricColumns.map(({ column }) => sql.ref(`f.${column}`)))
const totalColumns = sql.join(columns.map(column => sql`coalesce(sum(${column}), 0) as ${column}`))
// The row's figures by the names of their sums, and those of all rows with a prefix.
const rowSums = sql.join(
  metricColumns.map(({ column, field }) => sql`coalesce(${sql.ref(`p.${column}`)}, 0) as ${sql.ref(field)}`),
)
const allSums = sql.join(
  metricColumns.map(({ column, field }) => sql`${sql.ref(`s.${column}`)} as ${sql.ref(`all_${field}`)}`),
)

interface Page<E extends EditableEntity> {
  rows: (Rows[E] & FigureSums)[]
  total: number
  totals: FigureSums
  state: FigureState | null
}

/**
 * One page of rows with their figures, how many match and their sums over all pages, and the state of the figures.
 * Unknown values come last in both directions; equal rows are ordered by id, so that no row is on two pages.
 */
export async function readPage<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  listing: Listing<E>,
  options: PageOptions,
): Promise<Page<E>> {
  const isByFigures = options.sortBy in metrics || listing.conditions.length > 0
  const { entity } = listing
  const matched = sql`${tableOf(entity)} t where ${matching(owner, listing.filters)}`
  const filtered = rememberCount(tx, owner.merchantId, matched)
  const ids = !isByFigures && listing.isSearch ? await findFew(tx, matched, filtered) : undefined
  const { ctes, order } = isByFigures
    ? pageByFigures(owner, listing, options, filtered)
    : pageByField(owner, listing, options, filtered, ids)
  // Its plan is the same for all campaigns of an account; of other rows and filters it depends on how many there are.
  const isPrepared = entity === 'campaign' && listing.isWhole === true
  const result = await sql<Record<string, unknown>>`${isPrepared ? prepared : sql``}with ${ctes}
    select ${selectList(entity)}, ${rowSums}, s.total as "all_total", ${allSums}, ${figureStateOf(owner)} as "figure_state",
      s.filtered as "all_filtered", ${filtered.version} as "data_version"
    from s left join (p join ${tableOf(entity)} t on t.merchant_id = ${owner.merchantId} and t.id = p.id) on true
    order by ${order}`.execute(tx)
  const [first] = result.rows
  if (typeof first?.all_filtered === 'number')
    filtered.remember({ count: first.all_filtered, version: first.data_version as number })
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

const directionOf = ({ sortDir }: Pick<PageOptions, 'sortDir'>) => (sortDir === 'asc' ? sql`asc` : sql`desc`)
// Within equal rows the ids go the same way as the field, so that one index serves both ways.
const byField = (key: RawBuilder<unknown>, id: RawBuilder<unknown>, direction: RawBuilder<unknown>) =>
  sql`${key} ${direction} nulls last, ${id} ${direction}`

/** The page by a field of the rows: it is chosen first, and only its rows' figures are summed. */
function pageByField(
  owner: Owner,
  whole: Listing,
  options: PageOptions,
  filtered: RememberedCount,
  ids: readonly number[] | undefined,
) {
  const listing = ids ? { ...whole, few: true, filters: [sql`t.id = any(${ids}::bigint[])`] } : whole
  const { entity, filters } = listing
  const { from, to, page, size } = options
  const where = matching(owner, filters)
  const figures = figuresBy(listing.sums ?? entity, owner, from, to, sql`array(select id from chosen)`)
  const order = byField(sql`p.sort_key`, sql`p.id`, directionOf(options))
  const ctes = sql`chosen as materialized (
      select * from ${firstByField(listing, options, where)} c
      order by ${byField(sql`sort_key`, sql`id`, directionOf(options))} limit ${size} offset ${page * size}
    ), p as materialized (
      select c.*, ${figureColumns} from chosen c
      left join ${figures} f on f.key = c.id
    ), s as materialized (
      select a.filtered as total, a.filtered, f.* from (select ${filtered.count} as filtered) a
        cross join (select ${totalColumns} from ${matchedSums(owner, listing, options)} m) f
    )`
  return { ctes, order }
}

/** The first rows `t` by a field, as far as the page goes. Rows without a value are looked for apart: indexes have them first. */
function firstByField(
  { entity }: Listing,
  { page, size, sortBy, ...options }: PageOptions,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [key, direction] = [sortKey(entity, sortBy), directionOf(options)]
  const first = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql`(select t.id, ${key} as sort_key from ${tableOf(entity)} t where ${where} and ${condition}
      order by ${order} limit ${(page + 1) * size})`
  // Only targets are so many that they have an index for each order.
  if (entity !== 'target') return first(sql`true`, byField(key, sql`t.id`, direction))
  const inOrder = sql`${key} ${direction}, t.id ${direction}`
  const fields: Readonly<Record<string, { schema: { type: string } }>> = entities[entity].fields
  if (fields[sortBy]?.schema.type !== 'nullable') return first(sql`true`, inOrder)
  return sql`(${first(sql`${key} is not null`, inOrder)} union all ${first(sql`${key} is null`, inOrder)})`
}

/**
 * A subquery of the figures of the rows that match and meet a condition on them, with `id` and what is selected besides from
 * them and the rows `t`.
 */
function matchedSums(
  owner: Owner,
  listing: Listing,
  { from, to, sortBy }: PageOptions,
  { more = sql``, meeting = sql`true` }: { more?: RawBuilder<unknown>; meeting?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const sums = sql`(select * from ${sumsOf(owner, listing, from, to)} f where ${meeting})`
  const selected = sql`select f.key as id, ${figureColumns}${more} from ${sums} f`
  if (listing.isWhole) return sql`(${selected})`
  const [table, where] = [tableOf(listing.entity), matching(owner, listing.filters)]
  if (listing.entity !== 'target') return sql`(${selected} join ${table} t on t.id = f.key where ${where})`
  // Looked up one by one: the planner would rather read half a million targets.
  return sql`(${selected} cross join lateral (select ${sortBy in metrics ? sql`t.id` : sql`*`} from ${table} t where ${where} and t.id = f.key offset 0) t)`
}

/**
 * The page by figures. Most rows of a large account have none: they are equal in every order by figures, so that only the
 * first of them are met, where there is room for them, and they add nothing to the sums.
 */
function pageByFigures(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const { page, size, sortBy } = options
  const { entity, filters, conditions } = listing
  const table = tableOf(entity)
  const where = matching(owner, filters)
  const isFigure = sortBy in metrics
  const isRatio = sortBy in derivedMetrics
  const direction = directionOf(options)
  const inOrder = (alias: '' | 'p.') =>
    isFigure
      ? sql`${sql.ref(`${alias}sort_key`)} ${direction} nulls last, ${sql.ref(`${alias}id`)}`
      : byField(sql.ref(`${alias}sort_key`), sql.ref(`${alias}id`), direction)
  const isMet = conditions.length ? sql`coalesce(${sql.join(conditions.map(meets), sql` and `)}, false)` : sql`true`
  const hasSilent = conditions.every(isMetBySilence)
  const most = (page + 1) * size
  const rowOfPage = sql.join([sql`id`, sql`sort_key`, ...columns])
  const noFigures = sql.join(columns.map(column => sql`0::float8 as ${column}`))
  // All rows are searched when they must be counted anyway, and found when they are few; else those with figures are looked up.
  const isSearch =
    isFigure && (filtered.last === undefined ? listing.isSearch === true : isFoundSoon(listing, filtered.last))
  const rows = isSearch ? sql`found t where true` : sql`${table} t where ${where}`
  // Rows before which no silent one can come.
  const isBefore = isRatio ? sql`sort_key is not null` : sql`${options.sortDir === 'desc'} and sort_key > 0`
  const silent = isFigure
    ? sql`select t.id, ${isRatio ? null : 0}::float8 as sort_key, ${noFigures} from ${rows} and t.id not in (select id from m)
        and (select count(*) from m where is_met and ${isBefore}) < ${most} order by t.id limit ${most}`
    : sql`select c.*, ${noFigures} from ${firstByField(listing, options, sql`${where} and t.id not in (select id from m)`)} c`
  const whole = { ...listing, isWhole: isFigure && (isSearch || listing.isWhole === true) }
  // As a value it is looked up in a hash table; as a join the planner, which expects few rows, would compare all with all.
  const isFound = isSearch ? sql`(f.key in (select id from found)) is true` : sql`true`
  const more = sql`, ${orderOf(entity, sortBy)} as sort_key, ${isMet} as is_met`
  // Rows that do not meet the conditions are only needed to tell silent ones from them.
  const sums = matchedSums(owner, whole, options, {
    more,
    meeting: sql`${isFound} and ${hasSilent ? sql`true` : isMet}`,
  })
  const found = sql`found as materialized (select t.id from ${table} t where ${where}), `
  const counted = isSearch ? sql`(select count(*) from found)::float8` : filtered.count
  const ctes = sql`${isSearch ? found : sql``}m as materialized ${sums},
    p as materialized (
      select * from (select ${rowOfPage} from m where is_met ${hasSilent ? sql`union all (${silent})` : sql``}) u
      order by ${inOrder('')} limit ${size} offset ${page * size}
    ), s as materialized (
      select ${hasSilent ? sql`a.filtered - (select count(*) from m where not is_met)` : sql`f.met`}::float8 as total, a.filtered, f.*
      from (select ${hasSilent ? counted : sql`null::float8`} as filtered) a
        cross join (select count(*) as met, ${totalColumns} from m where is_met) f
    )`
  return { ctes, order: inOrder('p.') }
}

const isFoundSoon = ({ entity, isSearch, isWhole, few }: Listing, count: number): boolean =>
  entity === 'target' && !isSearch && !isWhole && !few && count <= 100_000

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
