import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import { editable, type EditedTable, type EditedValues } from './edits.ts'

export interface PendingRow {
  profileId: number
  amazonId: string
  kind: 'KEYWORD' | 'PRODUCT' | 'AUTO' | null
  version: number
  /** The editable columns as the user wants them. */
  wanted: EditedValues
  /** The same as the marketplace was last known to hold them; `sent` names what was sent without a clear answer. */
  base: EditedValues & { sent?: string[] }
}

const wantedValues = (table: EditedTable) =>
  sql`jsonb_build_object(${sql.join(editable[table].map(column => sql`${sql.lit(column)}, t.${sql.ref(column)}`))})`

/** A row that waits for the marketplace; undefined when it waits no longer. */
export const pendingRow = async (
  db: Db,
  table: EditedTable,
  merchantId: number,
  id: number,
): Promise<PendingRow | undefined> => {
  const kind = table === 'target' ? sql`t.kind` : sql`null`
  const { rows } =
    await sql<PendingRow>`select t.profile_id as "profileId", t.amazon_id as "amazonId", ${kind} as kind, t.version,
      ${wantedValues(table)} as wanted, coalesce(t.base, ${wantedValues(table)}) as base
    from ${sql.table(table)} t where t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING'`.execute(
      db,
    )
  return rows[0]
}

/** Notes which columns are about to be sent, so that they are sent again should the answer be lost. */
export const noteSent = async (
  db: Db,
  table: EditedTable,
  merchantId: number,
  id: number,
  sent: readonly string[],
): Promise<void> => {
  await sql`update ${sql.table(table)} t set base = coalesce(t.base, ${wantedValues(table)}) || jsonb_build_object('sent', ${JSON.stringify(sent)}::jsonb)
    where t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING'`.execute(db)
  await raiseVersion(db, merchantId)
}

/**
 * The marketplace took the row as it was in `version`. A row edited again meanwhile goes on waiting, with what was taken
 * as its new base.
 */
export const settleTaken = async (
  tx: Db,
  table: EditedTable,
  merchantId: number,
  id: number,
  { version, wanted }: Pick<PendingRow, 'version' | 'wanted'>,
  at: Date,
): Promise<void> => {
  await sql`update ${sql.table(table)} t set updated_at = ${at}, sync_error = null,
      sync_state = case when t.version = ${version} then 'SYNCED' else 'PENDING' end,
      base = case when t.version = ${version} then null else ${JSON.stringify(wanted)}::jsonb end
    where t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING'`.execute(tx)
}

/**
 * The marketplace did not take the row as it was in `version`: it is taken back to its base and says why. A row edited
 * again meanwhile goes on waiting. Returns true when it was taken back.
 */
export const settleRefused = async (
  tx: Db,
  table: EditedTable,
  merchantId: number,
  id: number,
  { version, words }: { version: number; words: string },
  at: Date,
): Promise<boolean> => {
  const back = editable[table].map(
    column => sql`${sql.ref(column)} = (jsonb_populate_record(null::${sql.table(table)}, t.base)).${sql.ref(column)}`,
  )
  const result =
    await sql`update ${sql.table(table)} t set ${sql.join(back)}, base = null, sync_state = 'FAILED', sync_error = ${words},
      version = t.version + 1, updated_at = ${at}
    where t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING' and t.version = ${version}`.execute(
      tx,
    )
  return Number(result.numAffectedRows ?? 0) > 0
}

/** Rows of all merchants that wait since before a moment, oldest first, at most `limit`. */
export const longPending = async (
  db: Db,
  table: EditedTable,
  before: Date,
  limit: number,
): Promise<{ merchantId: number; id: number }[]> => {
  const { rows } = await sql<{
    merchantId: number
    id: number
  }>`select t.merchant_id as "merchantId", t.id from ${sql.table(table)} t
    where t.sync_state = 'PENDING' and t.updated_at < ${before} order by t.updated_at limit ${limit}`.execute(db)
  return rows
}
