import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { AmazonProfile } from '../../contract.ts'
import { profileAnswer } from '../present.ts'
import { setCurrentChoice } from '../sql/current-choice.ts'
import { profileRows } from '../sql/profiles.ts'

/** Makes merchant and marketplace of an advertising account the current ones. Throws NOT_FOUND when it is not the user's. */
export async function selectProfile(ctx: Ctx, amazonProfileId: string): Promise<AmazonProfile> {
  const { merchantIds } = ctx.actor
  const rows = await ctx.db.tenant(merchantIds, tx =>
    profileRows(tx, merchantIds).where('p.amazon_profile_id', '=', amazonProfileId).execute(),
  )
  const row = rows.find(r => r.isManaged) ?? rows[0]
  if (!row) throw new AppError('NOT_FOUND', 'There is no such advertising account.')
  await setCurrentChoice(ctx.db.system, ctx.actor.accountId, {
    merchantId: row.merchantId,
    marketplaceId: row.marketplaceId,
  })
  return profileAnswer(row)
}
