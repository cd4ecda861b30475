import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { LaunchKey } from './launch-key.ts'

export type AddedKind = 'AD_GROUP' | 'PRODUCT_AD' | 'KEYWORD' | 'PRODUCT_TARGET' | 'NEGATIVE'

/**
 * What the account's mirror holds, live, in campaigns of a launch that the launch did not make, counted by kind. Kinds
 * without any are missing.
 */
export const addedSince = async (
  tx: Db,
  { merchantId, launchId }: LaunchKey,
  profileId: number,
): Promise<{ kind: AddedKind; count: number }[]> => {
  const { rows } = await sql<{ kind: AddedKind; count: number }>`
    with made as (
      select amazon_id, step from launch_item
      where merchant_id = ${merchantId} and launch_id = ${launchId} and amazon_id is not null
    ), own as (
      select c.id from campaign c join made on made.step = 'CAMPAIGNS' and made.amazon_id = c.amazon_id
      where c.merchant_id = ${merchantId} and c.profile_id = ${profileId}
    ), held as (
      select 'AD_GROUP' as kind, amazon_id, state, gone_at, merchant_id, campaign_id from ad_group
      union all select 'PRODUCT_AD', amazon_id, state, gone_at, merchant_id, campaign_id from product_ad
      union all select case kind when 'KEYWORD' then 'KEYWORD' else 'PRODUCT_TARGET' end, amazon_id, state, gone_at,
        merchant_id, campaign_id from target where kind <> 'AUTO'
      union all select 'NEGATIVE', amazon_id, state, gone_at, merchant_id, campaign_id from negative
    )
    select held.kind, count(*)::int as count from held join own on own.id = held.campaign_id
    where held.merchant_id = ${merchantId} and held.state <> 'ARCHIVED' and held.gone_at is null
      and not exists (select 1 from made where made.amazon_id = held.amazon_id)
    group by held.kind order by held.kind`.execute(tx)
  return rows
}
