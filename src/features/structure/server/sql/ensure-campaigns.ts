import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { idsOf } from './ids-of.ts'

/**
 * Our ids of these campaigns. One that the account no longer lists but still reports figures of is added as gone, under
 * its number, because its money was spent all the same.
 */
export const ensureCampaigns = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  amazonIds: readonly string[],
  at: Date,
): Promise<Map<string, number>> => {
  const known = await idsOf(tx, 'campaign', owner, amazonIds)
  const missing = [...new Set(amazonIds)].filter(id => !known.has(id))
  if (!missing.length) return known
  await sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, gone_at)
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, u.id, 'Campaign ' || u.id, 'ARCHIVED', 'MANUAL', ${at}::timestamptz
    from unnest(${missing}::text[]) as u(id) on conflict do nothing`.execute(tx)
  return idsOf(tx, 'campaign', owner, amazonIds)
}
