import type { Ctx } from '#server/context.ts'
import type { ConnectionKind, Merchant, MerchantDetail } from '../../contract.ts'
import { factsOf, merchantAnswer, connectionAnswer, profileAnswer } from '../present.ts'
import { connectionsOf } from '../sql/connections.ts'
import { participationsOf } from '../sql/merchant-marketplaces.ts'
import { merchantsByIds, merchantById } from '../sql/merchants.ts'
import { profileRows } from '../sql/profiles.ts'
import { AppError } from '#shared/errors.ts'
import { requireMember } from '../membership-rules.ts'

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
    const merchants = await merchantsByIds(
      tx,
      connected.map(c => c.merchantId),
    )
    const profiles = await profileRows(tx, merchantIds).execute()
    const answers: { merchantId: number; merchantName: string; marketplaces: string[] }[] = []
    for (const { merchantId, name } of merchants) {
      const ids =
        provider === 'AMAZON_ADS'
          ? profiles.filter(p => p.merchantId === merchantId).map(p => p.marketplaceId)
          : await participationsOf(tx, merchantId)
      answers.push({ merchantId, merchantName: name, marketplaces: [...new Set(ids)].map(id => factsOf(id).key) })
    }
    return answers
  })
}

/** A merchant with its connections, their health, and its advertising accounts. Throws NOT_FOUND when it is not the user's. */
export async function getMerchant(ctx: Ctx, merchantId: number): Promise<MerchantDetail> {
  const role = await requireMember(ctx, merchantId)
  return ctx.db.tenant(merchantId, async tx => {
    const row = await merchantById(tx, merchantId)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such merchant.')
    const connections = await connectionsOf(tx, [merchantId])
    const profiles = await profileRows(tx, [merchantId]).execute()
    return {
      ...merchantAnswer(row),
      role,
      connections: connections.map(connectionAnswer),
      profiles: profiles.map(profileAnswer),
    }
  })
}
