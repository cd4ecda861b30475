import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import type { Ctx } from '#server/context.ts'
import type { LastingState, Target } from '../../contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { presentTarget } from '../present.ts'
import { lockTarget } from '../sql/edits.ts'
import type { TargetColumns } from '../sql/row-columns.ts'
import { editableAccount, requireValid, requireVersion } from './check-edit.ts'
import { saveEdit } from './save-edit.ts'

interface TargetEdit {
  id: number
  bid?: number | undefined
  state?: LastingState | undefined
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
    if (row.kind === 'AUTO' && input.state === 'ARCHIVED')
      throw new AppError('RULE_VIOLATED', 'An automatic group cannot be archived. Pause it instead.')
    requireValid({
      bid: input.bid === undefined ? null : bidProblem(input.bid, market, { budgetMicros: row.campaignBudgetMicros }),
    })
    return saveEdit(tx, ctx, profile, {
      table: 'target',
      action: `${what}.update`,
      values: changedValues(row, input),
      before,
      present: presentTarget,
      audited: ({ state, bid, currency }) => ({ state, bid, currency }),
      told: { targetIds: [row.id], adGroupId: row.adGroupId },
    })
  })
}

const changedValues = (row: TargetColumns, { bid, state }: TargetEdit): Record<string, RawBuilder<unknown>> => ({
  ...(bid !== undefined && toMicros(bid) !== row.bidMicros && { bid_micros: sql`${toMicros(bid)}::bigint` }),
  ...(state !== undefined && state !== row.state && { state: sql`${state}` }),
})
