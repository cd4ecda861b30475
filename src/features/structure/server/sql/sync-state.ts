import { sql } from 'kysely'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './entity-sql.ts'

/** Notes that the mirror of an account has every change of before a moment. A moment before the noted one changes nothing. */
export async function noteSynchronized(db: Database, { merchantId, profileId }: Owner, at: Date): Promise<void> {
  // No answer shows it: as the owner of the tables, so that cached answers of the merchant stay.
  await db.transaction(async tx => {
    await sql`insert into structure_sync (merchant_id, profile_id, synchronized_at) values (${merchantId}, ${profileId}, ${at})
      on conflict (merchant_id, profile_id) do update
        set synchronized_at = greatest(structure_sync.synchronized_at, excluded.synchronized_at)`.execute(tx)
  })
}

/** Up to when the mirror of an account has every change; null before its first import. */
export async function synchronizedAt(tx: Db, { merchantId, profileId }: Owner): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`select synchronized_at as at from structure_sync
    where merchant_id = ${merchantId} and profile_id = ${profileId}`.execute(tx)
  return rows[0]?.at ?? null
}

/** An account, and up to when its mirror has every change. */
export interface Synchronized extends Owner {
  at: Date
}

/** Of all merchants: the accounts that were synchronized before a moment at last; of these, if any are named. For jobs only. */
export async function dueSynchronizations(
  system: Db,
  before: Date,
  accounts?: readonly Owner[],
): Promise<Synchronized[]> {
  const { rows } =
    await sql<Synchronized>`select merchant_id as "merchantId", profile_id as "profileId", synchronized_at as at
    from structure_sync where synchronized_at < ${before} ${accounts ? sql`and ${areOf(accounts)}` : sql``}
    order by merchant_id, profile_id`.execute(system)
  return rows
}

/** Notes the same of several merchants' accounts at once. For jobs only. */
export async function noteAllSynchronized(system: Db, accounts: readonly Owner[], at: Date): Promise<void> {
  await sql`update structure_sync set synchronized_at = greatest(synchronized_at, ${at}::timestamptz)
    where ${areOf(accounts)}`.execute(system)
}

/** Which of these accounts have targets that are to be counted again. For jobs only. */
export async function toRecount<T extends Owner>(system: Db, accounts: readonly T[]): Promise<T[]> {
  const counted = await sql<{ id: number }>`select profile_id as id from target_count
    where campaign_id is null and ${areOf(accounts)}`.execute(system)
  const stale = await sql<{ id: number }>`select profile_id as id from target_count_stale
    where ${areOf(accounts)}`.execute(system)
  const [countedIds, staleIds] = [counted, stale].map(({ rows }) => new Set(rows.map(row => row.id)))
  return accounts.filter(({ profileId }) => !countedIds?.has(profileId) || staleIds?.has(profileId))
}

const areOf = (accounts: readonly Owner[]) =>
  sql`merchant_id = any(${accounts.map(one => one.merchantId)}::bigint[]) and profile_id = any(${accounts.map(one => one.profileId)}::bigint[])`

/** Accounts in groups of at most 64, each with a key under which it always has the same accounts. */
export function inGroups(accounts: readonly Owner[]): { key: string; accounts: Owner[] }[] {
  const groups = Map.groupBy(accounts, ({ profileId }) => Math.floor(profileId / 64))
  return [...groups].map(([group, own]) => ({
    key: `${group}`,
    accounts: own.map(({ merchantId, profileId }) => ({ merchantId, profileId })),
  }))
}

/** The ad types of campaigns by the marketplace's ids; of those that are not mirrored yet there is none. */
export async function adTypesByCampaign(
  tx: Db,
  { merchantId, profileId }: Owner,
  amazonIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ amazonId: string; adType: string }>`select amazon_id as "amazonId", ad_type as "adType"
    from campaign where merchant_id = ${merchantId} and profile_id = ${profileId} and amazon_id = any(${amazonIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.amazonId, row.adType]))
}
