import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import { accountsOf } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Target } from '../../contract.ts'
import { bidProblem } from '../../rules.ts'
import { presentTarget } from '../present.ts'
import { pushKey, pushTargetJob } from '../push/push-jobs.ts'
import { editRow, lockTarget } from '../sql/edits.ts'
import type { TargetColumns } from '../sql/row-columns.ts'
import { editableAccount, requireValid, requireVersion } from './check-edit.ts'

interface TargetEdit {
  id: number
  bid?: number | undefined
  state?: 'ENABLED' | 'PAUSED' | undefined
}

const kindsOf = { keyword: ['KEYWORD'], target: ['PRODUCT', 'AUTO'] } as const

/**
 * Changes the bid or state of a keyword, or of a product target or automatic group, at once for all who look at it, as
 * PENDING, and has the change sent to the marketplace. Throws like the change of a campaign.
 */
export const updateTarget = async (ctx: Ctx, what: keyof typeof kindsOf, input: TargetEdit): Promise<Target> => {
  const { profile, market } = await editableAccount(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const row = await lockTarget(tx, profile, input.id, kindsOf[what])
    if (!row) throw new AppError('NOT_FOUND', `There is no such ${what}.`)
    const before = presentTarget(row, profile.currency)
    requireVersion(ctx, before)
    if (row.state === 'ARCHIVED' || row.campaignState === 'ARCHIVED')
      throw new AppError('RULE_VIOLATED', `An archived ${what} cannot be changed.`)
    requireValid({ bid: input.bid === undefined ? null : bidProblem(input.bid, market, row.campaignBudgetMicros) })
    const values = changedValues(row, input)
    if (!Object.keys(values).length) return before
    const changed = await editRow(tx, 'target', profile, row.id, values, ctx.clock.now())
    const after = presentTarget(changed, profile.currency)
    await recordAudit(tx, {
      merchantId: profile.merchantId,
      accountId: ctx.actor.accountId,
      action: `${what}.update`,
      entity: 'target',
      entityId: row.id,
      before: { state: before.state, bid: before.bid, currency: before.currency },
      after: { state: after.state, bid: after.bid, currency: after.currency },
      requestId: ctx.requestId,
    })
    const where = { merchantId: profile.merchantId, id: row.id }
    await ctx.jobs.send(tx, pushTargetJob, where, { key: pushKey(where) })
    const ids = { targetIds: [row.id], adGroupId: row.adGroupId }
    await ctx.events.publish(tx, await accountsOf(tx, profile.merchantId), 'campaigns', ids)
    return after
  })
}

const changedValues = (row: TargetColumns, { bid, state }: TargetEdit): Record<string, RawBuilder<unknown>> => ({
  ...(bid !== undefined && toMicros(bid) !== row.bidMicros && { bid_micros: sql`${toMicros(bid)}::bigint` }),
  ...(state !== undefined && state !== row.state && { state: sql`${state}` }),
})
