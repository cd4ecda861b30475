import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db } from '#server/db/tables.ts'
import { addOwner, endMemberships, membership } from '../sql/memberships.ts'
import {
  claimOf,
  claimSeller,
  insertMerchant,
  markDisconnected,
  merchantById,
  renameMerchant,
} from '../sql/merchants.ts'

export interface Seller {
  region: RegionKey
  sellingPartnerId: string
  name: string
  accountType: 'SELLER' | 'VENDOR'
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
    if (merchant?.disconnectedAt) {
      await markDisconnected(tx, holder, null)
      await endMemberships(tx, holder, null)
    }
    // The seller account gives no name where it has no store; the advertising account has one.
    if (merchant && merchant.name === seller.sellingPartnerId && seller.name !== merchant.name)
      await renameMerchant(tx, holder, seller.name)
    return holder
  }
  // Disconnected, or deleted since: the seller is free.
  return !merchant || merchant.disconnectedAt ? newMerchant(tx, accountId, seller) : null
}

async function newMerchant(tx: Db, accountId: number, seller: Seller): Promise<number> {
  const merchantId = await insertMerchant(tx, seller)
  await addOwner(tx, accountId, merchantId)
  await claimSeller(tx, seller.region, seller.sellingPartnerId, merchantId)
  return merchantId
}
