import { sql } from 'kysely'
import { kinds, type NotificationKind, notificationKinds } from '#features/notifications/contract.ts'
import type { Db } from '#server/db/tables.ts'

interface OpenAlerts {
  count: number
  /** Of the strongest: how far it is beyond its threshold (1: just so), and its kind. */
  strength: number
  kind: NotificationKind
}

// News are announced by the same table.
const decisions = notificationKinds.filter(kind => kinds[kind].isDecision)

/** The open alerts of some merchants by advertising account; accounts without one are missing. */
export async function openAlerts(tx: Db, merchantIds: readonly number[]): Promise<Map<number, OpenAlerts>> {
  const { rows } = await sql<OpenAlerts & { profileId: number }>`
    select profile_id as "profileId", count(*)::int as count, max(strength)::float8 as strength,
      (array_agg(kind order by strength desc))[1] as kind
    from alert where merchant_id = any(${[...merchantIds]}::bigint[]) and settled_at is null and profile_id is not null
      and kind = any(${decisions}::text[])
    group by profile_id`.execute(tx)
  return new Map(rows.map(({ profileId, ...alerts }) => [profileId, alerts]))
}
