import type { Db } from '#server/db/tables.ts'
import type { Subscription } from '../contract.ts'
import { standingOf } from '../rules.ts'
import { subscriptionRow } from './sql.ts'

/** What an account's subscription gives at a moment; null when it never had one. */
export const subscriptionOf = async (db: Db, accountId: number, now: Date): Promise<Subscription | null> => {
  const row = await subscriptionRow(db, accountId)
  return row ? { ...standingOf(row, now), planId: row.planId, planName: row.planName } : null
}
