import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './seeding-jobs.ts'

export type RefreshScope = 'WHOLE' | 'RECENT'

/** Records a refresh of an account; a whole refresh includes the last days. */
export async function noteRefresh(tx: Db, owner: Owner, scope: RefreshScope, at: Date): Promise<void> {
  await sql`insert into refresh_state (merchant_id, profile_id, whole_at, recent_at)
    values (${owner.merchantId}, ${owner.profileId}, ${at}, ${at})
    on conflict (merchant_id, profile_id) do update set recent_at = excluded.recent_at,
      whole_at = case when ${scope} = 'WHOLE' then excluded.whole_at else refresh_state.whole_at end`.execute(tx)
}

/**
 * The accounts of all merchants whose data is too old, and what to refresh; only accounts that were imported before. Reads as
 * the owner of the tables.
 */
export async function dueRefreshes(
  db: Db,
  { wholeBefore, recentBefore }: { wholeBefore: Date; recentBefore: Date },
): Promise<(Owner & { scope: RefreshScope })[]> {
  const { rows } = await sql<Owner & { scope: RefreshScope }>`
    select merchant_id as "merchantId", profile_id as "profileId",
      case when whole_at < ${wholeBefore} then 'WHOLE' else 'RECENT' end as scope
    from refresh_state where whole_at < ${wholeBefore} or recent_at < ${recentBefore}
    order by merchant_id, profile_id`.execute(db)
  return rows
}
