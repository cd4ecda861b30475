import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Ad } from '../../contract.ts'
import { presentAd } from '../present.ts'
import { lockAd } from '../sql/edits.ts'
import { editableAccount, requireVersion } from './check-edit.ts'
import { saveEdit } from './save-edit.ts'

/** Pauses or enables the ad of a product, at once and as PENDING. Throws like the change of a campaign. */
export const updateAd = async (ctx: Ctx, id: number, state: 'ENABLED' | 'PAUSED'): Promise<Ad> => {
  const { profile } = await editableAccount(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const row = await lockAd(tx, profile, id)
    if (!row) throw new AppError('NOT_FOUND', 'There is no such ad.')
    const before = presentAd(row, profile.currency)
    requireVersion(ctx, before)
    if ([row.state, row.adGroupState, row.campaignState].includes('ARCHIVED'))
      throw new AppError('RULE_VIOLATED', 'An archived ad cannot be changed.')
    return saveEdit(tx, ctx, profile, {
      table: 'product_ad',
      action: 'ad.update',
      values: state === row.state ? {} : { state: sql`${state}` },
      before,
      present: presentAd,
      audited: shown => ({ state: shown.state }),
      told: { adIds: [row.id], adGroupId: row.adGroupId },
    })
  })
}
