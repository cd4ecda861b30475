import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#shared/fields.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { EditableEntity } from '../../contract.ts'
import { fieldsOf, tableOf } from './entity-sql.ts'

/** A field whose edits are sent to the marketplace. */
export type PushedField = Field & { port: string }

/** The fields whose edits are sent to the marketplace. */
export const pushedFields = (entity: EditableEntity): PushedField[] =>
  fieldsOf(entity).flatMap(([, field]) => (field.edit && field.port ? [{ ...field, port: field.port }] : []))

/** Their columns: what `base` keeps, and what a rejected edit gives back. */
export function pushedColumns(entity: EditableEntity): string[] {
  return [...new Set(pushedFields(entity).flatMap(({ column, part }) => (part ? [column, part.column] : [column])))]
}

type Values = Record<string, unknown>

export interface PendingRow {
  profileId: number
  amazonId: string
  kind: 'KEYWORD' | 'PRODUCT' | 'AUTO' | null
  version: number
  /** The pushed columns as the user wants them. */
  requested: Values
  /** The same as the marketplace last had them; `sent` names those that were sent without a clear answer. */
  base: Values & { sent?: string[] }
}

/** The pushed columns of a row `t`, by name. */
export const pushedValues = (entity: EditableEntity): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(pushedColumns(entity).map(column => sql`${sql.lit(column)}, ${sql.ref(`t.${column}`)}`))})`

const isPending = (merchantId: number, id: number): RawBuilder<unknown> =>
  sql`t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING'`

/** A row that waits for the marketplace; undefined when it no longer waits. */
export async function readPending(
  db: Db,
  entity: EditableEntity,
  merchantId: number,
  id: number,
): Promise<PendingRow | undefined> {
  const kind = entity === 'target' ? sql`t.kind` : sql`null`
  const { rows } =
    await sql<PendingRow>`select t.profile_id as "profileId", t.amazon_id as "amazonId", ${kind} as kind, t.version,
      ${pushedValues(entity)} as requested, coalesce(t.base, ${pushedValues(entity)}) as base
    from ${tableOf(entity)} t where ${isPending(merchantId, id)}`.execute(db)
  return rows[0]
}

/** Notes which columns are about to be sent, so that they are sent again should the answer be lost. */
export async function noteSent(
  db: Db,
  entity: EditableEntity,
  merchantId: number,
  id: number,
  columns: readonly string[],
): Promise<void> {
  await sql`update ${tableOf(entity)} t set base = coalesce(t.base, ${pushedValues(entity)})
      || jsonb_build_object('sent', ${JSON.stringify(columns)}::jsonb)
    where ${isPending(merchantId, id)}`.execute(db)
  await raiseVersion(db, merchantId)
}

/**
 * The marketplace accepted the row as it was in `version`. A row that was edited again since continues to wait, with the
 * accepted values as its new base.
 */
export async function settleAccepted(
  tx: Db,
  entity: EditableEntity,
  merchantId: number,
  id: number,
  { version, requested }: Pick<PendingRow, 'version' | 'requested'>,
  at: Date,
): Promise<void> {
  await sql`update ${tableOf(entity)} t set updated_at = ${at}, sync_error = null,
      sync_state = case when t.version = ${version} then 'SYNCED' else 'PENDING' end,
      base = case when t.version = ${version} then null else ${JSON.stringify(requested)}::jsonb end
    where ${isPending(merchantId, id)}`.execute(tx)
}

/**
 * The marketplace rejected the row as it was in `version`: it gets its base back and says why. A row that was edited
 * again since continues to wait.
 */
export async function settleRejected(
  tx: Db,
  entity: EditableEntity,
  merchantId: number,
  id: number,
  { version, message }: { version: number; message: string },
  at: Date,
): Promise<void> {
  const table = tableOf(entity)
  const reverted = pushedColumns(entity).map(
    column => sql`${sql.ref(column)} = (jsonb_populate_record(null::${table}, t.base)).${sql.ref(column)}`,
  )
  await sql`update ${table} t set ${sql.join(reverted)}, base = null, sync_state = 'FAILED', sync_error = ${message},
      version = t.version + 1, updated_at = ${at}
    where ${isPending(merchantId, id)} and t.version = ${version}`.execute(tx)
}

/** Rows of all merchants that have waited since before a moment, oldest first, at most `limit`. */
export async function readLongPending(
  db: Db,
  entity: EditableEntity,
  before: Date,
  limit: number,
): Promise<{ merchantId: number; id: number }[]> {
  const { rows } = await sql<{ merchantId: number; id: number }>`
    select t.merchant_id as "merchantId", t.id from ${tableOf(entity)} t
    where t.sync_state = 'PENDING' and t.updated_at < ${before} order by t.updated_at limit ${limit}`.execute(db)
  return rows
}
