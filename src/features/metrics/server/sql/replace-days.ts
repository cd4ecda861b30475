import { sql, type RawBuilder } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'

/** A row of a daily report: its day, the keys and the metrics of its table by column. */
export type DailyRow = Record<string, string | number | null> & { date: string }

/** The key columns of each daily table with their types: those that identify a row of a day, then those that follow from them. */
const keys = {
  campaign_day: { identity: { campaign_id: 'bigint' }, others: {} },
  target_day: { identity: { target_id: 'bigint' }, others: { campaign_id: 'bigint', ad_group_id: 'bigint' } },
  search_term_day: {
    identity: { target_id: 'bigint', search_term: 'text' },
    others: { campaign_id: 'bigint', ad_group_id: 'bigint' },
  },
  ad_day: { identity: { ad_id: 'bigint' }, others: { campaign_id: 'bigint', ad_group_id: 'bigint', asin: 'text' } },
} as const
export type DailyTable = keyof typeof keys

const batch = 5000

/**
 * Replaces an account's days from `from` to `to` (both included) by these rows, in the caller's transaction. Rows of one
 * key and day are added up, so nothing is counted twice and nothing is lost.
 */
export async function replaceDays(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  range: { from: string; to: string },
  rows: readonly DailyRow[],
): Promise<void> {
  // Two pulls that overlap would each add to what the other has just put in: the second waits for the first to end.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${owner.merchantId} ${owner.profileId}`}, 0))`.execute(
    tx,
  )
  await sql`delete from ${sql.table(table)} where merchant_id = ${owner.merchantId}
    and profile_id = ${owner.profileId} and date between ${range.from} and ${range.to}`.execute(tx)
  const { identity, others } = keys[table]
  const keyTypes: Record<string, string> = { date: 'date', ...identity, ...others }
  const [unique, dependent] = [Object.keys(identity), Object.keys(others)]
  const selected = [...unique, ...dependent.map(name => `min(${name})`)]
  const additions = metricColumns.map(({ column }) => `${column} = t.${column} + excluded.${column}`)
  for (let at = 0; at < rows.length; at += batch) {
    const part = rows.slice(at, at + batch)
    const arrays = [
      ...Object.entries(keyTypes).map(([name, type]) => sql`${part.map(row => row[name] ?? null)}::${sql.raw(type)}[]`),
      ...metricColumns.map(({ column }) => sql`${part.map(row => row[column] ?? 0)}::bigint[]`),
    ]
    await sql`insert into ${sql.table(table)} as t (merchant_id, profile_id, ${list(keyTypes)}, ${columnNames})
      select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, date, ${sql.raw(selected.join(', '))}, ${columnSums}
      from unnest(${sql.join(arrays)}) as u(${list(keyTypes)}, ${columnNames})
      group by date, ${list(identity)}
      on conflict (merchant_id, date, ${list(identity)}) do update set ${sql.raw(additions.join(', '))}`.execute(tx)
  }
}

const list = (columns: object) => sql.raw(Object.keys(columns).join(', '))

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
const mondayOf = (day: RawBuilder<unknown>) => sql`(${day} - (extract(isodow from ${day})::int - 1))`

/** Sums an account's targets by ad group for the days, both included, in the transaction that replaced them. */
export async function rollUpAdGroups(tx: Db, owner: Owner, { from, to }: { from: string; to: string }): Promise<void> {
  const days = sql`${ownedBy(owner)} and date between ${from} and ${to}`
  await sql`delete from ad_group_day where ${days}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columnNames})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, ${columnSums}
    from target_day where ${days} group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}

/**
 * Sums an account's targets by week for every week that these days (both included) touch, in the transaction that
 * replaced them.
 */
export async function rollUpWeeks(tx: Db, owner: Owner, { from, to }: { from: string; to: string }): Promise<void> {
  const [first, last] = [mondayOf(sql`${from}::date`), mondayOf(sql`${to}::date`)]
  await sql`delete from target_week where ${ownedBy(owner)} and week between ${first} and ${last}`.execute(tx)
  await sql`insert into target_week (merchant_id, profile_id, target_id, week, ${columnNames})
    select merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}, ${columnSums}
    from target_day where ${ownedBy(owner)} and date between ${first} and ${last} + 6
    group by merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}`.execute(tx)
}
