import { AppError } from '#shared/errors.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { AmazonProfile } from '../contract.ts'
import { amazonProfilesOf } from './holdings.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { requireOwner } from './membership-rules.ts'
import { profilesConnected } from './signals.ts'
import { currentChoice, setCurrentChoice } from './sql/current-choice.ts'
import { manageProfiles } from './sql/profiles.ts'

// Where most of a region's trade is; a seller who takes in several starts there, not at the first letter.
const principal = ['US', 'UK', 'DE', 'JP'].map(key => marketplaceByKey(key)?.id)

function startingProfile<P extends { marketplaceId: number; amazonProfileId: string }>(
  managed: readonly P[],
  profileIds: readonly string[],
) {
  return (
    principal.map(id => managed.find(profile => profile.marketplaceId === id)).find(profile => profile !== undefined) ??
    managed.find(profile => profile.amazonProfileId === profileIds[0])
  )
}

/**
 * Takes advertising accounts of a merchant into management and tells so in the same transaction, which starts their
 * import; those managed already stay so. Where none is chosen yet, the
 * merchant and its principal marketplace become the current ones. Answers
 * all of the user's accounts. Throws NOT_FOUND when the merchant is not the user's or has no such account, FORBIDDEN to
 * viewers.
 */
export async function connectProfiles(
  ctx: Ctx,
  input: { merchantId: number; amazonProfileIds: readonly string[] },
): Promise<AmazonProfile[]> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { merchantId } = input
  await requireOwner(ctx, merchantId)
  const profileIds = [...new Set(input.amazonProfileIds)]
  await ctx.db.transaction(async tx => {
    const managed = await manageProfiles(tx, merchantId, profileIds, ctx.clock.now())
    if (managed.length !== profileIds.length)
      throw new AppError('NOT_FOUND', 'There is no such advertising account at this merchant.')
    const choice = await currentChoice(tx, ctx.actor.accountId)
    const first = startingProfile(managed, profileIds)
    const none = choice.merchantId === null || (choice.merchantId === merchantId && choice.marketplaceId === null)
    if (none && first)
      await setCurrentChoice(tx, ctx.actor.accountId, { merchantId, marketplaceId: first.marketplaceId })
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: 'profiles.connect',
      entity: 'merchant',
      entityId: merchantId,
      after: { amazonProfileIds: profileIds },
      requestId: ctx.requestId,
    })
    await ctx.jobs.announce(tx, profilesConnected, { merchantId, profileIds: managed.map(profile => profile.id) })
    await ctx.events.publish(tx, [ctx.actor.accountId], 'connections', { merchantId })
  })
  return amazonProfilesOf(ctx.db, ctx.actor.accountId)
}
