import type { Database } from '#server/db/open-database.ts'
import { ownerships, membershipsOf } from './sql/memberships.ts'
import { managedSince, profileRows } from './sql/profiles.ts'
import type { AmazonProfile } from '../contract.ts'
import { profileAnswer } from './present.ts'

/** What an account owns, and since when. */
export interface Holdings {
  merchants: { merchantId: number; since: Date }[]
  /** The advertising accounts under management. */
  profiles: { merchantId: number; profileId: number; currency: string; since: Date }[]
}

/** The connected merchants that an account owns, and their managed advertising accounts. */
export async function holdingsOf(db: Database, accountId: number): Promise<Holdings> {
  const owned = await ownerships(db.system, accountId)
  const merchantIds = owned.map(one => one.merchantId)
  const profiles = await db.reading(merchantIds, tx => managedSince(tx, merchantIds))
  const merchants = owned.map(({ merchantId, since }) => {
    // A merchant that was brought back counts from then on, when its accounts came under management again.
    const managed = profiles
      .filter(profile => profile.merchantId === merchantId)
      .map(profile => profile.since.getTime())
    return { merchantId, since: managed.length ? new Date(Math.min(...managed)) : since }
  })
  return { merchants, profiles }
}

/** Every advertising account of an account's merchants, managed or not, as the contract has them. */
export async function amazonProfilesOf(db: Database, accountId: number): Promise<AmazonProfile[]> {
  const merchantIds = (await membershipsOf(db.system, accountId)).map(row => row.merchantId)
  const rows = await db.tenant(merchantIds, tx => profileRows(tx, merchantIds).execute())
  return rows.map(profileAnswer)
}
