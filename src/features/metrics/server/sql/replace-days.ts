import { sql } from 'kysely'
import type { EntityName } from '#features/structure/contract.ts'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Db } from '#server/db/tables.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'
import { sumUp } from './running-sums.ts'

/** A row of a daily report: its day, the keys and the metrics of its table by column. */
export type DailyRow = Record<string, string | number | null> & { date: string }

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
} as const
export type DailyTable = keyof typeof keys

const batch = 5000

/** What a report covers: the days, both included, of one ad type. */
export interface Covered {
  from: string
  to: string
  adType: AdType
}

/**
 * Replaces what an account's days hold of an ad type by these rows, with all that is summed from them, in the caller's
 * transaction. Rows of one key and day are added up, so nothing is counted twice and nothing is lost.
 */
export async function replaceDays(
  tx: Db,
  table: DailyTable,
  owner: Owner,
  covered: Covered,
  rows: readonly DailyRow[],
): Promise<void> {
  // Two pulls that overlap would each add to what the other has just put in: the second waits for the first to end.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${owner.merchantId} ${owner.profileId}`}, 0))`.execute(
    tx,
  )
  const { entity, identity, others } = keys[table]
  await sql`delete from ${sql.table(table)} where ${daysOf(owner, covered, entity, Object.keys(identity)[0] ?? '')}`.execute(
    tx,
  )
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
  await sumUp(tx, owner, table, covered)
  if (table !== 'target_day') return
  await rollUpAdGroups(tx, owner, covered)
  await sumUp(tx, owner, 'ad_group_day', covered)
}

const list = (columns: object) => sql.raw(Object.keys(columns).join(', '))

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
/** The rows of the covered days whose `id` is of their ad type. */
const daysOf = (owner: Owner, { from, to, adType }: Covered, entity: EntityName, id: string) =>
  sql`${ownedBy(owner)} and date between ${from} and ${to} and ${isOfAdType(owner, entity, sql.ref(id), adType)}`

/** Sums an account's targets by ad group for the covered days. */
async function rollUpAdGroups(tx: Db, owner: Owner, covered: Covered): Promise<void> {
  await sql`delete from ad_group_day where ${daysOf(owner, covered, 'adGroup', 'ad_group_id')}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columnNames})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, ${columnSums}
    from target_day where ${daysOf(owner, covered, 'target', 'target_id')}
    group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}
