import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export interface CampaignOwner {
  amazonId: string
  merchantId: number
  profileId: number
  campaignId: number
}

/**
 * Whose these campaigns are, by the marketplace's ids. The one statement that looks across merchants: messages of the
 * stream come through one queue and name no merchant of ours. For jobs only; unknown campaigns are missing.
 */
export const campaignOwners = async (system: Db, amazonIds: readonly string[]): Promise<CampaignOwner[]> => {
  const { rows } =
    await sql<CampaignOwner>`select amazon_id as "amazonId", merchant_id as "merchantId", profile_id as "profileId", id as "campaignId"
    from campaign where amazon_id = any(${amazonIds}::text[])`.execute(system)
  return rows
}
