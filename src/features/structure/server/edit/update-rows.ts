import type { Ctx } from '#server/context.ts'
import type { Ad, AdGroup, Campaign, Changes, Target } from '../../contract.ts'
import { editRow } from './edit-row.ts'

// One row of each kind. See `editRow` for what a change does and throws, and `editRules` for what is checked.

/** Changes a campaign. */
export function updateCampaign(
  ctx: Ctx,
  { campaignId, ...change }: Changes['campaign'] & { campaignId: number },
): Promise<Campaign> {
  return editRow(ctx, 'campaign', campaignId, change, { noun: 'campaign' })
}

/** Changes the name, default bid or state of an ad group. */
export function updateAdGroup(ctx: Ctx, id: number, change: Changes['adGroup']): Promise<AdGroup> {
  return editRow(ctx, 'adGroup', id, change, { noun: 'ad group' })
}

/** Pauses or enables the ad of a product. */
export function updateAd(ctx: Ctx, id: number, state: 'ENABLED' | 'PAUSED'): Promise<Ad> {
  return editRow(ctx, 'ad', id, { state }, { noun: 'ad' })
}

/** Changes the bid or state of a keyword, or of a product target or automatic group. */
export function updateTarget(
  ctx: Ctx,
  noun: 'keyword' | 'target',
  { id, ...change }: Changes['target'] & { id: number },
): Promise<Target> {
  return editRow(ctx, 'target', id, change, {
    noun,
    accepts: row => (row.kind === 'KEYWORD') === (noun === 'keyword'),
  })
}
