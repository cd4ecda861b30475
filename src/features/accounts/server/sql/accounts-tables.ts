import type { Generated, GeneratedAlways } from 'kysely'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { ConnectionKind } from '../../contract.ts'

export type Role = 'OWNER' | 'VIEWER'
export type Health = 'CONNECTED' | 'LOST' | 'DISCONNECTED'

declare module '#server/db/tables.ts' {
  interface Tables {
    membership: {
      account_id: number
      merchant_id: number
      role: Role
      created_at: Generated<Date>
      ended_at: Date | null
    }
    seller_claim: {
      region: RegionKey
      selling_partner_id: string
      merchant_id: number
      trial_used_at: Date | null
      /** Whose trial that was. */
      trial_account_id: number | null
    }
    oauth_state: {
      state_hash: string
      account_id: number
      kind: ConnectionKind
      region: RegionKey
      merchant_id: number | null
      created_at: Generated<Date>
      expires_at: Date
      used_at: Date | null
    }
    merchant: {
      merchant_id: GeneratedAlways<number>
      name: string
      account_type: 'SELLER' | 'VENDOR'
      region: RegionKey
      selling_partner_id: string
      created_at: Generated<Date>
      disconnected_at: Date | null
      data_kept_until: Date | null
    }
    merchant_marketplace: {
      merchant_id: number
      marketplace_id: number
      is_participating: boolean
      has_suspended_listings: boolean
    }
    connection: {
      merchant_id: number
      id: GeneratedAlways<number>
      kind: ConnectionKind
      region: RegionKey
      granted_by: number
      refresh_token_sealed: string | null
      access_token_sealed: string | null
      access_token_expires_at: Date | null
      renewing_until: Date | null
      health: Generated<Health>
      lost_at: Date | null
      connected_at: Generated<Date>
    }
    ads_profile: {
      merchant_id: number
      id: GeneratedAlways<number>
      connection_id: number
      amazon_profile_id: string
      region: RegionKey
      marketplace_id: number
      country_code: string
      currency: string
      timezone: string
      account_name: string
      account_type: 'SELLER' | 'VENDOR'
      account_sub_type: string | null
      valid_payment_method: boolean
      daily_budget_micros: number | null
      campaign_prefix: string | null
      ad_spend_percentage: number | null
      is_managed: Generated<boolean>
      managed_at: Date | null
      last_fetched: Date | null
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
  }
}
