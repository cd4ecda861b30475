import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { MerchantDetail } from '../../contract.ts'
import { requireMember } from '../membership-rules.ts'
import { connectionAnswer, merchantAnswer, profileAnswer } from '../present.ts'
import { connectionsOf } from '../sql/connections.ts'
import { merchantById } from '../sql/merchants.ts'
import { profileRows } from '../sql/profiles.ts'

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
