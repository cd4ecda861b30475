import { AppError } from '#shared/errors.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Campaign } from '../../contract.ts'
import type { EntityState } from '../../contract.ts'
import { presentCampaign } from '../present.ts'
import { pickCampaignRows, readCampaign } from '../sql/read-rows.ts'

/** One campaign of the current account, by our id or the marketplace's. Throws NOT_FOUND when there is none. */
export const getCampaign = async (ctx: Ctx, id: string): Promise<Campaign> => {
  const { row, currency } = await readAccount(ctx, async (tx, profile) => ({
    row: await readCampaign(tx, profile, id),
    currency: profile.currency,
  }))
  if (!row) throw new AppError('NOT_FOUND', 'There is no such campaign.')
  return presentCampaign(row, currency)
}

/** Every campaign of the current account that is not archived, by name. */
export const pickCampaigns = async (ctx: Ctx) => {
  const rows = await readAccount(ctx, pickCampaignRows)
  return rows.map(row => ({ ...row, state: row.state as EntityState }))
}
