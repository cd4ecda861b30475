import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export interface Parents {
  id: number
  campaignId: number
  adGroupId: number
}

/** Our ids and parents of targets or ads, by the marketplace's ids, of one account; those not mirrored are missing. */
export const parentsOf = async (
  tx: Db,
  table: 'target' | 'product_ad',
  owner: { merchantId: number; profileId: number },
  amazonIds: readonly string[],
): Promise<Map<string, Parents>> => {
  const { rows } = await sql<Parents & { amazon_id: string }>`
    select amazon_id, id, campaign_id as "campaignId", ad_group_id as "adGroupId" from ${sql.table(table)}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and amazon_id = any(${amazonIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.amazon_id, row]))
}
