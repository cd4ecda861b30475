import { type RawBuilder, sql } from 'kysely'
import type { EntityName } from '#features/structure/contract.ts'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Db } from '#server/db/tables.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'
import { type Changed, sumUp } from './running-sums.ts'
import { sumUpTerms } from './search-term-figures.ts'

/** The key columns of each daily table with their types: those that identify a row of a day, then those that follow from them. */
const keys = {
  campaign_day: { entity: 'campaign', identity: { campaign_id: 'bigint' }, others: {} },
  target_day: {
    entity: 'target',
    identity: { target_id: 'bigint' },
    others: { campaign_id: 'bigint', ad_group_id: 'bigint' },
  },
  search_term_day: {
    entity: 'target',
    identity: { target_id: 'bigint', search_term: 'text' },
    others: { campaign_id: 'bigint', ad_group_id: 'bigint' },
  },
  ad_day: {
    entity: 'ad',
    identity: { ad_id: 'bigint' },
    others: { campaign_id: 'bigint', ad_group_id: 'bigint', asin: 'text' },
  },
  placement_day: { entity: 'campaign', identity: { campaign_id: 'bigint', placement: 'text' }, others: {} },
} as const
export type DailyTable = keyof typeof keys

/** What a report covers: the days, both included, of one ad type. */
export interface Covered {
  from: string
  to: string
  adType: AdType
}

/** The first and the last of some days. */
interface Days {
  from: string
  to: string
}

/** A pull of so few rows is compared within its statements, without tables of the session. */
export const fewRows = 500

/**
 * Replaces what an account's days hold of an ad type by these rows, with all that is summed from them, in the caller's
 * transaction. `rows` is a subquery with the day, the keys and the metrics of the table by column, of `count` rows if that is
 * known; rows of one key and day are added up, so nothing is counted twice and nothing is lost. Only what differs is written,
 * since most of what a pull brings is there already. Answers which days changed, null when none did.
 */
export async function replaceDays(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  covered: Covered,
  rows: RawBuilder<unknown>,
  count = Infinity,
): Promise<Days | null> {
  const isFew = count <= fewRows
  // Two pulls that overlap would each add to what the other has just put in: the second waits for the first to end.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${owner.merchantId} ${owner.profileId}`}, 0))`.execute(
    tx,
  )
  // The statistics do not know days that came just now: a loop over half a million rows would be planned as one over one row.
  if (!isFew)
    await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '32MB', true)`.execute(tx)
  const changed = isFew
    ? await saveFew(tx, table, owner, covered, rows)
    : await saveMany(tx, table, owner, covered, rows)
  const [from, to] = [changed.days.at(0), changed.days.at(-1)]
  const days = from !== undefined && to !== undefined ? { from, to } : null
  await sumUp(tx, owner, table, covered, changed)
  if (table === 'search_term_day' && days) await sumUpTerms(tx, owner, days, changed.rows)
  if (table === 'target_day') {
    if (days) await rollUpAdGroups(tx, owner, days, changed.rows)
    await sumUp(tx, owner, 'ad_group_day', covered, changed)
  }
  if (!isFew) {
    await sql`drop table pulled_day, changed_day`.execute(tx)
    await sql`select set_config('enable_nestloop', 'on', true)`.execute(tx)
  }
  return days
}

/** Saves what differs by way of tables of the session, of which the planner knows how many rows they have: it takes a subquery for 200. */
async function saveMany(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  covered: Covered,
  rows: RawBuilder<unknown>,
): Promise<Changed> {
  await sql`create temporary table pulled_day on commit drop as ${pulledRows(table, rows)}`.execute(tx)
  await sql`analyze pulled_day`.execute(tx)
  const all = columnsOf(table)
  const typed = Object.entries(all).map(([name, type]) => `${name} ${type}`)
  await sql`create temporary table changed_day (${sql.raw(typed.join(', '))}) on commit drop`.execute(tx)
  // A table of the session is on the coordinator of a cluster; through a name of the statement its rows reach the workers.
  const pulled = sql`with p as (select * from pulled_day)`
  const save = (saved: RawBuilder<unknown>) =>
    sql`${pulled}, saved as (${saved} returning ${list(all)}) insert into changed_day select ${list(all)} from saved`.execute(
      tx,
    )
  const { remove, update, add } = differences(table, owner, covered)
  await save(remove)
  await save(update)
  // Apart from the others: where no conflict is looked for, a row takes half the time.
  await save(add)
  await sql`analyze changed_day`.execute(tx)
  const found = await sql<{ date: string }>`select distinct date from changed_day order by date`.execute(tx)
  return { rows: sql.table('changed_day'), days: found.rows.map(row => row.date), isFew: false }
}

/** The same for few rows, which the statements carry: tables of the session would cost many times what they save. */
async function saveFew(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  covered: Covered,
  rows: RawBuilder<unknown>,
): Promise<Changed> {
  const all = columnsOf(table)
  const pulled = sql`with p as materialized (${pulledRows(table, rows)})`
  const { remove, save } = differences(table, owner, covered)
  const changed: Record<string, unknown>[] = []
  for (const statement of [remove, save]) {
    const found = await sql<Record<string, unknown>>`${pulled} ${statement} returning ${list(all)}`.execute(tx)
    changed.push(...found.rows)
  }
  const columns = Object.entries(all).map(([name, type]) => sql`${changed.map(row => row[name])}::${sql.raw(type)}[]`)
  const days = [...new Set(changed.map(row => String(row.date)))].toSorted()
  return { rows: sql`(select * from unnest(${sql.join(columns)}) as u(${list(all)}))`, days, isFew: true }
}

/** The columns that say what a row is about, with their types. */
const columnsOf = (table: DailyTable): Record<string, string> => ({
  date: 'date',
  ...keys[table].identity,
  ...keys[table].others,
})

/** The rows of the pull, one for each key and day. */
function pulledRows(table: DailyTable, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const { identity, others } = keys[table]
  const dependent = Object.keys(others).map(name => `min(${name}) as ${name}, `)
  const sums = metricColumns.map(({ column }) => `sum(${column})::bigint as ${column}`)
  return sql`select date, ${list(identity)}, ${sql.raw(dependent.join(''))}${sql.raw(sums.join(', '))}
    from ${rows} r group by date, ${list(identity)} order by date, ${list(identity)}`
}

/** The statements that make the days of a table those of the pull `p`, without what they return; `save` updates and adds. */
function differences(table: DailyTable, owner: Owner, covered: Covered) {
  const { entity, identity, others } = keys[table]
  const [unique, all] = [Object.keys(identity), columnsOf(table)]
  const isSame = sql.raw(['date', ...unique].map(name => `t.${name} = p.${name}`).join(' and '))
  const values = [...Object.keys(others), ...metricColumns.map(({ column }) => column)]
  const of = (alias: string) => sql.raw(values.map(name => `${alias}.${name}`).join(', '))
  const mirrored = sql`t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and ${isSame}
        and t.date between ${covered.from} and ${covered.to}`
  // In the order of the key, so that the days of a list lie together on disk.
  const written = (
    from: RawBuilder<unknown>,
  ) => sql`insert into ${sql.table(table)} (merchant_id, profile_id, ${list(all)}, ${columnNames})
      select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${sql.raw(
        [...Object.keys(all), ...metricColumns.map(({ column }) => column)].map(name => `p.${name}`).join(', '),
      )}
      from ${from} order by p.date, ${sql.raw(unique.map(name => `p.${name}`).join(', '))}`
  const onConflict = sql`on conflict (merchant_id, profile_id, date, ${list(identity)}) do update set (${sql.raw(values.join(', '))}) = row(${of('excluded')})`
  const isDifferent = sql`(${of('t')}) is distinct from (${of('p')})`
  return {
    remove: sql`delete from ${sql.table(table)} t where ${daysOf(owner, covered, entity, unique[0] ?? '')}
        and not exists (select 1 from p where ${isSame})`,
    update: sql`${written(sql`p join ${sql.table(table)} t on ${mirrored} where ${isDifferent}`)} ${onConflict}`,
    add: written(sql`p where not exists (select from ${sql.table(table)} t where ${mirrored})`),
    save: sql`${written(sql`p left join ${sql.table(table)} t on ${mirrored} where t.date is null or ${isDifferent}`)} ${onConflict}`,
  }
}

const list = (columns: object) => sql.raw(Object.keys(columns).join(', '))

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
/** The rows of the covered days whose `id` is of their ad type. */
const daysOf = (owner: Owner, { from, to, adType }: Covered, entity: EntityName, id: string) =>
  sql`${ownedBy(owner)} and date between ${from} and ${to} and ${isOfAdType(owner, entity, sql.ref(id), adType)}`

/** Sums an account's targets by ad group, of the ad groups and days that changed. */
async function rollUpAdGroups(tx: Db, owner: Owner, { from, to }: Days, changed: RawBuilder<unknown>): Promise<void> {
  const own = sql`${ownedBy(owner)} and date between ${from} and ${to}
    and (date, ad_group_id) in (select c.date, c.ad_group_id from ${changed} c)`
  await sql`delete from ad_group_day where ${own}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columnNames})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, ${columnSums}
    from target_day where ${own} group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}
