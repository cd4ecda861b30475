import { sql } from 'kysely'
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
  owner: { merchantId: number; profileId: number },
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
