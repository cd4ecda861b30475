import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { toFigures } from '#shared/metrics.ts'
import { addDays } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { profileFreshness } from '#features/metrics/server/public.ts'
import { clicksNeeded, judgeKeyword, verdictThresholds } from '#features/search-terms/contract.ts'
import { keywordStandards } from '#features/search-terms/server/public.ts'
import { tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'
import { insideCampaign } from '../list/listings.ts'
import { filtersOf, type ListingFilter } from '../sql/listing.ts'
import { readPage } from '../sql/read-page.ts'

const MOST = 10
// Below the first hundred nothing is dear.
const CANDIDATES = 100

/**
 * The dearest running keywords and targets without an order in the last 30 settled days: with so many clicks that one
 * which converts like its product would have brought an order nine times of ten, at a cost above what an order may cost.
 */
export async function listWasting(
  ctx: Ctx,
  { campaignId }: { campaignId?: number | undefined },
): Promise<EndpointOutput<typeof campaignPageEndpoints.wasting>> {
  return readAccount(ctx, async (tx, profile) => {
    const { currency } = profile
    const { movingFrom } = await profileFreshness(tx, profile)
    if (movingFrom === null) return { currency, days: null, content: [] }
    const to = addDays(movingFrom, -1)
    const days = { dateFrom: addDays(to, 1 - verdictThresholds.settledDays), dateTo: to }
    const found = await candidates(tx, profile, days, campaignId)
    const adGroupIds = [...new Set(found.map(row => row.adGroupId))]
    const standards = await keywordStandards(tx, profile, { from: days.dateFrom, to }, adGroupIds)
    const content = found.flatMap(row => {
      const standard = standards.get(row.adGroupId)
      if (!standard || judgeKeyword(row, standard)?.test !== 'NO_SALE') return []
      const { campaignName, adGroupName } = standard
      const clicksToBeSure = clicksNeeded(standard)
      return [{ ...row, ...toFigures(row), currency, campaignName, adGroupName, clicksToBeSure }]
    })
    return { currency, days, content: content.slice(0, MOST) }
  })
}

interface Days {
  dateFrom: string
  dateTo: string
}

async function candidates(tx: Db, profile: Profile, { dateFrom, dateTo }: Days, campaignId: number | undefined) {
  const runs = (parent: 'campaign' | 'adGroup', key: string) =>
    sql`exists (select 1 from ${tableOf(parent)} p where p.merchant_id = ${profile.merchantId} and p.id = ${sql.ref(key)} and p.state = 'ENABLED')`
  const { rows } = await readPage(
    tx,
    profile,
    {
      entity: 'target',
      few: campaignId !== undefined,
      filters: filtersOf<ListingFilter>(
        sql`t.state = 'ENABLED'`,
        runs('campaign', 't.campaign_id'),
        runs('adGroup', 't.ad_group_id'),
        insideCampaign(campaignId),
      ),
      conditions: [
        { metric: 'orders', is: '<=', value: 0 },
        { metric: 'clicks', is: '>=', value: verdictThresholds.leastClicks },
      ],
    },
    { from: dateFrom, to: dateTo, page: 0, size: CANDIDATES, sortBy: 'cost', sortDir: 'desc' },
  )
  return rows
}
