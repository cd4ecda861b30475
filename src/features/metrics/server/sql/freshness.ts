import { sql } from 'kysely'
import { addDays } from '#shared/time.ts'
import type { Db } from '#server/db/tables.ts'

/** How old an account's daily figures are, and from which day on they may still move. */
export interface Freshness {
  asOf: Date | null
  /** Null when nothing was imported. */
  movingFrom: string | null
  dataVersion: number
}

/** Days after the click within which an order still counts for it: 7 for sellers, 14 for vendors. */
export const attributionDays = { seller: 7, vendor: 14 } as const

/**
 * The freshness of an account's daily figures. A day may move while orders can still be attributed to its clicks; what
 * the marketplace corrects later is pulled again too, but is too little to mark.
 */
export const profileFreshness = async (
  tx: Db,
  profile: { merchantId: number; profileId: number; accountType: 'seller' | 'vendor' },
): Promise<Freshness> => {
  const { rows } = await sql<{ as_of: Date | null; to: string | null; version: number }>`
    select daily_as_of as as_of, daily_to as to, data_version as version from metrics_state
    where merchant_id = ${profile.merchantId} and profile_id = ${profile.profileId}`.execute(tx)
  const [state] = rows
  return {
    asOf: state?.as_of ?? null,
    movingFrom: state?.to ? addDays(state.to, -attributionDays[profile.accountType]) : null,
    dataVersion: state?.version ?? 0,
  }
}
