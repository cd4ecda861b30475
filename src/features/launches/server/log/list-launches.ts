import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { presentLaunches } from './launch-view.ts'
import { launchPage } from '../sql/launches.ts'

/** A page of the launches of the current advertising account, newest first. */
export const listLaunches = async (ctx: Ctx, { page, size }: { page: number; size: number }) => {
  const { merchantId, profileId } = await currentProfile(ctx)
  return ctx.db.tenant(merchantId, async tx => {
    const { rows, total } = await launchPage(tx, merchantId, profileId, { page, size })
    return { content: await presentLaunches(tx, merchantId, rows), page: pageInfo(page, size, total) }
  })
}
