import { bidProblem } from '#shared/campaign-rules.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Ad, AdGroup, Changes, Target } from '../../contract.ts'
import { isAdGroupNameTaken } from '../sql/edit-rows.ts'
import { editRow } from './edit-row.ts'

// What is inside a campaign. See `editRow` for what a change does and throws.

/** Changes the name, default bid or state of an ad group. */
export function updateAdGroup(ctx: Ctx, id: number, change: Changes['adGroup']): Promise<AdGroup> {
  const { name, defaultBid } = change
  return editRow(ctx, 'adGroup', id, change, {
    noun: 'ad group',
    check: async ({ tx, profile, market, row, parents }) => {
      const isRenamed = name !== undefined && name.toLowerCase() !== row.name.toLowerCase()
      const isTaken = isRenamed && (await isAdGroupNameTaken(tx, profile, row, name))
      const budgetMicros = parents.campaign?.budgetMicros ?? null
      return {
        name: isTaken ? 'Another ad group of the campaign has this name' : null,
        defaultBid: defaultBid === undefined ? null : bidProblem(defaultBid, market, { budgetMicros }),
      }
    },
    event: row => ({ adGroupIds: [row.id], campaignId: row.campaignId }),
  })
}

/** Pauses or enables the ad of a product. */
export function updateAd(ctx: Ctx, id: number, state: 'ENABLED' | 'PAUSED'): Promise<Ad> {
  return editRow(
    ctx,
    'ad',
    id,
    { state },
    {
      noun: 'ad',
      check: ({ parents }) => {
        if (parents.adGroupState === 'ARCHIVED')
          throw new AppError('RULE_VIOLATED', 'An archived ad cannot be changed.')
        return {}
      },
      event: row => ({ adIds: [row.id], adGroupId: row.adGroupId }),
    },
  )
}

/** Changes the bid or state of a keyword, or of a product target or automatic group. */
export function updateTarget(
  ctx: Ctx,
  noun: 'keyword' | 'target',
  { id, ...change }: Changes['target'] & { id: number },
): Promise<Target> {
  const { bid, state } = change
  return editRow(ctx, 'target', id, change, {
    noun,
    accepts: row => (row.kind === 'KEYWORD') === (noun === 'keyword'),
    check: ({ market, row, parents }) => {
      if (row.kind === 'AUTO' && state === 'ARCHIVED')
        throw new AppError('RULE_VIOLATED', 'An automatic group cannot be archived. Pause it instead.')
      const budgetMicros = parents.campaign?.budgetMicros ?? null
      return { bid: bid === undefined ? null : bidProblem(bid, market, { budgetMicros }) }
    },
    event: row => ({ targetIds: [row.id], adGroupId: row.adGroupId }),
  })
}
