import { addDays } from 'date-fns/addDays'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { requireOwner } from '../membership-rules.ts'
import { forgetCurrentMerchant } from '../sql/current-choice.ts'
import { destroyTokens } from '../sql/connections.ts'
import { accountsOf, endMemberships } from '../sql/memberships.ts'
import { markDisconnected } from '../sql/merchants.ts'
import { releaseProfiles } from '../sql/profiles.ts'

const daysKept = 30

/**
 * Disconnects a merchant: its tokens are destroyed at once, nobody sees it any longer, and its data is marked to be kept
 * for 30 days, within which a new consent of the owner brings it back. Throws NOT_FOUND when it is not the user's,
 * FORBIDDEN to viewers.
 */
export async function disconnectMerchant(ctx: Ctx, merchantId: number): Promise<null> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  await requireOwner(ctx, merchantId)
  const now = ctx.clock.now()
  await ctx.db.transaction(async tx => {
    const members = await accountsOf(tx, merchantId)
    await destroyTokens(tx, merchantId)
    await releaseProfiles(tx, merchantId)
    await markDisconnected(tx, merchantId, { disconnectedAt: now, dataKeptUntil: addDays(now, daysKept) })
    await endMemberships(tx, merchantId, now)
    await forgetCurrentMerchant(tx, merchantId)
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: 'merchant.disconnect',
      entity: 'merchant',
      entityId: merchantId,
      requestId: ctx.requestId,
    })
    await ctx.events.publish(tx, members, 'connections', { merchantId })
  })
  return null
}
