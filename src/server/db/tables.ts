import type { Generated, Kysely } from 'kysely'

/**
 * The columns of every table, gathered by module augmentation: each feature declares its own tables beside its SQL
 * (`declare module '#server/db/tables.ts' { interface Tables { campaign: CampaignTable } }`).
 */
export interface Tables {
  idempotency_key: {
    account_id: number
    key: string
    endpoint: string
    body_hash: string
    state: 'in_flight' | 'done'
    status: number | null
    body: string | null
    created_at: Generated<Date>
    locked_until: Date
    holder: string | null
  }
}

/** A database handle: the whole database or an open transaction. SQL functions take one and own none. */
export type Db = Kysely<Tables>
