import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { fromMicros } from '#shared/money.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { bidSubjectOf, suggestBids } from '#features/recommendations/server/public.ts'
import { matching, tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'

// Someone waits with the sheet open; the bid can be typed without it.
const TIME_LIMIT_MS = 8000

type Row = Parameters<typeof bidSubjectOf>[0] & {
  adType: string
  campaignId: string
  adGroupId: string
}

/**
 * The bid that the marketplace suggests for a keyword or target, asked for at this moment; none for what it suggests
 * nothing for: other ad types than Sponsored Products, and rows that it does not have yet. Throws NOT_FOUND when the
 * current account has none of this id, UPSTREAM_* when the marketplace fails or takes too long.
 */
export async function suggestTargetBid(
  ctx: Ctx,
  id: number,
): Promise<EndpointOutput<typeof campaignPageEndpoints.suggestedBid>> {
  const { profile, row } = await readAccount(ctx, async (tx, account) => {
    const { rows } =
      await sql<Row>`select t.kind, t.text, t.match_type as "matchType", t.expression, c.ad_type as "adType",
        c.amazon_id as "campaignId", g.amazon_id as "adGroupId"
      from ${tableOf('target')} t
        join ${tableOf('adGroup')} g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
        join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
      where ${matching(account, [sql`t.id = ${id}`])}`.execute(tx)
    return { profile: account, row: rows[0] }
  })
  if (!row) throw new AppError('NOT_FOUND', 'There is no such keyword or target.')
  const subject = bidSubjectOf(row)
  const isListed = row.adType === 'SPONSORED_PRODUCTS' && /^\d+$/.test(row.adGroupId)
  const [suggested = null] = subject && isListed ? await inTime(suggestBids(ctx, profile, row, [subject])) : []
  return {
    id,
    currency: profile.currency,
    suggestion: suggested && {
      lowBid: fromMicros(suggested.lowMicros),
      bid: fromMicros(suggested.medianMicros),
      highBid: fromMicros(suggested.highMicros),
    },
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('UPSTREAM_UNAVAILABLE', 'The marketplace did not answer in time. Try again.')),
      TIME_LIMIT_MS,
    )
  })
  try {
    return await Promise.race([answer, tooLate])
  } catch (error) {
    throw error instanceof AppError ? error : toUpstreamProblem(error)
  } finally {
    clearTimeout(timer)
  }
}
