import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { type FigureSums, toFigures } from '#shared/metrics.ts'
import { addDays } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { figuresBy, profileFreshness } from '#features/metrics/server/public.ts'
import { clicksToBeSure, expectedCvr } from '#features/search-terms/contract.ts'
import type { Rows } from '#features/structure/contract.ts'
import { tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'
import { filtersOf, readPage } from '../sql/read-page.ts'

const DAYS = 30
const MOST = 10
// Fewer clicks are never enough, whatever the campaign converts; and below the first hundred nothing is dear.
const LEAST_CLICKS = 8
const CANDIDATES = 100

/**
 * The dearest running keywords and targets without an order in the last 30 settled days: with so many clicks that one
 * which converts like the rest of its campaign would have brought an order nine times of ten, and, where the campaign has a target
 * ACOS, at a cost above what an order may cost.
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
    const days = { dateFrom: addDays(to, 1 - DAYS), dateTo: to }
    const found = await candidates(tx, profile, days, campaignId)
    const parents = await parentsOf(tx, profile, days, found)
    const content = found.flatMap(row => {
      const parent = parents.get(row.adGroupId)
      if (!parent) return []
      // What the rest of the campaign converts: its own clicks must not speak for a row.
      const rest = { clicks: parent.clicks - row.clicks, orders: parent.orders }
      const enough = clicksToBeSure(expectedCvr(parent.account, rest))
      if (row.clicks < enough || row.costMicros < mostPerOrder(parent)) return []
      const { campaignName, adGroupName } = parent
      return [{ ...row, ...toFigures(row), currency, campaignName, adGroupName, clicksToBeSure: enough }]
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
    sql`exists (select 1 from ${tableOf(parent)} p where p.merchant_id = t.merchant_id and p.id = ${sql.ref(key)} and p.state = 'ENABLED')`
  const { rows } = await readPage(
    tx,
    profile,
    {
      entity: 'target',
      few: campaignId !== undefined,
      filters: filtersOf(
        sql`t.state = 'ENABLED'`,
        runs('campaign', 't.campaign_id'),
        runs('adGroup', 't.ad_group_id'),
        campaignId !== undefined && sql`t.campaign_id = ${campaignId}`,
      ),
      conditions: [
        { metric: 'orders', is: '<=', value: 0 },
        { metric: 'clicks', is: '>=', value: LEAST_CLICKS },
      ],
    },
    { from: dateFrom, to: dateTo, page: 0, size: CANDIDATES, sortBy: 'cost', sortDir: 'desc' },
  )
  return rows
}

interface Sums {
  clicks: number
  orders: number
}
interface Parent extends Sums {
  adGroupId: number
  adGroupName: string
  campaignName: string
  targetAcos: number | null
  salesMicros: number
  account: Sums
}

/** The names and, of the campaign, the figures for the ad groups of rows; and the account's. */
async function parentsOf(
  tx: Db,
  { merchantId, profileId }: Profile,
  { dateFrom, dateTo }: Days,
  found: readonly (Rows['target'] & FigureSums)[],
): Promise<Map<number, Parent>> {
  if (!found.length) return new Map()
  const adGroupIds = [...new Set(found.map(row => row.adGroupId))]
  const sums = figuresBy('campaign', { merchantId, profileId }, dateFrom, dateTo)
  const { rows } = await sql<Parent>`with f as materialized (select * from ${sums} x)
    select g.id as "adGroupId", g.name as "adGroupName", c.name as "campaignName", c.target_acos::float8 as "targetAcos",
      coalesce(f.clicks, 0)::float8 as clicks, coalesce(f.orders, 0)::float8 as orders,
      coalesce(f.sales_micros, 0)::float8 as "salesMicros",
      (select jsonb_build_object('clicks', sum(clicks), 'orders', sum(orders)) from f) as account
    from ${tableOf('adGroup')} g
      join ${tableOf('campaign')} c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
      left join f on f.key = c.id
    where g.merchant_id = ${merchantId} and g.profile_id = ${profileId} and g.id = any(${adGroupIds}::bigint[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.adGroupId, row]))
}

// What an order may cost at the target; 0 where there is no target or no order to tell its value.
const mostPerOrder = ({ targetAcos, orders, salesMicros }: Parent): number =>
  targetAcos === null || orders === 0 ? 0 : (salesMicros / orders) * (targetAcos / 100)
