import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/**
 * Gives campaigns of an account, by the marketplace's ids, a target ACOS in percent, in the caller's transaction. One that
 * has a target already keeps it: somebody chose it meanwhile.
 */
export const saveTargetAcos = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  amazonIds: readonly string[],
  percent: number,
  at: Date,
): Promise<void> => {
  await sql`update campaign set target_acos = ${percent}::numeric, version = version + 1, updated_at = ${at}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and amazon_id = any(${amazonIds}::text[])
      and target_acos is null`.execute(tx)
}
