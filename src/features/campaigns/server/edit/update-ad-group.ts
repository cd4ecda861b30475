import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdGroup, AdGroupChange } from '../../contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { presentAdGroup } from '../present.ts'
import { adGroupNameTaken, lockAdGroup } from '../sql/edits.ts'
import type { AdGroupColumns } from '../sql/row-columns.ts'
import { editableAccount, requireValid, requireVersion } from './check-edit.ts'
import { saveEdit } from './save-edit.ts'

/**
 * Changes the name, default bid or state of an ad group at once for all who look at it, as PENDING, and has the change
 * sent to the marketplace. Throws like the change of a campaign.
 */
export const updateAdGroup = async (ctx: Ctx, id: number, input: AdGroupChange): Promise<AdGroup> => {
  const { profile, market } = await editableAccount(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const row = await lockAdGroup(tx, profile, id)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such ad group.')
    const before = presentAdGroup(row, profile.currency)
    requireVersion(ctx, before)
    if (row.state === 'ARCHIVED' || row.campaignState === 'ARCHIVED')
      throw new AppError('RULE_VIOLATED', 'An archived ad group cannot be changed.')
    const { defaultBid } = input
    requireValid({
      name: await nameProblem(tx, profile, row, input.name),
      defaultBid:
        defaultBid === undefined ? null : bidProblem(defaultBid, market, { budgetMicros: row.campaignBudgetMicros }),
    })
    return saveEdit(tx, ctx, profile, {
      table: 'ad_group',
      action: 'ad_group.update',
      values: changedValues(row, input),
      before,
      present: presentAdGroup,
      audited: shown => ({
        name: shown.name,
        state: shown.state,
        defaultBid: shown.defaultBid,
        currency: shown.currency,
      }),
      told: { adGroupIds: [row.id], campaignId: row.campaignId },
    })
  })
}

const nameProblem = async (
  tx: Db,
  profile: Profile,
  row: AdGroupColumns,
  name: string | undefined,
): Promise<string | null> => {
  if (name === undefined || name.toLowerCase() === row.name.toLowerCase()) return null
  return (await adGroupNameTaken(tx, profile, row, name)) ? 'Another ad group of the campaign has this name' : null
}

const changedValues = (
  row: AdGroupColumns,
  { name, state, defaultBid }: AdGroupChange,
): Record<string, RawBuilder<unknown>> => ({
  ...(name !== undefined && name !== row.name && { name: sql`${name}` }),
  ...(state !== undefined && state !== row.state && { state: sql`${state}` }),
  ...(defaultBid !== undefined &&
    toMicros(defaultBid) !== row.defaultBidMicros && { default_bid_micros: sql`${toMicros(defaultBid)}::bigint` }),
})
