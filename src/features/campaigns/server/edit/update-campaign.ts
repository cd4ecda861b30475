import { type RawBuilder, sql } from 'kysely'
import { dailyBudgetProblem } from '#shared/campaign-rules.ts'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { nameTaken } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Campaign, CampaignChange } from '../../contract.ts'
import { endDateProblem, nameLengthProblem, placementsOf, strategyProblem } from '../../rules.ts'
import { presentCampaign } from '../present.ts'
import { lockCampaign } from '../sql/edits.ts'
import type { CampaignColumns } from '../sql/row-columns.ts'
import { editableAccount, requireValid, requireVersion } from './check-edit.ts'
import { saveEdit } from './save-edit.ts'

/**
 * Changes a campaign at once for all who look at it, as PENDING, and has the change sent to the marketplace. A change
 * that changes nothing is answered with the row as it is. Throws FORBIDDEN to viewers, NOT_FOUND when the current account
 * has no such campaign, VERSION_CONFLICT (with `current`) when it is no longer what the caller saw, RULE_VIOLATED when it
 * is archived or the bidding strategy needs more than this change, VALIDATION_FAILED (with `fields`) when the marketplace
 * would not take it.
 */
export const updateCampaign = async (ctx: Ctx, input: CampaignChange): Promise<Campaign> => {
  const { profile, market } = await editableAccount(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const row = await lockCampaign(tx, profile, input.campaignId)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such campaign.')
    const before = presentCampaign(row, profile.currency)
    requireVersion(ctx, before)
    if (row.state === 'ARCHIVED') throw new AppError('RULE_VIOLATED', 'An archived campaign cannot be changed.')
    requireStrategy(row, input)
    requireValid({
      name: await nameProblem(tx, profile, row, input.name),
      budget: input.budget === undefined ? null : dailyBudgetProblem(input.budget, market),
      placements: placementsProblem(row, input),
      endDate: endProblem(row, input, dayIn(ctx.clock.now(), profile.timezone)),
    })
    return saveEdit(tx, ctx, profile, {
      table: 'campaign',
      action: 'campaign.update',
      values: changedValues(row, input),
      before,
      present: presentCampaign,
      audited: editsOf,
      told: { ids: [row.id] },
    })
  })
}

const editsOf = ({ name, state, budget, biddingStrategy, placements, endDate, targetAcos, currency }: Campaign) => ({
  name,
  state,
  budget,
  biddingStrategy,
  placements,
  endDate,
  targetAcos,
  currency,
})

const requireStrategy = ({ adType, biddingStrategy: before }: CampaignColumns, { biddingStrategy }: CampaignChange) => {
  if (biddingStrategy === undefined || biddingStrategy === before) return
  const problem = strategyProblem(biddingStrategy, adType)
  if (problem) throw new AppError('RULE_VIOLATED', problem, { details: [problem] })
}

// A strategy that is not known here cannot be sent back, and the marketplace wants it beside the placements.
const placementsProblem = (row: CampaignColumns, { placements, biddingStrategy }: CampaignChange): string | null => {
  if (!placements) return null
  if (placements.some(one => !placementsOf(row.adType).includes(one.placement)))
    return 'Campaigns of this ad type have no such placement'
  return !biddingStrategy && (row.biddingStrategy === null || row.biddingStrategy === 'OTHER')
    ? 'Choose a bidding strategy first: this one is managed at the marketplace'
    : null
}

const endProblem = (row: CampaignColumns, { endDate }: CampaignChange, today: string): string | null =>
  endDate === undefined || endDate === row.endDate ? null : endDateProblem(endDate, row.startDate, today)

const nameProblem = async (
  tx: Db,
  profile: Profile,
  row: CampaignColumns,
  name: string | undefined,
): Promise<string | null> => {
  if (name === undefined || name === row.name) return null
  const tooLong = nameLengthProblem(name, profile.accountType)
  if (tooLong || name.toLowerCase() === row.name.toLowerCase()) return tooLong
  const taken = await nameTaken(tx, profile.merchantId, profile.profileId, [name])
  return taken.length ? 'Another campaign has this name' : null
}

const changedValues = (row: CampaignColumns, input: CampaignChange): Record<string, RawBuilder<unknown>> => {
  const values: Record<string, RawBuilder<unknown>> = {}
  const { name, state, budget, biddingStrategy, endDate, targetAcos } = input
  if (name !== undefined && name !== row.name) values.name = sql`${name}`
  if (state !== undefined && state !== row.state) values.state = sql`${state}`
  if (budget !== undefined && toMicros(budget) !== row.budgetMicros)
    values.daily_budget_micros = sql`${toMicros(budget)}::bigint`
  if (endDate !== undefined && endDate !== row.endDate) values.end_date = sql`${endDate}::date`
  if (targetAcos !== undefined && targetAcos !== row.targetAcos) values.target_acos = sql`${targetAcos}::numeric`
  const strategy =
    biddingStrategy !== undefined && biddingStrategy !== row.biddingStrategy ? biddingStrategy : undefined
  const placements = input.placements && !samePlacements(row, input.placements) ? input.placements : undefined
  if (strategy) values.bidding_strategy = sql`${strategy}`
  if (strategy || placements)
    values.bidding = sql`coalesce(t.bidding, ${JSON.stringify(bare(row))}::jsonb) || ${JSON.stringify({ ...(strategy && { strategy }), ...(placements && { placements }) })}::jsonb`
  return values
}

const bare = (row: CampaignColumns) => ({ strategy: row.biddingStrategy, placements: [], audiences: [] })

// No surcharge and none named are the same.
const samePlacements = ({ bidding }: CampaignColumns, wanted: NonNullable<CampaignChange['placements']>): boolean => {
  const charged = (list: readonly { placement: string; percentage: number }[]) =>
    list
      .filter(one => one.percentage > 0)
      .map(one => `${one.placement} ${one.percentage}`)
      .toSorted()
      .join()
  return charged(bidding?.placements ?? []) === charged(wanted)
}
