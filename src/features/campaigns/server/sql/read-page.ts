import { type RawBuilder, sql } from 'kysely'
import {
  type FigureState,
  figureStateOf,
  figuresBy,
  columnsOfMetric,
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
  conditionsOf,
  countOfFound,
  isMatching,
  isPart,
  type Listing,
  matchedRows,
  metRows,
  pageLimits,
  sumsOf,
  whereOf,
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
  metricColumns.map(({ column, field }) => sql`${sql.ref(`a.${column}`)} as ${sql.ref(`all_${field}`)}`),
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
  const { entity } = listing
  const matched = sql`${tableOf(entity)} t where ${whereOf(owner, listing)}`
  const filtered = await rememberCount(tx, owner.merchantId, matched, listing.counted?.(owner))
  // How many match decides how they are met.
  const isCounted = isPart(listing) && conditionsOf(listing).hasSilent
  if (entity === 'target' && isCounted && !listing.isSearch && filtered.last === undefined) await filtered.read(tx)
  const { ctes, order } = wayOf(listing, options, filtered)(owner, listing, options, filtered)
  // Its plan is the same for all campaigns of an account; of other rows and filters it depends on how many there are.
  const isPrepared = entity === 'campaign' && listing.isWhole === true
  // The sums are a row of their own, so that no row of the page repeats them.
  const { rows } = await sql<Record<string, unknown>>`${isPrepared ? prepared : sql``}with ${ctes},
    a as materialized (select s.*, ${figureStateOf(owner)} as state, ${filtered.version} as version from s)
    select ${selectList(entity, owner)}, ${rowSums}, a.total as "all_total", ${allSums}, a.state as "figure_state",
      a.filtered as "all_filtered", a.version as "data_version"
    from a full join (p join ${tableOf(entity)} t on t.merchant_id = ${owner.merchantId} and t.id = p.id) on false
    order by ${order}`.execute(tx)
  const all = rows.find(row => row.id === null)
  if (typeof all?.all_filtered === 'number')
    filtered.remember({ count: all.all_filtered, version: all.data_version as number })
  const totals = Object.fromEntries(metricColumns.map(({ field }) => [field, Number(all?.[`all_${field}`] ?? 0)]))
  return {
    // The others have what the select list says.
    rows: rows.filter(row => row !== all) as unknown as (Rows[E] & FigureSums)[],
    total: Number(all?.all_total ?? 0),
    totals: totals as unknown as FigureSums,
    state: (all?.figure_state ?? null) as FigureState | null,
  }
}

/** How a page is read: by what it is ordered and narrowed by. */
function wayOf({ conditions, few, isWhole }: Listing, { sortBy }: PageOptions, { last }: RememberedCount) {
  if (!(sortBy in metrics)) return conditions.length ? pageOfConditions : pageByField
  // The sums of few rows are read once, with all figures.
  const isLarge = last === undefined || last > pageLimits.whole
  return isWhole && isLarge && !few && !conditions.length ? pageOfWhole : pageByFigures
}

const directionOf = ({ sortDir }: Pick<PageOptions, 'sortDir'>) => (sortDir === 'asc' ? sql`asc` : sql`desc`)
// Within equal rows the ids go the same way as the field, so that one index serves both ways.
const byField = (key: RawBuilder<unknown>, id: RawBuilder<unknown>, direction: RawBuilder<unknown>) =>
  sql`${key} ${direction} nulls last, ${id} ${direction}`

/** The order of rows with `sort_key` and `id`. */
function orderOfPage(options: PageOptions, alias: '' | 'p.'): RawBuilder<unknown> {
  const [key, id, direction] = [sql.ref(`${alias}sort_key`), sql.ref(`${alias}id`), directionOf(options)]
  return options.sortBy in metrics ? sql`${key} ${direction} nulls last, ${id}` : byField(key, id, direction)
}

/** The page by a field of the rows: it is chosen first, and only its rows' figures are summed. */
function pageByField(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const matched = matchedRows(owner, listing, isPart(listing) && listing.isSearch ? countOfFound : filtered.count)
  const chosen = chosenRows(firstOfPage(owner, listing, options), options)
  const sums = sumsOfChosen(owner, listing, options)
  return { ctes: sql`${matched}, ${chosen}, ${sums}`, order: orderOfPage(options, 'p.') }
}

/** How many rows match. What a new search finds is read anyhow where it does not fill the page; targets have a shorter index. */
function countOf(listing: Listing, filtered: RememberedCount): RawBuilder<unknown> {
  const isNew = isPart(listing) && listing.isSearch && filtered.last === undefined
  return isNew && listing.entity !== 'target' ? countOfFound : filtered.count
}

/** The rows of the page out of the first ones, as a relation `chosen`. */
function chosenRows(first: RawBuilder<unknown>, options: PageOptions): RawBuilder<unknown> {
  const { page, size } = options
  return sql`chosen as materialized (
      select * from ${first} c order by ${orderOfPage(options, '')} limit ${size} offset ${page * size}
    )`
}

/** The figures of the `chosen` rows, and the sums of all that match; there are no conditions. */
function sumsOfChosen(owner: Owner, listing: Listing, { from, to }: PageOptions): RawBuilder<unknown> {
  const what = listing.sums ?? listing.entity
  const figures = figuresBy(what, owner, from, to, { keys: sql`array(select id from chosen)` })
  const totals = listing.few
    ? sql`(select ${totalColumns} from ${sumsOf(owner, listing, from, to, { isAlone: true })} f)`
    : totalsOf(what, owner, from, to, isPart(listing) ? isMatching : undefined)
  return sql`p as materialized (
      select c.*, ${figureColumns} from chosen c
      left join ${figures} f on f.key = c.id
    ), s as materialized (
      select a.filtered as total, a.filtered, f.* from (select n as filtered from w) a
        cross join ${totals} f
    )`
}

/**
 * The first rows by a field, as far as the page goes. What a search finds is sorted when it is little; of more the first are
 * met soon in the order of an index, which would be read to its end for few.
 */
function firstOfPage(owner: Owner, listing: Listing, options: PageOptions): RawBuilder<unknown> {
  if (!listing.isSearch || !isPart(listing)) return firstByField(owner, listing, options, whereOf(owner, listing))
  return firstOfFound(owner, listing, options, {
    n: sql`(select n from w)`,
    ids: sql`select id from found`,
    inOrder: whereOf(owner, listing, 'IN_ORDER'),
  })
}

/** The first of `n` rows with these ids, as far as the page goes: looked up where they are few, else met in the order. */
function firstOfFound(
  owner: Owner,
  listing: Listing,
  options: PageOptions,
  { n, ids, inOrder }: { n: RawBuilder<unknown>; ids: RawBuilder<unknown>; inOrder: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const lookedUp = sql`${matching(owner, [sql`t.id = any(array(${ids}))`])} and ${n} <= ${pageLimits.sorted}`
  const met = sql`${inOrder} and ${n} > ${pageLimits.sorted}`
  return sql`(select * from ${firstByField(owner, listing, options, lookedUp)} a
    union all select * from ${firstByField(owner, listing, options, met)} b)`
}

/** The first rows `t` by a field, as far as the page goes. Rows without a value are looked for apart: indexes have them first. */
function firstByField(
  owner: Owner,
  { entity }: Listing,
  { page, size, sortBy, ...options }: PageOptions,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [key, direction] = [sortKey(entity, sortBy, owner), directionOf(options)]
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

/** A relation `m` of the figures `f` that match, each with whether it meets the conditions and, by figures, its place in the order. */
function matchedSums(
  owner: Owner,
  listing: Listing,
  { from, to, sortBy }: PageOptions,
  filtered: RememberedCount,
): RawBuilder<unknown> {
  const { isMet, hasSilent } = conditionsOf(listing)
  const place = sortBy in metrics ? sql`, ${metricSortKey(sortBy as MetricName)} as sort_key` : sql``
  const matched = (from: RawBuilder<unknown>) =>
    sql`m as materialized (select f.key as id, ${figureColumns}, ${isMet} as is_met ${place} from ${from})`
  // Rows that do not meet the conditions are only needed to tell silent ones from them.
  // A search finds few, whose sums alone are added up; of a filter that most pass it would be asked for each day.
  const isEarly = isPart(listing) && hasSilent && listing.isSearch === true
  const read = sumsOf(owner, listing, from, to, { isAlone: true, passes: isEarly ? isMatching : undefined })
  const sums = sql`${read} f where ${hasSilent ? sql`true` : isMet}`
  if (!isPart(listing)) return sql`${matchedRows(owner, listing, hasSilent ? filtered.count : null)}, ${matched(sums)}`
  if (!hasSilent) return sql`${metRows(owner, listing, sums)}, ${matched(sql`met f where ${isMatching(sql`f.key`)}`)}`
  // Where nothing that matches was ever shown, nothing is summed.
  const some = sql`${isEarly ? sql`true` : isMatching(sql`f.key`)} and exists (select from shown)`
  return sql`${matchedRows(owner, listing, countOf(listing, filtered))}, ${matched(sql`${sums} and ${some}`)}`
}

/** The sums of all rows of `m` that meet the conditions, and how many rows do. */
function sumsOfMatched(listing: Listing): RawBuilder<unknown> {
  const { hasSilent, isNarrowed } = conditionsOf(listing)
  const notMet = isNarrowed ? sql`(select count(*) from m where not is_met)` : sql`0`
  return sql`s as materialized (
      select ${hasSilent ? sql`a.filtered - ${notMet}` : sql`f.met`}::float8 as total, a.filtered, f.*
      from (select n as filtered from w) a
        cross join (select count(*) as met, ${totalColumns} from m where is_met) f
    )`
}

/** The page by a field, of the rows whose figures meet conditions: only those of the page are looked up or met in the order. */
function pageOfConditions(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const where = whereOf(owner, listing)
  const first = conditionsOf(listing).hasSilent
    ? firstByField(owner, listing, options, sql`${where} and t.id not in (select id from m where not is_met)`)
    : firstOfFound(owner, listing, options, {
        n: sql`(select count(*) from m)`,
        ids: sql`select id from m`,
        inOrder: sql`${where} and (t.id in (select id from m)) is true`,
      })
  // The limit tells the planner that they are few; it would read all rows to join them.
  const ctes = sql`${matchedSums(owner, listing, options, filtered)}, ${chosenRows(first, options)},
    p as materialized (select c.*, ${figureColumns} from chosen c left join m f on f.id = c.id limit ${options.size}),
    ${sumsOfMatched(listing)}`
  return { ctes, order: orderOfPage(options, 'p.') }
}

/**
 * Rows `rows` without figures among `m`, as far as the page goes; none where others fill it. Most rows of a large account
 * have no figures: they are equal in every order by figures, so that only the first of them are met.
 */
function silentRows(rows: RawBuilder<unknown>, isMet: RawBuilder<unknown>, options: PageOptions): RawBuilder<unknown> {
  const most = (options.page + 1) * options.size
  const isRatio = options.sortBy in derivedMetrics
  // Rows before which no silent one can come.
  const isBefore = isRatio ? sql`sort_key is not null` : sql`${options.sortDir === 'desc'} and sort_key > 0`
  return sql`(select t.id, ${isRatio ? null : 0}::float8 as sort_key from ${rows} and t.id not in (select id from m)
      and (select count(*) from m where ${isMet} and ${isBefore}) < ${most}
      and (select count(*) from m) < (select n from w) order by t.id limit ${most})`
}

/** The page by a figure: those without any figures come where there is room for them, and add nothing to the sums. */
function pageByFigures(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const { page, size } = options
  const isFound = isPart(listing) && (listing.isSearch || (filtered.last ?? 0) <= pageLimits.read)
  const rows = isFound ? sql`found t where true` : sql`${tableOf(listing.entity)} t where ${whereOf(owner, listing)}`
  const noFigures = sql.join(columns.map(column => sql`0::float8 as ${column}`))
  const silent = sql`union all (select t.id, t.sort_key, ${noFigures} from ${silentRows(rows, sql`is_met`, options)} t)`
  const rowOfPage = sql.join([sql`id`, sql`sort_key`, ...columns])
  const ctes = sql`${matchedSums(owner, listing, options, filtered)},
    p as materialized (
      select * from (select ${rowOfPage} from m where is_met ${conditionsOf(listing).hasSilent ? silent : sql``}) u
      order by ${orderOfPage(options, '')} limit ${size} offset ${page * size}
    ), ${sumsOfMatched(listing)}`
  return { ctes, order: orderOfPage(options, 'p.') }
}

/** The page of all rows by a figure: only this one is summed for all of them, the others for those of the page. */
function pageOfWhole(owner: Owner, listing: Listing, options: PageOptions, filtered: RememberedCount) {
  const { from, to } = options
  const metric = options.sortBy as MetricName
  const sums = sumsOf(owner, listing, from, to, { isAlone: true, columns: columnsOfMetric(metric) })
  const rows = sql`${tableOf(listing.entity)} t where ${whereOf(owner, listing)}`
  const first = sql`(select * from m union all ${silentRows(rows, sql`true`, options)})`
  const ctes = sql`${matchedRows(owner, listing, filtered.count)},
    m as materialized (select f.key as id, ${metricSortKey(metric)} as sort_key from ${sums} f),
    ${chosenRows(first, options)}, ${sumsOfChosen(owner, listing, options)}`
  return { ctes, order: orderOfPage(options, 'p.') }
}
