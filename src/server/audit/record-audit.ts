import type { Db } from '../db/tables.ts'

export interface AuditEntry {
  merchantId: number
  /** Null if the product acted on its own. */
  accountId: number | null
  /** For instance `campaign.pause` or `launch.create`. */
  action: string
  entity: string
  entityId: string | number
  before?: unknown
  after?: unknown
  requestId?: string
}

/** Inserts an entry in the transaction that makes the change. Entries are never updated. */
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
