import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { profilesConnected } from './signals.ts'
import { profileRows } from './sql/profiles.ts'

/**
 * Tells, in the transaction of a new consent, that the merchant's managed advertising accounts can be read again, or for
 * the first time with the seller account beside them. Nothing is told when none is managed.
 */
export async function announceManaged({ jobs }: Pick<Services, 'jobs'>, tx: Db, merchantId: number): Promise<void> {
  const rows = await profileRows(tx, [merchantId]).where('p.is_managed', '=', true).execute()
  if (rows.length) await jobs.announce(tx, profilesConnected, { merchantId, profileIds: rows.map(row => row.id) })
}
