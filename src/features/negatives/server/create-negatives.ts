import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import type { Negative } from '#features/structure/contract.ts'
import { createRows, newGroup, removeNegative, retryNegative } from '#features/structure/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { NegativesCreated } from '../contract.ts'
import { type NegativeAdType, type NegativesOrder, planNegatives, requirePlace } from './plan-negatives.ts'

/** Runs in one transaction of the current account. */
async function change<T>(ctx: Ctx, run: (tx: Db, profile: Profile) => Promise<T>): Promise<T> {
  const profile = await currentProfile(ctx)
  return ctx.db.tenant(profile.merchantId, tx => run(tx, profile))
}

/** An audit entry of the act. */
async function audit(ctx: Ctx, tx: Db, { merchantId }: Profile, action: string, entityId: number, after: object) {
  const { accountId } = ctx.actor
  const entity = action === 'negative.create' ? 'campaign' : 'negative'
  await recordAudit(tx, { merchantId, accountId, action, entity, entityId, after, requestId: ctx.requestId })
}

/**
 * Adds negatives to a campaign or ad group: seen at once as pending, and sent to the marketplace. Each item has an outcome
 * of its own. Throws what `requirePlace` throws.
 */
export function createNegatives(ctx: Ctx, adType: NegativeAdType, order: NegativesOrder): Promise<NegativesCreated> {
  return change(ctx, async (tx, profile) => {
    await requirePlace(tx, profile, order, adType)
    const planned = planNegatives(order)
    const rows = planned.flatMap(({ row }) => (row ? [row] : []))
    const act = { origin: 'USER', accountId: ctx.actor.accountId, groupId: newGroup(), at: ctx.clock.now() } as const
    const created = await createRows(ctx, tx, profile, 'negative', rows, act)
    const outcomes = planned.map(({ row, problem }): NegativesCreated['outcomes'][number] => {
      const one = row && created[rows.indexOf(row)]
      if (!one) return { status: 'INVALID', id: null, message: problem }
      return { status: one.status, id: one.id, message: one.status === 'EXISTS' ? 'It is there already.' : null }
    })
    const ids = created.flatMap(one => (one.status === 'CREATED' ? [one.id] : []))
    if (ids.length) await audit(ctx, tx, profile, 'negative.create', order.campaignId, { groupId: act.groupId, ids })
    const answer = { groupId: act.groupId, outcomes }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

/** Removes a negative here and at the marketplace. Throws NOT_FOUND. */
export function deleteNegative(ctx: Ctx, id: number): Promise<null> {
  return change(ctx, async (tx, profile) => {
    const act = { accountId: ctx.actor.accountId, groupId: newGroup(), at: ctx.clock.now() }
    await removeNegative(ctx, tx, profile, id, act)
    await audit(ctx, tx, profile, 'negative.remove', id, { state: 'ARCHIVED' })
    return null
  })
}

/** Sends a new negative again that was not accepted. Throws NOT_FOUND, and RULE_VIOLATED for one that was. */
export function resendNegative(ctx: Ctx, id: number): Promise<Negative> {
  return change(ctx, (tx, profile) => retryNegative(ctx, tx, profile, id, ctx.clock.now()))
}
