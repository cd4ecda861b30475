import type { Grant } from '#integrations/login-with-amazon/index.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { ConnectionKind } from '../../contract.ts'
import { profilesConnected } from '../signals.ts'
import { claimOf, joinTrial, reconnect, membership, merchantById } from '../sql/merchants.ts'
import { managedProfiles } from '../sql/profiles.ts'
import { storeGrant } from '../tokens.ts'

export interface Seller {
  region: RegionKey
  sellingPartnerId: string
  name: string
  accountType: 'SELLER' | 'VENDOR'
}

interface NewConnection {
  kind: ConnectionKind
  grant: Grant
  /** What the audit says of it. */
  audited: object
  /** Saves what came with the consent. */
  save: (merchantId: number, connectionId: number) => Promise<void>
}

/** Connects a seller with a granted consent. Null when another user's merchant holds the seller. */
export async function connectSeller(
  ctx: Ctx,
  tx: Db,
  seller: Seller,
  { kind, grant, audited, save }: NewConnection,
): Promise<{ merchantId: number; connectionId: number } | null> {
  const { accountId } = ctx.actor
  const now = ctx.clock.now()
  const merchantId = await merchantForSeller(tx, accountId, seller)
  if (merchantId === null) return null
  await joinTrial(tx, merchantId, accountId, now)
  const health = { health: 'CONNECTED' as const, lost_at: null, connected_at: now, renewing_until: null }
  const fresh = { region: seller.region, granted_by: accountId, ...health }
  const { id: connectionId } = await tx
    .insertInto('connection')
    .values({ merchant_id: merchantId, kind, ...fresh })
    .onConflict(conflict => conflict.columns(['merchant_id', 'kind']).doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  await storeGrant(ctx, tx, { merchantId, connectionId }, grant)
  await save(merchantId, connectionId)
  await raiseVersion(tx, merchantId)
  // They can be read again, or for the first time together with the seller account.
  const managed = await managedProfiles(tx, [merchantId]).execute()
  if (managed.length)
    await ctx.jobs.announce(tx, profilesConnected, { merchantId, profileIds: managed.map(row => row.id) })
  const entity = { merchantId, entity: 'connection', entityId: connectionId, after: { kind, ...audited } }
  await recordAudit(tx, { ...entity, accountId, action: 'connection.connect', requestId: ctx.requestId })
  await ctx.events.publish(tx, [accountId], 'connections', { merchantId, connectionId })
  return { merchantId, connectionId }
}

/**
 * The merchant under which an account keeps a seller: its own, made when nobody holds the seller yet, and brought back
 * when it was disconnected. Null when another user's merchant holds it: a second user comes in by invitation of the
 * owner, never by a consent of his own, since a consent proves access to a seller but not the owner's will to share.
 */
export async function merchantForSeller(tx: Db, accountId: number, seller: Seller): Promise<number | null> {
  const holder = await claimOf(tx, seller.region, seller.sellingPartnerId)
  if (holder === undefined) return newMerchant(tx, accountId, seller)
  const mine = await membership(tx, accountId, holder)
  const merchant = await merchantById(tx, holder)
  if (mine?.role === 'OWNER') {
    if (merchant?.disconnectedAt) await reconnect(tx, holder)
    // The seller account gives no name where it has no store; the advertising account has one.
    if (merchant && merchant.name === seller.sellingPartnerId && seller.name !== merchant.name) {
      await tx.updateTable('merchant').set({ name: seller.name }).where('merchant_id', '=', holder).execute()
      await raiseVersion(tx, holder)
    }
    return holder
  }
  // Disconnected, or deleted since: the seller is free.
  return !merchant || merchant.disconnectedAt ? newMerchant(tx, accountId, seller) : null
}

/** Adds a merchant with its owner, and assigns the seller to it and not to its previous one. */
async function newMerchant(tx: Db, accountId: number, seller: Seller): Promise<number> {
  const { region, name, accountType, sellingPartnerId: selling_partner_id } = seller
  const { merchant_id } = await tx
    .insertInto('merchant')
    .values({ name, account_type: accountType, region, selling_partner_id })
    .returning('merchant_id')
    .executeTakeFirstOrThrow()
  const owner = { account_id: accountId, merchant_id, role: 'OWNER' as const, ended_at: null }
  await tx.insertInto('membership').values(owner).execute()
  await tx
    .insertInto('seller_claim')
    .values({ region, selling_partner_id, merchant_id, trial_used_at: null, trial_account_id: null })
    .onConflict(conflict => conflict.columns(['region', 'selling_partner_id']).doUpdateSet({ merchant_id }))
    .execute()
  await raiseVersion(tx, merchant_id)
  return merchant_id
}
