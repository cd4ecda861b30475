import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import { nameTaken } from '#features/structure/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Campaign, CampaignChange } from '../../contract.ts'
import { budgetProblem } from '../../rules.ts'
import { presentCampaign } from '../present.ts'
import { pushCampaignJob, pushKey } from '../push/push-jobs.ts'
import { editRow, lockCampaign } from '../sql/edits.ts'
import type { CampaignColumns } from '../sql/row-columns.ts'
import { editableAccount, requireValid, requireVersion } from './check-edit.ts'

/**
 * Changes a campaign at once for all who look at it, as PENDING, and has the change sent to the marketplace. A change
 * that changes nothing is answered with the row as it is. Throws FORBIDDEN to viewers, NOT_FOUND when the current account
 * has no such campaign, VERSION_CONFLICT (with `current`) when it is no longer what the caller saw, RULE_VIOLATED when it
 * is archived, VALIDATION_FAILED (with `fields`) when the marketplace would not take it.
 */
export const updateCampaign = async (ctx: Ctx, input: CampaignChange): Promise<Campaign> => {
  const { profile, market } = await editableAccount(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const row = await lockCampaign(tx, profile, input.campaignId)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such campaign.')
    const before = presentCampaign(row, profile.currency)
    requireVersion(ctx, before)
    if (row.state === 'ARCHIVED') throw new AppError('RULE_VIOLATED', 'An archived campaign cannot be changed.')
    requireValid({
      name: await nameProblem(tx, profile, row, input.name),
      budget: input.budget === undefined ? null : budgetProblem(input.budget, market),
    })
    const values = changedValues(row, input)
    if (!Object.keys(values).length) return before
    const changed = await editRow(tx, 'campaign', profile, row.id, values, ctx.clock.now())
    const after = presentCampaign(changed, profile.currency)
    await recordAudit(tx, {
      merchantId: profile.merchantId,
      accountId: ctx.actor.accountId,
      action: 'campaign.update',
      entity: 'campaign',
      entityId: row.id,
      before: editsOf(before),
      after: editsOf(after),
      requestId: ctx.requestId,
    })
    const where = { merchantId: profile.merchantId, id: row.id }
    await ctx.jobs.send(tx, pushCampaignJob, where, { key: pushKey(where) })
    await ctx.events.publish(tx, await accountsOf(tx, profile.merchantId), 'campaigns', { ids: [row.id] })
    return after
  })
}

const editsOf = ({ name, state, budget, biddingStrategy, currency }: Campaign) => ({
  name,
  state,
  budget,
  biddingStrategy,
  currency,
})

const nameProblem = async (
  tx: Db,
  profile: Profile,
  row: CampaignColumns,
  name: string | undefined,
): Promise<string | null> => {
  if (name === undefined || name.toLowerCase() === row.name.toLowerCase()) return null
  const taken = await nameTaken(tx, profile.merchantId, profile.profileId, [name])
  return taken.length ? 'Another campaign has this name' : null
}

const changedValues = (row: CampaignColumns, input: CampaignChange): Record<string, RawBuilder<unknown>> => {
  const values: Record<string, RawBuilder<unknown>> = {}
  const { name, state, budget, biddingStrategy } = input
  if (name !== undefined && name !== row.name) values.name = sql`${name}`
  if (state !== undefined && state !== row.state) values.state = sql`${state}`
  if (budget !== undefined && toMicros(budget) !== row.budgetMicros)
    values.daily_budget_micros = sql`${toMicros(budget)}::bigint`
  if (biddingStrategy !== undefined && biddingStrategy !== row.biddingStrategy) {
    values.bidding_strategy = sql`${biddingStrategy}`
    values.bidding = sql`coalesce(t.bidding, '{"placements": [], "audiences": []}') || ${JSON.stringify({ strategy: biddingStrategy })}::jsonb`
  }
  return values
}
