import { type RawBuilder, sql } from 'kysely'
import {
  type FigureState,
  figureStateOf,
  metricColumns,
  metricSortKey,
  figuresBy,
  keysWithFigures,
  totalsOf,
} from '#features/metrics/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { Field } from '#shared/fields.ts'
import { derivedMetrics, type FigureSums, type MetricName, metrics } from '#shared/metrics.ts'
import { servingKinds, statusesOf } from '#shared/serving-status.ts'
import type { FigureCondition } from '../../figure-filter.ts'
import type { RowColumn, servingFilters } from '../../list-queries.ts'
import { type EditableEntity, entities, type Rows } from '#features/structure/contract.ts'
import { type Owner, selectList, sortKey, tableOf, matching } from '#features/structure/server/public.ts'
import { rememberCount, type RememberedCount } from './remember-count.ts'

/**
 * A condition on rows `t`; one that looks into other tables is made for the owner. How the rows are met may decide how it is
 * written: all that match are found, or rows are read in an order until enough of them match.
 */
export type ListingFilter = RawBuilder<unknown> | ((owner: Owner, met: 'FOUND' | 'IN_ORDER') => RawBuilder<unknown>)

/** The conditions of a listing for an owner's rows. */
export const filtersFor = (owner: Owner, filters: readonly ListingFilter[], met: 'FOUND' | 'IN_ORDER' = 'FOUND') =>
  filters.map(filter => (typeof filter === 'function' ? filter(owner, met) : filter))

/** The condition that rows `t` are the owner's and pass a listing's filters. */
const whereOf = (owner: Owner, { filters }: Pick<Listing, 'filters'>, met?: 'IN_ORDER') =>
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

export interface PageOptions {
  from: string
  to: string
  page: number
  size: number
  sortBy: RowColumn
  sortDir: 'asc' | 'desc'
}

/** The sums of rows over the days, by `key`. */
function sumsOf(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  const { entity, filters, few, sums } = listing
  const keys = few ? sql`array(select t.id from ${tableOf(entity)} t where ${whereOf(owner, { filters })})` : undefined
  return figuresBy(sums ?? entity, owner, from, to, keys)
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

/** Whether rows without any figures meet the conditions: their measured figures are 0, their ratios unknown. */
function isMetBySilence({ metric, is, value }: FigureCondition): boolean {
  if (metric in derivedMetrics) return false
  return is === '<=' || (is === '>=' && value === 0) || (is === '<' && value > 0)
}

/** A subquery of the ids of the rows that match. */
export function matchingIds(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  return listing.conditions.length
    ? sql`select t.id from ${withFigures(owner, listing, from, to)}`
    : sql`select t.id from ${tableOf(listing.entity)} t where ${whereOf(owner, listing)}`
}

/** The same without those that have no figures in the days: for sums, to which these add nothing. */
export function matchingWithFigures(owner: Owner, listing: Listing, from: string, to: string): RawBuilder<unknown> {
  const { entity, conditions } = listing
  const keys = conditions.length
    ? sql`select f.key from ${sumsOf(owner, listing, from, to)} f where ${sql.join(conditions.map(meets), sql` and `)}`
    : sql`select key from ${keysWithFigures(listing.sums ?? entity, owner, from, to)} f`
  if (!isPart(listing)) return keys
  return sql`with f as materialized (${keys}), ${matchingKeys(owner, listing)} select unnest(ids) from w`
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
  const matched = sql`${tableOf(entity)} t where ${whereOf(owner, listing)}`
  const filtered = rememberCount(tx, owner.merchantId, matched, listing.counted?.(owner))
  // How many match decides how they are met.
  if (entity === 'target' && isPart(listing) && !listing.isSearch && filtered.last === undefined)
    await filtered.read(tx)
  const { ctes, order } = isByFigures
    ? pageByFigures(owner, listing, options, filtered)
    : pageByField(owner, listing, options, filtered)
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

/** Whether not all rows with the listing's sums match. */
const isPart = ({ few, isWhole }: Listing): boolean => !few && isWhole !== true

/**
 * Above `read` matching rows, those with figures are looked up one by one instead of reading all that match. Above `sorted`
 * rows that a search found, the first are met in the order of an index. Tests make them smaller.
 */
export const pageLimits = { read: 100_000, sorted: 2000 }

const isLookedUp = (
  { entity, isSearch }: Listing,
  filtered: RememberedCount | undefined,
): filtered is RememberedCount => entity === 'target' && isSearch !== true && (filtered?.last ?? 0) > pageLimits.read

/**
 * Which keys of a relation `f` match, as a relation `w` of one row: `ids`, and in `n` how many rows match at all. The rows
 * that match are in a relation `found`, unless they are so many that looking up the keys is less work.
 */
function matchingKeys(owner: Owner, listing: Listing, filtered?: RememberedCount): RawBuilder<unknown> {
  const rows = sql`${tableOf(listing.entity)} t where ${whereOf(owner, listing)}`
  // As values they are looked up in a hash table or an index; as a join the planner, which expects few rows, would
  // compare all with all.
  return isLookedUp(listing, filtered)
    ? sql`w as materialized (select ${filtered.count} as n, array_agg(t.id) as ids from ${rows} and t.id = any(array(select key from f)))`
    : sql`found as materialized (select t.id from ${rows}), w as materialized (
        select count(*)::float8 as n, array_agg(id) filter (where (id in (select key from f)) is true) as ids from found)`
}
const isMatching = (key: RawBuilder<unknown>) => sql`(${key} in (select unnest(ids) from w)) is true`

/** The page by a field of the rows: it is chosen first, and only its rows' figures are summed. */
function pageByField(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const { entity } = listing
  const { from, to, page, size } = options
  const what = listing.sums ?? entity
  const figures = figuresBy(what, owner, from, to, sql`array(select id from chosen)`)
  const order = byField(sql`p.sort_key`, sql`p.id`, directionOf(options))
  const totals = listing.few
    ? sql`(select ${totalColumns} from ${sumsOf(owner, listing, from, to)} f)`
    : totalsOf(what, owner, from, to, isPart(listing) ? isMatching : undefined)
  const keys = sql`f as materialized (select key from ${keysWithFigures(what, owner, from, to)} k), ${matchingKeys(owner, listing, filtered)},`
  const ctes = sql`${isPart(listing) ? keys : sql``} chosen as materialized (
      select * from ${firstOfPage(owner, listing, options)} c
      order by ${byField(sql`sort_key`, sql`id`, directionOf(options))} limit ${size} offset ${page * size}
    ), p as materialized (
      select c.*, ${figureColumns} from chosen c
      left join ${figures} f on f.key = c.id
    ), s as materialized (
      select a.filtered as total, a.filtered, f.* from (select ${isPart(listing) ? sql`(select n from w)` : filtered.count} as filtered) a
        cross join ${totals} f
    )`
  return { ctes, order }
}

/**
 * The first rows by a field, as far as the page goes. What a search finds is sorted when it is little; of more the first are
 * met soon in the order of an index, which would be read to its end for few.
 */
function firstOfPage(owner: Owner, listing: Listing, options: PageOptions): RawBuilder<unknown> {
  if (!listing.isSearch || !isPart(listing)) return firstByField(owner, listing, options, whereOf(owner, listing))
  const n = sql`(select n from w)`
  const isFound = sql`t.id = any(array(select id from found))`
  const sorted = firstByField(
    owner,
    listing,
    options,
    sql`${matching(owner, [isFound])} and ${n} <= ${pageLimits.sorted}`,
  )
  const inOrder = firstByField(
    owner,
    listing,
    options,
    sql`${whereOf(owner, listing, 'IN_ORDER')} and ${n} > ${pageLimits.sorted}`,
  )
  return sql`(select * from ${sorted} a union all select * from ${inOrder} b)`
}

/** The first rows `t` by a field, as far as the page goes. Rows without a value are looked for apart: indexes have them first. */
function firstByField(
  owner: Owner,
  { entity }: Listing,
  { page, size, sortBy, ...options }: PageOptions,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [key, direction] = [sortKey(entity, sortBy), directionOf(options)]
  const fields: Readonly<Record<string, Field>> = entities[entity].fields
  const field = fields[sortBy]
  // A field of the campaign is read once for each campaign.
  if (field?.of)
    return sql`(select t.id, o.sort_key from ${tableOf(entity)} t
      join (select t.id, lower(${sql.ref(`t.${field.column}`)}) as sort_key from ${tableOf(field.of)} t where ${matching(owner, [])} offset 0) o
        on o.id = t.campaign_id
      where ${where} order by ${byField(sql`o.sort_key`, sql`t.id`, direction)} limit ${(page + 1) * size})`
  const first = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql`(select t.id, ${key} as sort_key from ${tableOf(entity)} t where ${where} and ${condition}
      order by ${order} limit ${(page + 1) * size})`
  // Only targets are so many that they have an index for each order.
  if (entity !== 'target') return first(sql`true`, byField(key, sql`t.id`, direction))
  const inOrder = sql`${key} ${direction}, t.id ${direction}`
  if (field?.schema.type !== 'nullable') return first(sql`true`, inOrder)
  return sql`(${first(sql`${key} is not null`, inOrder)} union all ${first(sql`${key} is null`, inOrder)})`
}

/** A relation `m` of the figures `f` that match, each with what it is ordered by and whether it meets the conditions. */
function matchedSums(
  owner: Owner,
  listing: Listing,
  { from, to, sortBy }: PageOptions,
  filtered: RememberedCount,
  { isMet, meeting }: { isMet: RawBuilder<unknown>; meeting: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { entity } = listing
  const sums = sql`${sumsOf(owner, listing, from, to)} f where ${meeting}`
  const read = isPart(listing)
    ? sql`f as materialized (select * from ${sums}), ${matchingKeys(owner, listing, filtered)},`
    : sql``
  // A field of the rows is met with them; looked up one by one, see above.
  const row = sql`cross join lateral (select * from ${tableOf(entity)} t where ${matching(owner, [])} and t.id = f.key offset 0) t`
  return sql`${read} m as materialized (
      select f.key as id, ${figureColumns}, ${orderOf(entity, sortBy)} as sort_key, ${isMet} as is_met
      from ${isPart(listing) ? sql`f` : sql`(select * from ${sums}) f`} ${sortBy in metrics ? sql`` : row} where ${isPart(listing) ? isMatching(sql`f.key`) : sql`true`}
    )`
}

/**
 * The page by figures. Most rows of a large account have none: they are equal in every order by figures, so that only the
 * first of them are met, where there is room for them, and they add nothing to the sums.
 */
function pageByFigures(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const { page, size, sortBy } = options
  const { entity, conditions } = listing
  const table = tableOf(entity)
  const where = whereOf(owner, listing)
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
  const rows =
    isPart(listing) && !isLookedUp(listing, filtered) ? sql`found t where true` : sql`${table} t where ${where}`
  // Rows before which no silent one can come.
  const isBefore = isRatio ? sql`sort_key is not null` : sql`${options.sortDir === 'desc'} and sort_key > 0`
  const silent = isFigure
    ? sql`select t.id, ${isRatio ? null : 0}::float8 as sort_key, ${noFigures} from ${rows} and t.id not in (select id from m)
        and (select count(*) from m where is_met and ${isBefore}) < ${most} order by t.id limit ${most}`
    : sql`select c.*, ${noFigures} from ${firstByField(owner, listing, options, sql`${where} and t.id not in (select id from m)`)} c`
  // Rows that do not meet the conditions are only needed to tell silent ones from them.
  const sums = matchedSums(owner, listing, options, filtered, { isMet, meeting: hasSilent ? sql`true` : isMet })
  const counted = isPart(listing) ? sql`(select n from w)` : filtered.count
  const notMet = conditions.length ? sql`(select count(*) from m where not is_met)` : sql`0`
  const ctes = sql`${sums},
    p as materialized (
      select * from (select ${rowOfPage} from m where is_met ${hasSilent ? sql`union all (${silent})` : sql``}) u
      order by ${inOrder('')} limit ${size} offset ${page * size}
    ), s as materialized (
      select ${hasSilent ? sql`a.filtered - ${notMet}` : sql`f.met`}::float8 as total, a.filtered, f.*
      from (select ${hasSilent ? counted : sql`null::float8`} as filtered) a
        cross join (select count(*) as met, ${totalColumns} from m where is_met) f
    )`
  return { ctes, order: inOrder('p.') }
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
