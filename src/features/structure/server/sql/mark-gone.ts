import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { MirrorTable } from './ids-of.ts'

/**
 * Marks the account's rows that the marketplace did not list (`seen`) as gone and archived. Rows added or changed since
 * `before` are left alone, for they may be younger than the list; so is one with a change of ours on its way, which would
 * be sent as the wish to archive it, and that cannot be taken back. Returns how many were marked.
 */
export const markGone = async (
  tx: Db,
  table: MirrorTable,
  owner: { merchantId: number; profileId: number },
  seen: readonly string[],
  before: Date,
): Promise<number> => {
  const result = await sql`
    update ${sql.table(table)} set gone_at = ${before}, state = 'ARCHIVED', version = version + 1, updated_at = ${before}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and gone_at is null
      and created_at < ${before} and updated_at <= ${before} and sync_state <> 'PENDING'
      and not (amazon_id = any(${seen}::text[]))`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}
