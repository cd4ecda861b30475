import { type RawBuilder, sql } from 'kysely'
import type { EntityName } from '#features/structure/contract.ts'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Db } from '#server/db/tables.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'
import { sumUp } from './running-sums.ts'
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

/**
 * Replaces what an account's days hold of an ad type by these rows, with all that is summed from them, in the caller's
 * transaction. `rows` is a subquery with the day, the keys and the metrics of the table by column; rows of one key and day are
 * added up, so nothing is counted twice and nothing is lost. Only what differs is written, since most of what a pull brings is
 * there already. Answers which days changed, null when none did.
 */
export async function replaceDays(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  covered: Covered,
  rows: RawBuilder<unknown>,
): Promise<Days | null> {
  // Two pulls that overlap would each add to what the other has just put in: the second waits for the first to end.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${owner.merchantId} ${owner.profileId}`}, 0))`.execute(
    tx,
  )
  // The statistics do not know days that came just now: a loop over half a million rows would be planned as one over one row.
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '32MB', true)`.execute(tx)
  await pullRows(tx, table, rows)
  await saveDifferences(tx, table, owner, covered)
  const found = await sql<{ from: string | null; to: string | null }>`select min(date) as from, max(date) as to
    from changed_day`.execute(tx)
  const { from = null, to = null } = found.rows[0] ?? {}
  const changed = from !== null && to !== null ? { from, to } : null
  await sumUp(tx, owner, table, covered, changedDays)
  if (table === 'search_term_day' && changed) await sumUpTerms(tx, owner, changed, changedDays)
  if (table === 'target_day') {
    if (changed) await rollUpAdGroups(tx, owner, changed)
    await sumUp(tx, owner, 'ad_group_day', covered, changedDays)
  }
  await sql`drop table pulled_day, changed_day`.execute(tx)
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(tx)
  return changed
}

// In tables of the session, of which the planner knows how many rows they have: it takes a subquery for 200.

/** The rows of the pull, one for each key and day. */
async function pullRows(tx: Db, table: DailyTable, rows: RawBuilder<unknown>): Promise<void> {
  const { identity, others } = keys[table]
  const dependent = Object.keys(others).map(name => `min(${name}) as ${name}, `)
  const sums = metricColumns.map(({ column }) => `sum(${column})::bigint as ${column}`)
  await sql`create temporary table pulled_day on commit drop as
    select date, ${list(identity)}, ${sql.raw(dependent.join(''))}${sql.raw(sums.join(', '))}
    from ${rows} r group by date, ${list(identity)} order by date, ${list(identity)}`.execute(tx)
  await sql`analyze pulled_day`.execute(tx)
}

// A table of the session is on the coordinator of a cluster; through a name of the statement its rows reach the workers.
const pulled = sql`with p as (select * from pulled_day)`

/** Which rows of a daily table a pull changed. */
const changedDays = sql.table('changed_day')

async function saveDifferences(tx: Db, table: DailyTable, owner: Owner, covered: Covered): Promise<void> {
  const { entity, identity, others } = keys[table]
  const [unique, all] = [Object.keys(identity), { date: 'date', ...identity, ...others }]
  await sql`create temporary table changed_day (${sql.raw(
    Object.entries(all)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )}) on commit drop`.execute(tx)
  const isSame = sql.raw(['date', ...unique].map(name => `t.${name} = p.${name}`).join(' and '))
  await sql`${pulled}, removed as (
      delete from ${sql.table(table)} t where ${daysOf(owner, covered, entity, unique[0] ?? '')}
        and not exists (select 1 from p where ${isSame})
      returning ${list(all)}
    ) insert into changed_day select ${list(all)} from removed`.execute(tx)
  const values = [...Object.keys(others), ...metricColumns.map(({ column }) => column)]
  const of = (alias: string) => sql.raw(values.map(name => `${alias}.${name}`).join(', '))
  const mirrored = sql`t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and ${isSame}
        and t.date between ${covered.from} and ${covered.to}`
  const written = (
    from: RawBuilder<unknown>,
  ) => sql`insert into ${sql.table(table)} (merchant_id, profile_id, ${list(all)}, ${columnNames})
      select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${sql.raw(
        [...Object.keys(all), ...metricColumns.map(({ column }) => column)].map(name => `p.${name}`).join(', '),
      )}
      from ${from} order by p.date, ${sql.raw(unique.map(name => `p.${name}`).join(', '))}`
  const save = (rows: RawBuilder<unknown>) =>
    sql`${pulled}, saved as (${rows} returning ${list(all)}) insert into changed_day select ${list(all)} from saved`.execute(
      tx,
    )
  await save(sql`${written(sql`p join ${sql.table(table)} t on ${mirrored} where (${of('t')}) is distinct from (${of('p')})`)}
    on conflict (merchant_id, profile_id, date, ${list(identity)}) do update set (${sql.raw(values.join(', '))}) = row(${of('excluded')})`)
  // Apart from the others: where no conflict is looked for, a row takes half the time. In the order of the key, so that the days
  // of a list lie together on disk.
  await save(written(sql`p where not exists (select from ${sql.table(table)} t where ${mirrored})`))
  await sql`analyze changed_day`.execute(tx)
}

const list = (columns: object) => sql.raw(Object.keys(columns).join(', '))

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
/** The rows of the covered days whose `id` is of their ad type. */
const daysOf = (owner: Owner, { from, to, adType }: Covered, entity: EntityName, id: string) =>
  sql`${ownedBy(owner)} and date between ${from} and ${to} and ${isOfAdType(owner, entity, sql.ref(id), adType)}`

/** Sums an account's targets by ad group, of the ad groups and days that changed. */
async function rollUpAdGroups(tx: Db, owner: Owner, { from, to }: Days): Promise<void> {
  const own = sql`${ownedBy(owner)} and date between ${from} and ${to}
    and (date, ad_group_id) in (select date, ad_group_id from changed_day)`
  await sql`delete from ad_group_day where ${own}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columnNames})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, ${columnSums}
    from target_day where ${own} group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}
