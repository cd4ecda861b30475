import { type RawBuilder, sql } from 'kysely'
import { noteShown, type Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'

/**
 * What has running sums: for each day, the sums from the first of its month. They end with the last day of a month that was
 * imported, and until then an entity has a row for every day from its first figures on. So the sums of any range are a row
 * or two for each month it touches, and an import never writes beyond its months.
 */
const sources = {
  campaign: { entity: 'campaign', table: 'campaign_day', key: 'campaign_id', all: 'profile' },
  adGroup: { entity: 'adGroup', table: 'ad_group_day', key: 'ad_group_id', all: 'profileAdGroups' },
  keyword: { entity: 'target', table: 'target_day', key: 'target_id', all: 'profileKeywords', isKeyword: true },
  target: { entity: 'target', table: 'target_day', key: 'target_id', all: 'profileTargets', isKeyword: false },
  ad: { entity: 'ad', table: 'ad_day', key: 'ad_id', all: 'profileAds' },
} as const
type Source = keyof typeof sources
/** Each of them, and all together under the account's id. */
export type Summed = Source | (typeof sources)[Source]['all']

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
const joined = (each: (column: string) => string) => sql.raw(metricColumns.map(({ column }) => each(column)).join(', '))
const monthStart = (day: string): string => `${day.slice(0, 7)}-01`
const monthEnd = (day: string): string => addDays(monthStart(addDays(monthStart(day), 31)), -1)
const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a < b ? b : a)

/** The months that a range touches, each as the part of it that is in the range. */
function monthsOf(from: string, to: string): { from: string; to: string }[] {
  const months: { from: string; to: string }[] = []
  for (let at = from; at <= to; at = addDays(monthEnd(at), 1)) months.push({ from: at, to: earlier(to, monthEnd(at)) })
  return months
}

/** Which rows of a daily table changed: a relation of their days and keys, and those days in their order. */
export interface Changed {
  rows: RawBuilder<unknown>
  days: readonly string[]
  isFew: boolean
}

/**
 * Brings the running sums of an account up to date, in the transaction that replaced these days of a daily table. With
 * `changed`, only the sums of the entities that changed are made again.
 */
export async function sumUp(
  tx: Db,
  owner: Owner,
  table: string,
  days: { from: string; to: string },
  changed?: Changed,
): Promise<void> {
  for (const what of Object.keys(sources) as Source[])
    if (sources[what].table === table)
      for (const month of monthsOf(days.from, days.to)) await sumUpMonth(tx, owner, what, month, changed)
}

async function sumUpMonth(
  tx: Db,
  owner: Owner,
  what: Source,
  days: { from: string; to: string },
  changed: Changed | undefined,
): Promise<void> {
  const first = monthStart(days.from)
  const own = sql`${ownedBy(owner)} and entity = ${what}`
  const { rows } = await sql<{ last: string | null }>`select max(date) as last from running_sum
    where ${own} and date between ${first} and ${monthEnd(first)}`.execute(tx)
  const last = rows[0]?.last ?? null
  if (changed && last !== null) {
    const day = changed.days.find(date => date >= first && date <= last)
    const { key } = sources[what]
    const ofChanged = (id: string) =>
      sql`${sql.ref(id)} in (select c.${sql.ref(key)} from ${changed.rows} c where c.date between ${first} and ${last})`
    if (day !== undefined) await sumAgain(tx, owner, what, { from: day, to: last }, ofChanged, changed.isFew)
  }
  // Days between the last one with sums and these would be missing.
  const next = last === null ? days.from : addDays(last, 1)
  const isPart = changed !== undefined || last === null
  const from = isPart ? next : earlier(days.from, next)
  await sumAgain(tx, owner, what, { from, to: later(days.to, last ?? '') }, () => sql`true`)
}

/** The condition that the id in a column is of an entity whose sums are made again. */
type OfEntities = (column: string) => RawBuilder<unknown>

/** Makes the running sums of days of one month again, up to the last that has any. */
async function sumAgain(
  tx: Db,
  owner: Owner,
  what: Source,
  { from, to }: { from: string; to: string },
  ofEntities: OfEntities,
  isFew = false,
): Promise<void> {
  if (from > to) return
  const { all } = sources[what]
  const ofDays = sql`${ownedBy(owner)} and date between ${from} and ${to}`
  if (isFew)
    await sql`delete from running_sum where ${ofDays} and entity in (${what}, ${all})
      and (entity = ${all} or ${ofEntities('key')})`.execute(tx)
  else {
    // Together, a large list of keys would be searched row by row.
    await sql`delete from running_sum where ${ofDays} and entity = ${what} and ${ofEntities('key')}`.execute(tx)
    await sql`delete from running_sum where ${ofDays} and entity = ${all}`.execute(tx)
  }
  // Day by day takes a third of the time where a day is large, and many days at once where each is small.
  const isLarge = async () =>
    !isFew && (await countFacts(tx, owner, what, { from, to }, ofEntities)) > largeDay * (daysBetween(from, to) + 1)
  if (from === to || (await isLarge()))
    for (let at = from; at <= to; at = addDays(at, 1)) await addDaySums(tx, owner, what, at, ofEntities)
  else await addSums(tx, owner, what, { from, to }, ofEntities)
  // Those with sums on any of the days have some on the last.
  const keys = sql`select key from running_sum where ${ownedBy(owner)} and entity = ${what} and date = ${to}`
  await noteShown(tx, sources[what].entity, owner, keys)
  await sumTogether(tx, owner, what, { from, to })
}

/** Adds the sums of all entities together, out of those of each. */
async function sumTogether(
  tx: Db,
  owner: Owner,
  what: Source,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { all } = sources[what]
  await sql`insert into running_sum (merchant_id, profile_id, entity, date, key, ${columnNames})
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${all}, date, ${owner.profileId}::bigint, ${columnSums}
    from running_sum where ${ownedBy(owner)} and entity = ${what} and date between ${from} and ${to}
    group by date order by date`.execute(tx)
}

const largeDay = 5000

/** The rows of a daily table of which sums are made; those of the day before are of the same entities. */
function factsOf(
  owner: Owner,
  what: Source,
  { from, to }: { from: string; to: string },
  ofEntities: OfEntities,
): RawBuilder<unknown> {
  const source = sources[what]
  // Keywords have sums of their own, so that their list need not look up the kind of each target.
  // Looked up by its key: as a join a planner without statistics compares all with all.
  const isKeyword = sql`coalesce((select t.kind from target t where t.merchant_id = ${owner.merchantId} and t.id = target_id) = 'KEYWORD', false)`
  const ofKind = !('isKeyword' in source) ? sql`true` : source.isKeyword ? isKeyword : sql`not ${isKeyword}`
  return sql`${sql.table(source.table)} where ${ownedBy(owner)} and date between ${from} and ${to}
    and ${ofEntities(source.key)} and ${ofKind}`
}

async function countFacts(tx: Db, ...facts: Parameters<typeof factsOf>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::float8 as n from ${factsOf(...facts)}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** The sums of the day before, when it is of the same month. */
const sumsBefore = (owner: Owner, what: Source, day: string, ofEntities: OfEntities): RawBuilder<unknown> =>
  sql`running_sum where ${ownedBy(owner)} and entity = ${what} and date = ${day}::date - 1
    and ${day > monthStart(day)}::boolean and ${ofEntities('key')}`

/** Adds the running sums of one day: those of the day before, and its own figures. */
async function addDaySums(tx: Db, owner: Owner, what: Source, day: string, ofEntities: OfEntities): Promise<void> {
  const { key } = sources[what]
  const facts = factsOf(owner, what, { from: day, to: day }, ofEntities)
  const ofDay = sql`select ${sql.ref(key)} as key, ${columnNames} from ${facts}`
  await sql`insert into running_sum (merchant_id, profile_id, entity, date, key, ${columnNames})
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${what}, ${day}::date, key,
      ${joined(column => `coalesce(b.${column}, 0) + coalesce(f.${column}, 0)`)}
    from (select key, ${columnNames} from ${sumsBefore(owner, what, day, ofEntities)}) b full join (${ofDay}) f using (key)
    order by key`.execute(tx)
}

/** Adds the running sums of days of one month, on top of those of the day before. */
async function addSums(
  tx: Db,
  owner: Owner,
  what: Source,
  { from, to }: { from: string; to: string },
  ofEntities: OfEntities,
): Promise<void> {
  const { key } = sources[what]
  await sql`insert into running_sum (merchant_id, profile_id, entity, date, key, ${columnNames})
    with step as materialized (
      select key, date, ${joined(column => `sum(${column}::float8) as ${column}`)} from (
        select ${sql.ref(key)} as key, date, ${columnNames} from ${factsOf(owner, what, { from, to }, ofEntities)}
        union all
        select key, ${from}::date, ${columnNames} from ${sumsBefore(owner, what, from, ofEntities)}
      ) d group by key, date
    ), summed as (select key, min(date) as first from step group by key)
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${what}, date, key, ${columnNames} from (
      select key, date, ${joined(column => `sum(sum(${column})) over w as ${column}`)} from (
        select key, date, ${columnNames} from step
        union all
        select key, d.date::date, ${joined(() => '0')}
        from summed cross join lateral generate_series(first, ${to}::date, interval '1 day') as d(date)
      ) e group by key, date
      window w as (partition by key order by date)
    ) r order by date, key`.execute(tx)
}

/** The days whose running sums make a range when they are added and subtracted. */
function partsOf(from: string, to: string): { day: string; sign: '+' | '-' }[] {
  return monthsOf(from, to).flatMap(month => {
    const end = { day: month.to, sign: '+' as const }
    const isWhole = month.from === monthStart(month.from)
    return isWhole ? [end] : [end, { day: addDays(month.from, -1), sign: '-' as const }]
  })
}

/** The condition of the running sums from the first of a day's month up to the day. */
function untilDay(what: Summed, owner: Owner, day: string): RawBuilder<unknown> {
  const own = sql`${ownedBy(owner)} and entity = ${what}`
  // Not `max`: a plan for any values expects few rows, and reads all of them to find the last. The range tells the planner
  // the one month to look into.
  return sql`${own} and date between ${monthStart(day)} and ${day} and date =
      (select date from running_sum where ${own} and date between ${monthStart(day)} and ${day} order by date desc limit 1)`
}

/** A subquery of one row: the sums of a range over all entities, or over those whose key passes; zeros when there are none. */
export function summedTotals(
  whats: readonly Summed[],
  owner: Owner,
  { from, to, passes }: { from: string; to: string; passes?: (key: RawBuilder<unknown>) => RawBuilder<unknown> },
): RawBuilder<unknown> {
  // Nothing is joined: what is added up needs no pairs.
  const each = whats.flatMap(what =>
    partsOf(from, to).map(
      ({ day, sign }) => sql`select ${joined(column => `${sign} sum(${column}::float8) as ${column}`)} from running_sum
        where ${untilDay(what, owner, day)} ${passes ? sql`and ${passes(sql`key`)}` : sql``}`,
    ),
  )
  const rows = each.length ? sql.join(each, sql` union all `) : sql`select ${columnNames} from running_sum where false`
  return sql`(select ${joined(column => `coalesce(sum(${column}), 0)::float8 as ${column}`)} from (${rows}) r)`
}

/** Which sums, and how they are read. */
export interface RangeOptions {
  /** An array: only these are read. */
  keys?: RawBuilder<unknown> | undefined
  /** A condition on a key: only those that meet it are read. For a condition that leaves out most of them. */
  passes?: ((key: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined
  /** True when nothing is joined with them where they are read: they are not stored in between. */
  isAlone?: boolean
  /** Only these columns, and only entities that have any of them; all columns when absent. */
  columns?: readonly string[]
}

/**
 * A subquery of the sums of a range, both days included, under the columns' own names, by `key`; entities without figures are
 * missing.
 */
export function summedRange(
  whats: readonly Summed[],
  owner: Owner,
  { from, to }: { from: string; to: string },
  { keys, passes, isAlone = false, columns = metricColumns.map(({ column }) => column) }: RangeOptions = {},
): RawBuilder<unknown> {
  const until = (what: Summed, day: string) =>
    sql`(select key, ${columnNames} from running_sum where ${untilDay(what, owner, day)} ${keys ? sql`and key = any(${keys})` : sql``} ${passes ? sql`and ${passes(sql`key`)}` : sql``})`
  const parts = partsOf(from, to)
  const listed = (each: (column: string) => string) => sql.raw(columns.map(column => each(column)).join(', '))
  // A range may be empty, as that of the settled days when all of them are young.
  if (!parts.length)
    return sql`(select key, ${listed(column => `${column}::float8`)} from running_sum where merchant_id = ${owner.merchantId} and false)`
  const sum = (column: string) => parts.map(({ sign }, n) => `${sign} coalesce(r${n}.${column}, 0)`).join(' ')
  // Side by side, because adding up rows one below the other takes twice as long.
  const sums = whats.map(what => {
    const sides = parts.map(
      ({ day }, n) => sql`${until(what, day)} as ${sql.ref(`r${n}`)} ${n ? sql`using (key)` : sql``}`,
    )
    return sql`select key, ${listed(column => `(${sum(column)})::float8 as ${column}`)} from ${sql.join(sides, sql` full join `)}`
  })
  const all = sql.join(sums, sql` union all `)
  const any = sql.raw(columns.map(column => `${column} <> 0`).join(' or '))
  if (isAlone) return sql`(select * from (select * from (${all}) u offset 0) r where ${any})`
  // Materialized, so that it is read once, and its keys are columns by which policies let rows be looked up.
  return sql`(with r as materialized (${all}) select * from r where ${any})`
}

/** A subquery of the sums of accounts of a merchant by `date` or `profile_id`; those without figures may be missing. */
export function summedDays(
  what: 'profile' | 'profileAdGroups',
  merchantId: number,
  profileIds: readonly number[],
  from: string,
  to: string,
  by: 'date' | 'profile_id' = 'date',
): RawBuilder<unknown> {
  const before = (column: string) => `coalesce(lag(${column}) over w, 0)`
  // A sum is right whatever days before it are missing, when it begins where the running sums begin.
  const first = by === 'date' ? addDays(from, -1) : monthStart(from)
  return sql`(select ${sql.ref(by)}, ${joined(column => `sum(${column})::float8 as ${column}`)} from (
      select profile_id, date, ${joined(column => `${column} - ${before(column)} as ${column}`)} from running_sum
      where merchant_id = ${merchantId} and profile_id = any(${profileIds}::bigint[]) and entity = ${what}
        and date between ${first} and ${to}
      window w as (partition by profile_id, date_trunc('month', date) order by date)
    ) d where date >= ${from} group by ${sql.ref(by)})`
}
