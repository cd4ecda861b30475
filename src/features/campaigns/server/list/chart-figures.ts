import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { toFigures } from '#shared/metrics.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { adGroupDays, campaignDays, presentFreshness, profileFreshness } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { CampaignChart } from '../../contract.ts'
import { idExists, matching, tableOf } from '#features/structure/server/public.ts'
import type { Listing } from '../sql/listing.ts'
import { rangeOf } from './list-figures.ts'

interface DayRange {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

/** The figures of all rows that match, a point for every day of the range. */
export async function chartFigures(
  ctx: Ctx,
  request: DayRange,
  listing: Pick<Listing<'campaign' | 'adGroup'>, 'entity' | 'filters'>,
): Promise<CampaignChart> {
  return readAccount(ctx, (tx, profile) => readChart(ctx, tx, profile, request, listing))
}

/** The figures of one ad group. Throws NOT_FOUND when the current account has none of this id. */
export async function chartAdGroup(ctx: Ctx, id: number, request: DayRange): Promise<CampaignChart> {
  return readAccount(ctx, async (tx, profile) => {
    if (!(await idExists(tx, 'adGroup', profile, id))) throw new AppError('NOT_FOUND', 'There is no such ad group.')
    return readChart(ctx, tx, profile, request, { entity: 'adGroup', filters: [sql`t.id = ${id}`] })
  })
}

async function readChart(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  request: DayRange,
  { entity, filters }: Pick<Listing<'campaign' | 'adGroup'>, 'entity' | 'filters'>,
): Promise<CampaignChart> {
  const { from, to } = rangeOf(ctx, profile, request)
  const ids = sql`select t.id from ${tableOf(entity)} t where ${matching(profile, filters)}`
  const days = await (entity === 'campaign' ? campaignDays : adGroupDays)(tx, profile, ids, from, to)
  return {
    currency: profile.currency,
    dateFrom: from,
    dateTo: to,
    freshness: presentFreshness(await profileFreshness(tx, profile)),
    points: days.map(({ date, ...sums }) => ({ date, ...toFigures(sums) })),
  }
}
