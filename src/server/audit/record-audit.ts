import type { Db } from '../db/tables.ts'

export interface AuditEntry {
  merchantId: number
  /** Null when the product acted by itself. */
  accountId: number | null
  /** A verb in the field's words: `campaign.pause`, `launch.create`. */
  action: string
  entity: string
  entityId: string | number
  before?: unknown
  after?: unknown
  requestId?: string
}

/** Writes an entry in the caller's transaction; it stands if, and only if, the change does. Entries are never changed. */
export async function recordAudit(tx: Db, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      merchant_id: entry.merchantId,
      account_id: entry.accountId,
      action: entry.action,
      entity: entry.entity,
      entity_id: String(entry.entityId),
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      request_id: entry.requestId ?? null,
    })
    .execute()
}
