import { sql } from 'kysely'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'

/** For a condition: equal to one of these ids. */
export const anyOf = (ids: readonly number[]) =>
  sql<number>`${ids.length === 1 ? sql`${ids[0]}` : sql`any(${[...ids]}::bigint[])`}`

/** These merchants, by name; unknown ids are left out. */
export function merchantsByIds(db: Db, merchantIds: readonly number[]) {
  return db
    .selectFrom('merchant')
    .select(['merchant_id as merchantId', 'name', 'account_type as accountType', 'region'])
    .select(['selling_partner_id as sellingPartnerId', 'disconnected_at as disconnectedAt'])
    .where('merchant_id', '=', anyOf(merchantIds))
    .orderBy('name')
    .orderBy('merchant_id')
    .execute()
}
export type MerchantRow = Awaited<ReturnType<typeof merchantsByIds>>[number]

/**
 * The names of these merchants. For rows of tables that belong to no merchant: on a cluster those are on the coordinator,
 * where a join with merchants is slow at best.
 */
export async function merchantNames(
  db: Db,
  merchantIds: readonly (number | null)[],
): Promise<Map<number | null, string>> {
  const ids = [...new Set(merchantIds)].filter(id => id !== null)
  const rows = ids.length ? await merchantsByIds(db, ids) : []
  return new Map(rows.map(({ merchantId, name }) => [merchantId, name]))
}

/** One merchant; undefined when there is none. */
export async function merchantById(db: Db, merchantId: number): Promise<MerchantRow | undefined> {
  return (await merchantsByIds(db, [merchantId]))[0]
}

/** The connections of these merchants, those to the seller account first. */
export function connectionsOf(db: Db, merchantIds: readonly number[]) {
  return db
    .selectFrom('connection')
    .select(['merchant_id as merchantId', 'id', 'kind', 'region', 'health'])
    .select(['connected_at as connectedAt', 'lost_at as lostAt'])
    .where('merchant_id', '=', anyOf(merchantIds))
    .orderBy('merchant_id')
    .orderBy('kind', 'desc')
    .execute()
}

/** The connections of all merchants whose permission was revoked. For jobs. */
export async function lostConnections(system: Db) {
  return system
    .selectFrom('connection as c')
    .innerJoin('merchant as m', 'm.merchant_id', 'c.merchant_id')
    .select(['c.merchant_id as merchantId', 'c.id', 'c.kind', 'c.lost_at as lostAt', 'm.name as merchantName'])
    .where('c.health', '=', 'LOST')
    .where('m.disconnected_at', 'is', null)
    .orderBy('c.id')
    .execute()
}

/** Sets since when a merchant is disconnected, and until when its data is kept; null: it is connected. */
async function setDisconnected(
  db: Db,
  merchantId: number,
  at: { disconnectedAt: Date; dataKeptUntil: Date } | null,
): Promise<void> {
  const disconnected_at = at?.disconnectedAt ?? null
  const changes = { disconnected_at, data_kept_until: at?.dataKeptUntil ?? null }
  await db.updateTable('merchant').set(changes).where('merchant_id', '=', merchantId).execute()
  await db.updateTable('membership').set({ ended_at: disconnected_at }).where('merchant_id', '=', merchantId).execute()
}

/** Takes a disconnected merchant up again, with those who worked in it. */
export async function reconnect(db: Db, merchantId: number): Promise<void> {
  await setDisconnected(db, merchantId, null)
  await raiseVersion(db, merchantId)
}

/** Destroys a merchant's tokens, and marks it as disconnected: nobody works in it any longer. */
export async function disconnect(
  db: Db,
  merchantId: number,
  at: { disconnectedAt: Date; dataKeptUntil: Date },
): Promise<void> {
  const noTokens = { refresh_token_sealed: null, access_token_sealed: null, access_token_expires_at: null }
  const disconnected = { health: 'DISCONNECTED' as const, renewing_until: null, ...noTokens }
  const noChoice = { current_merchant_id: null, current_marketplace_id: null }
  await db.updateTable('connection').set(disconnected).where('merchant_id', '=', merchantId).execute()
  const unmanaged = { is_managed: false, managed_at: null }
  await db.updateTable('ads_profile').set(unmanaged).where('merchant_id', '=', merchantId).execute()
  await db.updateTable('account').set(noChoice).where('current_merchant_id', '=', merchantId).execute()
  await setDisconnected(db, merchantId, at)
  await raiseVersion(db, merchantId)
}

/** The merchants, disconnected ones included, that an account owns and nobody else does: viewers have no say. */
export async function merchantsOfOnly(db: Db, accountId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select m.merchant_id as id from membership m
    where m.account_id = ${accountId} and m.role = 'OWNER' and not exists (select from membership o
      where o.merchant_id = m.merchant_id and o.account_id <> m.account_id and o.role = 'OWNER'
        and (o.ended_at is null or m.ended_at is not null))
    order by m.merchant_id`.execute(db)
  return rows.map(row => row.id)
}

/** The account's role in a merchant, `ended` ones included; undefined when it never belonged to it. */
export function membership(db: Db, accountId: number, merchantId: number) {
  return db
    .selectFrom('membership')
    .select(['role', 'ended_at as endedAt'])
    .where('account_id', '=', accountId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
}

/** The accounts that belong to a merchant. */
export async function accountsOf(db: Db, merchantId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('account_id')
    .where('merchant_id', '=', merchantId)
    .where('ended_at', 'is', null)
    .orderBy('account_id')
    .execute()
  return rows.map(row => row.account_id)
}

/** The accounts that own a merchant. */
export async function ownersOf(db: Db, merchantId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('account_id')
    .where('merchant_id', '=', merchantId)
    .where('role', '=', 'OWNER')
    .where('ended_at', 'is', null)
    .orderBy('account_id')
    .execute()
  return rows.map(row => row.account_id)
}

/** The connected merchants that an account owns. */
export async function ownedMerchants(db: Db, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('merchant_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'OWNER')
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(row => row.merchant_id)
}

/** Uses up the one trial of a merchant's seller, for good; false when it was used already. */
export async function takeTrial(db: Db, merchantId: number, accountId: number, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('seller_claim')
    .set({ trial_used_at: at, trial_account_id: accountId })
    .where('merchant_id', '=', merchantId)
    .where('trial_used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses up the trial of a merchant's seller if the account that connects it is on trial just now. */
export async function joinTrial(db: Db, merchantId: number, accountId: number, now: Date): Promise<void> {
  // A trial that starts at this moment either sees the new merchant or is seen here.
  const account = await db
    .selectFrom('account')
    .select(['trial_started_at', 'trial_ends_at'])
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst()
  if (account?.trial_started_at && account.trial_ends_at && account.trial_ends_at > now)
    await takeTrial(db, merchantId, accountId, account.trial_started_at)
}

/** Which merchant holds a seller; undefined when nobody does. Others who ask wait for the end of the transaction. */
export async function claimOf(db: Db, region: RegionKey, sellingPartnerId: string): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`seller:${region}:${sellingPartnerId}`}, 0))`.execute(db)
  const row = await db
    .selectFrom('seller_claim')
    .select('merchant_id')
    .where('region', '=', region)
    .where('selling_partner_id', '=', sellingPartnerId)
    .executeTakeFirst()
  return row?.merchant_id
}
