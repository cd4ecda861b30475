import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { EntityName } from '../../contract.ts'
import type { Owner } from '../sql/entity-sql.ts'

export type ChangeOrigin = 'USER' | 'MARKETPLACE' | 'LAUNCH' | 'RULE'

export interface RecordedChange {
  entity: EntityName
  entityId: number
  campaignId: number
  /** Null for an entity that was created. */
  field: string | null
  /** As answers carry the field: money in units of the currency. */
  before: unknown
  after: unknown
  /** The change that this one undoes. */
  undoes?: number
  note?: string
}

interface Act {
  origin: ChangeOrigin
  accountId: number | null
  at: Date
  /** Changes of one act have one group; a new one when absent. */
  groupId?: string
}

/** A new group for the changes of one act. */
export const newGroup = (): string => randomUUID()

/** Adds changes to the ledger, in the transaction that makes them. Nothing is ever changed or removed there. */
export async function recordChanges(
  tx: Db,
  { merchantId, profileId }: Owner,
  { origin, accountId, at, groupId = newGroup() }: Act,
  changes: readonly RecordedChange[],
): Promise<void> {
  if (!changes.length) return
  const all = <T>(read: (change: RecordedChange) => T) => changes.map(read)
  const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))
  await sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, before, after, undoes,
      note, origin, account_id, at)
    select ${merchantId}::bigint, ${profileId}::bigint, ${groupId}::uuid, entity, entity_id, campaign_id, field, before::jsonb,
      after::jsonb, undoes, note, ${origin}, ${accountId}::bigint, ${at}::timestamptz
    from unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[], ${all(c => c.campaignId)}::bigint[],
      ${all(c => c.field)}::text[], ${all(c => json(c.before))}::text[], ${all(c => json(c.after))}::text[],
      ${all(c => c.undoes ?? null)}::bigint[], ${all(c => c.note ?? null)}::text[])
      with ordinality as u(entity, entity_id, campaign_id, field, before, after, undoes, note, place)
    order by place`.execute(tx)
}
