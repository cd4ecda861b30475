import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { currentProfile, readAccount } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import type { Campaign, Portfolio, Rows } from '../contract.ts'
import { matching, selectList } from './sql/entity-sql.ts'

/** One campaign of the current account, by our id or the marketplace's, ours first. Throws NOT_FOUND when there is none. */
export async function getCampaign(ctx: Ctx, anyId: string): Promise<Campaign> {
  // The marketplace's ids may have more digits than a bigint holds.
  const id = anyId.length <= 18 ? Number(anyId) : null
  const { row, currency } = await readAccount(ctx, async (tx, profile) => {
    const { rows } = await sql<Rows['campaign']>`select ${selectList('campaign', profile)} from campaign t
      where ${matching(profile, [sql`(t.id = ${id}::bigint or t.amazon_id = ${anyId})`])}
      order by (t.id = ${id}::bigint) desc nulls last limit 1`.execute(tx)
    return { row: rows[0], currency: profile.currency }
  })
  if (!row) throw new AppError('NOT_FOUND', 'There is no such campaign.')
  return { ...row, currency }
}

type PickedCampaign = Pick<Rows['campaign'], 'id' | 'amazonId' | 'name' | 'state' | 'targetingType' | 'adType'>

/** Every campaign of the current account that is not archived, in short, by name. */
export function pickCampaigns(ctx: Ctx): Promise<PickedCampaign[]> {
  return readAccount(ctx, async (tx, profile) => {
    const { rows } = await sql<PickedCampaign>`
      select t.id, t.amazon_id as "amazonId", t.name, t.state, t.targeting_type as "targetingType", t.ad_type as "adType"
      from campaign t where ${matching(profile, [sql`t.state <> 'ARCHIVED'`])} order by t.name_lower, t.id`.execute(tx)
    return rows
  })
}

// Long enough for the marketplace's slow answers, short enough for somebody who waits at a screen.
const portfoliosMs = 10_000

/**
 * The portfolios of the current account by name, read from the marketplace each time: they are few and change seldom. Throws
 * UPSTREAM_UNAVAILABLE when it does not answer in time.
 */
export async function listPortfolios(ctx: Ctx): Promise<Portfolio[]> {
  const { connectionId, region, amazonProfileId: profileId } = await currentProfile(ctx)
  const ads = ctx.integrations.amazonAds.forProfile({ connectionId, region, profileId })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new AppError('UPSTREAM_UNAVAILABLE', 'The marketplace did not answer in time. Try again.')),
    portfoliosMs,
  )
  try {
    const found = await Promise.race([ads.portfolios.all({}), late.promise])
    return found
      .map(({ portfolioId, name, state }) => ({ id: portfolioId, name, state }))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  } catch (error) {
    throw toUpstreamProblem(error)
  } finally {
    clearTimeout(timer)
  }
}
