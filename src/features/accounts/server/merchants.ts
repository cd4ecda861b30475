import { addDays } from 'date-fns/addDays'
import { AppError } from '#shared/errors.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { ConnectionKind, Merchant, MerchantDetail } from '../contract.ts'
import { factsOf, merchantAnswer, profileAnswer } from './present.ts'
import {
  accountsOf,
  anyOf,
  connectionsOf,
  disconnect,
  membership,
  merchantById,
  merchantsByIds,
} from './sql/merchants.ts'
import { profileRows } from './sql/profiles.ts'

/** Throws NOT_FOUND unless the actor belongs to the merchant; returns the role. */
export async function requireMember(ctx: Ctx, merchantId: number): Promise<'OWNER' | 'VIEWER'> {
  const row = await membership(ctx.db.system, ctx.actor.accountId, merchantId)
  if (!row || row.endedAt) throw new AppError('NOT_FOUND', 'There is no such merchant.')
  return row.role
}

/** Throws NOT_FOUND unless the actor belongs to the merchant, FORBIDDEN unless as its owner. */
export async function requireOwner(ctx: Ctx, merchantId: number): Promise<void> {
  if ((await requireMember(ctx, merchantId)) !== 'OWNER')
    throw new AppError('FORBIDDEN', 'You may look at this merchant, but not change it.')
}

/** The user's merchants, by name; empty when none is connected. */
export async function listMerchants(ctx: Ctx): Promise<Merchant[]> {
  const { merchantIds } = ctx.actor
  const rows = await ctx.db.tenant(merchantIds, tx => merchantsByIds(tx, merchantIds))
  return rows.map(merchantAnswer)
}

/** The user's merchants that have a connection of a kind, with the country codes it reaches. */
export async function listMerchantsInfo(ctx: Ctx, provider: ConnectionKind) {
  const { merchantIds } = ctx.actor
  return ctx.db.tenant(merchantIds, async tx => {
    const connections = await connectionsOf(tx, merchantIds)
    const connected = connections.filter(c => c.kind === provider && c.health !== 'DISCONNECTED')
    const ids = connected.map(c => c.merchantId)
    const merchants = await merchantsByIds(tx, ids)
    const reached =
      provider === 'AMAZON_ADS'
        ? await profileRows(tx, ids).execute()
        : await tx
            .selectFrom('merchant_marketplace')
            .select(['merchant_id as merchantId', 'marketplace_id as marketplaceId'])
            .where('merchant_id', '=', anyOf(ids))
            .where('is_participating', '=', true)
            .orderBy('marketplace_id')
            .execute()
    return merchants.map(({ merchantId, name }) => {
      const own = reached.filter(row => row.merchantId === merchantId).map(row => factsOf(row.marketplaceId).key)
      return { merchantId, merchantName: name, marketplaces: [...new Set(own)] }
    })
  })
}

/** A merchant with its connections, their health, and its advertising accounts. Throws NOT_FOUND when it is not the user's. */
export async function getMerchant(ctx: Ctx, merchantId: number): Promise<MerchantDetail> {
  const role = await requireMember(ctx, merchantId)
  return ctx.db.tenant(merchantId, async tx => {
    const row = await merchantById(tx, merchantId)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such merchant.')
    const connections = (await connectionsOf(tx, [merchantId])).map(({ id, kind, health, connectedAt, lostAt }) => ({
      id,
      kind,
      health,
      connectedAt: connectedAt.toISOString(),
      lostAt: lostAt?.toISOString() ?? null,
    }))
    const profiles = await profileRows(tx, [merchantId]).execute()
    return { ...merchantAnswer(row), role, connections, profiles: profiles.map(profileAnswer) }
  })
}

const daysKept = 30

/**
 * Disconnects a merchant: its tokens are destroyed at once, nobody sees it any longer, and its data is marked to be kept
 * for 30 days, within which a new consent of the owner brings it back. Throws NOT_FOUND when it is not the user's,
 * FORBIDDEN to viewers.
 */
export async function disconnectMerchant(ctx: Ctx, merchantId: number): Promise<null> {
  await requireOwner(ctx, merchantId)
  const { actor, clock, requestId } = ctx
  const { accountId } = actor
  const now = clock.now()
  await ctx.db.transaction(async tx => {
    const members = await accountsOf(tx, merchantId)
    await disconnect(tx, merchantId, { disconnectedAt: now, dataKeptUntil: addDays(now, daysKept) })
    const entity = { merchantId, entity: 'merchant', entityId: merchantId }
    await recordAudit(tx, { ...entity, accountId, action: 'merchant.disconnect', requestId })
    await ctx.events.publish(tx, members, 'connections', { merchantId })
  })
  return null
}
