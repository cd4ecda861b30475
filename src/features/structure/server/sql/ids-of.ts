import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export type MirrorTable = 'campaign' | 'ad_group' | 'product_ad' | 'target' | 'negative'

/** Our ids by the marketplace's, of one account; those not mirrored are missing. */
export const idsOf = async (
  tx: Db,
  table: MirrorTable,
  owner: { merchantId: number; profileId: number },
  amazonIds: readonly string[],
): Promise<Map<string, number>> => {
  const { rows } = await sql<{ amazon_id: string; id: number }>`
    select amazon_id, id from ${sql.table(table)}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and amazon_id = any(${amazonIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.amazon_id, row.id]))
}
