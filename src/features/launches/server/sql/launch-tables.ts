import type { Generated, GeneratedAlways } from 'kysely'
import type { CallOutcome, CallStep, LaunchStatus, StepName, StepStatus } from '../../contract.ts'
import type { Template } from '../../templates.ts'

export type ItemState = 'PLANNED' | 'SENDING' | 'CREATED' | 'FAILED' | 'SKIPPED' | 'ARCHIVED'
export type UndoState = 'PENDING' | 'DONE' | 'PARTIAL'

declare module '#server/db/tables.ts' {
  interface Tables {
    launch: {
      merchant_id: number
      id: GeneratedAlways<number>
      profile_id: number
      account_id: number
      idempotency_key: string
      body_hash: string
      campaign_name: string
      template: Template
      payload: unknown
      plan: unknown
      status: Generated<LaunchStatus>
      undo: UndoState | null
      lease_token: string | null
      lease_until: Date | null
      waits: Generated<number>
      waiting_until: Date | null
      created_at: Date
      finished_at: Date | null
    }
    launch_name: { merchant_id: number; profile_id: number; name: string; launch_id: number }
    launch_step: {
      merchant_id: number
      launch_id: number
      position: number
      name: StepName
      status: Generated<StepStatus>
      reason: string | null
      message: string | null
      started_at: Generated<Date | null>
      finished_at: Generated<Date | null>
    }
    launch_call: {
      merchant_id: number
      launch_id: number
      call_no: GeneratedAlways<number>
      step: CallStep | null
      at: Date
      took_ms: number
      operation: string
      method: string
      path: string
      outcome: CallOutcome
      status: number | null
      request_id: string | null
      message: string | null
      sent: string | null
      received: string | null
    }
    launch_item: {
      merchant_id: number
      launch_id: number
      item_no: number
      step: StepName
      key: string
      parent_key: string | null
      label: string
      content: unknown
      state: Generated<ItemState>
      amazon_id: string | null
      reason: string | null
      message: string | null
      attempts: Generated<number>
      sent_at: Date | null
      saved: Generated<boolean>
    }
  }
}

/** Which launch of which merchant. */
export interface LaunchKey {
  merchantId: number
  launchId: number
}
