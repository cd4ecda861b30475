import type { Generated, GeneratedAlways } from 'kysely'
import type { NotificationKind } from '../../rules.ts'

export type DeliveryState = 'PENDING' | 'ACCEPTED' | 'REFUSED' | 'EXPIRED'

declare module '#server/db/tables.ts' {
  interface Tables {
    notification: {
      id: GeneratedAlways<number>
      account_id: number
      merchant_id: number | null
      kind: NotificationKind
      cause: string
      occasion: string
      title: string
      body: string
      url: string
      created_at: Date
      read_at: Date | null
      push_until: Date
    }
    push_subscription: {
      id: GeneratedAlways<number>
      account_id: number
      session_id: string
      endpoint: string
      keys_sealed: string
      key_id: string
      created_at: Date
      seen_at: Date
    }
    push_delivery: {
      notification_id: number
      subscription_id: number
      state: Generated<DeliveryState>
      attempts: Generated<number>
      last_error: string | null
      settled_at: Date | null
    }
  }
}
