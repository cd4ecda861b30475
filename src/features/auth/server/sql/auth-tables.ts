import type { Generated, GeneratedAlways } from 'kysely'
import type { AccountType } from '../../contract.ts'
import type { RoleName } from '../../roles.ts'

export type AccountStatus = 'ACTIVE' | 'SUSPENDED'
export type SessionEnd = 'LOGOUT' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET' | 'TOKEN_REUSED'
export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

declare module '#server/db/tables.ts' {
  interface Tables {
    account: {
      id: GeneratedAlways<number>
      email: string
      password_hash: string
      first_name: string
      last_name: string
      account_type: AccountType
      affiliate_code: string | null
      locale: Generated<string>
      timezone: Generated<string>
      email_verified_at: Date | null
      status: Generated<AccountStatus>
      current_merchant_id: number | null
      current_marketplace_id: number | null
      trial_started_at: Date | null
      trial_ends_at: Date | null
      has_used_trial: Generated<boolean>
      stripe_customer_id: string | null
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    account_role: { account_id: number; role: RoleName; granted_at: Generated<Date> }
    session: {
      id: string
      account_id: number
      created_at: Date
      expires_at: Date
      ended_at: Date | null
      end_reason: SessionEnd | null
    }
    refresh_token: {
      token_hash: string
      session_id: string
      issued_at: Date
      used_at: Date | null
      used_by: string | null
    }
    auth_token: {
      account_id: number
      purpose: TokenPurpose
      token_hash: string
      created_at: Date
      expires_at: Date
    }
    auth_attempt: { key: string; points: number; expire: number | null }
  }
}
