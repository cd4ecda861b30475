import type { Database } from '#server/db/open-database.ts'
import type { AmazonProfile } from '../contract.ts'
import { profileAnswer } from './present.ts'
import { membershipsOf } from './sql/memberships.ts'
import { profileRows } from './sql/profiles.ts'

/** Every advertising account of an account's merchants, managed or not, as the contract has them. */
export async function amazonProfilesOf(db: Database, accountId: number): Promise<AmazonProfile[]> {
  const merchantIds = (await membershipsOf(db.system, accountId)).map(row => row.merchantId)
  const rows = await db.tenant(merchantIds, tx => profileRows(tx, merchantIds).execute())
  return rows.map(profileAnswer)
}
