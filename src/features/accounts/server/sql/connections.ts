import { sql } from 'kysely'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { ConnectionKind } from '../../contract.ts'

export interface ConnectionRow {
  merchantId: number
  id: number
  kind: ConnectionKind
  region: RegionKey
  health: Row<'connection'>['health']
  connectedAt: Date
  lostAt: Date | null
}

const columns = [
  'merchant_id as merchantId',
  'id',
  'kind',
  'region',
  'health',
  'connected_at as connectedAt',
  'lost_at as lostAt',
] as const

/** The connections of these merchants, those to the seller account first. */
export function connectionsOf(db: Db, merchantIds: readonly number[]): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connection')
    .select(columns)
    .where('merchant_id', '=', sql<number>`any(${[...merchantIds]}::bigint[])`)
    .orderBy('merchant_id')
    .orderBy('kind', 'desc')
    .execute()
}

/**
 * The row of a merchant's connection of a kind, created if needed, with fresh health and no tokens; returns its id. The
 * tokens are sealed for this id and follow by `storeTokens`.
 */
export async function openConnection(
  db: Db,
  consent: { merchantId: number; kind: ConnectionKind; region: RegionKey; grantedBy: number; now: Date },
): Promise<number> {
  const fresh = {
    region: consent.region,
    granted_by: consent.grantedBy,
    health: 'CONNECTED' as const,
    lost_at: null,
    connected_at: consent.now,
    renewing_until: null,
  }
  const row = await db
    .insertInto('connection')
    .values({ merchant_id: consent.merchantId, kind: consent.kind, ...fresh })
    .onConflict(conflict => conflict.columns(['merchant_id', 'kind']).doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  await raiseVersion(db, consent.merchantId)
  return row.id
}

export interface SealedTokens {
  refreshTokenSealed: string
  accessTokenSealed: string
  accessTokenExpiresAt: Date
}

/** Stores sealed tokens and lets the next renewal begin. */
export async function storeTokens(db: Db, merchantId: number, id: number, tokens: SealedTokens): Promise<void> {
  await db
    .updateTable('connection')
    .set({
      refresh_token_sealed: tokens.refreshTokenSealed,
      access_token_sealed: tokens.accessTokenSealed,
      access_token_expires_at: tokens.accessTokenExpiresAt,
      renewing_until: null,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('health', '=', 'CONNECTED')
    .execute()
  await raiseVersion(db, merchantId)
}

/** A connection with its sealed tokens; undefined when the merchant has none of this id. */
export function tokensOf(db: Db, merchantId: number, id: number) {
  return db
    .selectFrom('connection')
    .select([
      'kind',
      'health',
      'refresh_token_sealed as refreshTokenSealed',
      'access_token_sealed as accessTokenSealed',
      'access_token_expires_at as accessTokenExpiresAt',
    ])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Marks a working connection as lost and forgets its access token; false when it was not working. */
export async function loseConnection(db: Db, merchantId: number, id: number, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('connection')
    .set({
      health: 'LOST',
      lost_at: at,
      access_token_sealed: null,
      access_token_expires_at: null,
      renewing_until: null,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('health', '=', 'CONNECTED')
    .executeTakeFirst()
  await raiseVersion(db, merchantId)
  return result.numUpdatedRows === 1n
}

/** Destroys every token of a merchant. */
export async function destroyTokens(db: Db, merchantId: number): Promise<void> {
  await db
    .updateTable('connection')
    .set({
      health: 'DISCONNECTED',
      refresh_token_sealed: null,
      access_token_sealed: null,
      access_token_expires_at: null,
      renewing_until: null,
    })
    .where('merchant_id', '=', merchantId)
    .execute()
  await raiseVersion(db, merchantId)
}

/** Whose connection this is; undefined when there is none. The one look-up that knows no merchant. */
export async function merchantOfConnection(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('connection').select('merchant_id').where('id', '=', id).executeTakeFirst()
  return row?.merchant_id
}
