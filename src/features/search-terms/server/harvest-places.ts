import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Micros } from '#shared/money.ts'
import { matching, type Owner, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'

/** An ad group as what may take a keyword, or may lose a search term. */
export interface HarvestPlace {
  adGroupId: number
  campaignId: number
  adGroupAmazonId: string
  campaignAmazonId: string
  adType: string
  /** What the campaign pays for; null of Sponsored Products. */
  costType: string | null
  targetingType: string
  isArchived: boolean
  defaultBidMicros: Micros | null
  budgetMicros: Micros | null
  /** The median bid of what runs there; null where nothing has a bid of its own. */
  usualBidMicros: Micros | null
  /** What it aims at already, archived ones apart: an ad group has either keywords or products. */
  kinds: string[]
}

/** Ad groups by our ids. Throws NOT_FOUND when the account lacks one of them. */
export async function readPlaces(tx: Db, owner: Owner, ids: readonly number[]): Promise<Map<number, HarvestPlace>> {
  const distinctIds = [...new Set(ids)]
  const { rows } = await sql<HarvestPlace>`
    select t.id as "adGroupId", c.id as "campaignId", t.amazon_id as "adGroupAmazonId", c.amazon_id as "campaignAmazonId",
      c.ad_type as "adType", c.cost_type as "costType", c.targeting_type as "targetingType", 'ARCHIVED' in (t.state, c.state) as "isArchived",
      t.default_bid_micros as "defaultBidMicros", c.daily_budget_micros as "budgetMicros",
      (select percentile_disc(0.5) within group (order by k.bid_micros) from ${tableOf('target')} k
        where k.merchant_id = ${owner.merchantId} and k.ad_group_id = t.id and k.state = 'ENABLED') as "usualBidMicros",
      array(select distinct k.kind from ${tableOf('target')} k
        where k.merchant_id = ${owner.merchantId} and k.ad_group_id = t.id and k.state <> 'ARCHIVED') as kinds
    from ${tableOf('adGroup')} t join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
    where ${matching(owner, [sql`t.id = any(${distinctIds}::bigint[])`])}`.execute(tx)
  if (rows.length < distinctIds.length) throw new AppError('NOT_FOUND', 'There is no such ad group.')
  return new Map(rows.map(row => [row.adGroupId, row]))
}
