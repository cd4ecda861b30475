import { CompiledQuery, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export type DailyTable = 'campaign_day' | 'target_day' | 'search_term_day' | 'ad_day'

type Cell = string | number | null
/** A day of one thing; keys by our own ids, money in micros. */
export type DailyRow = Record<string, Cell> & { date: string }

const figures = [
  ['impressions', 'bigint'],
  ['clicks', 'bigint'],
  ['cost_micros', 'bigint'],
  ['sales_micros', 'bigint'],
  ['orders', 'bigint'],
  ['units', 'bigint'],
] as const

const keys: Record<DailyTable, readonly (readonly [name: string, type: string])[]> = {
  campaign_day: [['campaign_id', 'bigint']],
  target_day: [
    ['campaign_id', 'bigint'],
    ['ad_group_id', 'bigint'],
    ['target_id', 'bigint'],
  ],
  search_term_day: [
    ['campaign_id', 'bigint'],
    ['ad_group_id', 'bigint'],
    ['target_id', 'bigint'],
    ['search_term', 'text'],
  ],
  ad_day: [
    ['campaign_id', 'bigint'],
    ['ad_group_id', 'bigint'],
    ['ad_id', 'bigint'],
    ['asin', 'text'],
  ],
}

const batch = 5000

/**
 * Replaces an account's days from `from` to `to` (both included) by these rows, in the caller's transaction. Rows of one
 * key and day are added up, so nothing is counted twice and nothing is lost.
 */
export const replaceDays = async (
  tx: Db,
  table: DailyTable,
  owner: { merchantId: number; profileId: number },
  range: { from: string; to: string },
  rows: readonly DailyRow[],
): Promise<void> => {
  // Two pulls that overlap would each add to what the other has just put in: the second waits for the first to end.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${owner.merchantId} ${owner.profileId}`}, 0))`.execute(
    tx,
  )
  await sql`delete from ${sql.table(table)}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date between ${range.from} and ${range.to}`.execute(
    tx,
  )
  const inputs = [...keys[table], ['date', 'date'], ...figures] as const
  const names = inputs.map(([name]) => name)
  const sums = figures.map(([name]) => name)
  const identity =
    table === 'campaign_day'
      ? 'campaign_id'
      : table === 'ad_day'
        ? 'ad_id'
        : table === 'target_day'
          ? 'target_id'
          : 'target_id, search_term'
  const text = `insert into ${table} (merchant_id, profile_id, ${names.join(', ')})
    select $1::bigint, $2::bigint, ${names.map(n => (sums.includes(n as (typeof sums)[number]) ? `sum(u.${n})` : keyOf(n, identity))).join(', ')}
    from unnest(${inputs.map(([, type], i) => `$${i + 3}::${type}[]`).join(', ')}) as u(${names.join(', ')})
    group by u.date, ${identity
      .split(', ')
      .map(n => `u.${n}`)
      .join(', ')}
    on conflict (merchant_id, date, ${identity}) do update set ${sums.map(n => `${n} = ${table}.${n} + excluded.${n}`).join(', ')}`
  for (let at = 0; at < rows.length; at += batch) {
    const part = rows.slice(at, at + batch)
    const arrays = names.map(name => part.map(row => row[name] ?? null))
    await tx.executeQuery(CompiledQuery.raw(text, [owner.merchantId, owner.profileId, ...arrays]))
  }
}

const keyOf = (name: string, identity: string): string =>
  name === 'date' || identity.split(', ').includes(name) ? `u.${name}` : `min(u.${name})`
