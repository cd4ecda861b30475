import { type RawBuilder, sql } from 'kysely'
import {
  type FigureState,
  figureStateOf,
  figuresBy,
  keysWithFigures,
  metricColumns,
  metricSortKey,
  totalsOf,
} from '#features/metrics/server/public.ts'
import { type EditableEntity, entities, type Rows } from '#features/structure/contract.ts'
import { matching, type Owner, selectList, sortKey, tableOf } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { Field } from '#shared/fields.ts'
import { derivedMetrics, type FigureSums, type MetricName, metrics } from '#shared/metrics.ts'
import type { RowColumn } from '../../list-queries.ts'
import {
  isLookedUp,
  isMatching,
  isMetBySilence,
  isPart,
  type Listing,
  matchingKeys,
  meets,
  pageLimits,
  sumsOf,
  whereOf,
  withFigures,
} from './listing.ts'
import { rememberCount, type RememberedCount } from './remember-count.ts'

export interface PageOptions {
  from: string
  to: string
  page: number
  size: number
  sortBy: RowColumn
  sortDir: 'asc' | 'desc'
}

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
