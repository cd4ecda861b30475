import { type RawBuilder, sql } from 'kysely'
import type { FieldChange, Field } from '#shared/fields.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'
import { type EditableEntity, entities, type Row } from '../../contract.ts'
import { columnTypes, matching, type Owner, selectList, tableOf, fieldsOf } from './entity-sql.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'

/** What an edit has to know of the rows above its own. */
export interface Parents {
  campaign: { state: string; budgetMicros: Micros | null } | null
  adGroupState: string | null
}

/** A row with its parents' state, locked until the transaction ends; undefined when the account has none of this id. */
export async function lockRow<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  entity: E,
  id: number,
): Promise<{ row: Row<E>; parents: Parents } | undefined> {
  const { parent } = entities[entity]
  const campaign = parent
    ? sql`(select jsonb_build_object('state', c.state, 'budgetMicros', c.daily_budget_micros) from campaign c
        where c.merchant_id = t.merchant_id and c.id = t.campaign_id)`
    : sql`null::jsonb`
  const adGroupState =
    parent === 'adGroup'
      ? sql`(select g.state from ad_group g where g.merchant_id = t.merchant_id and g.id = t.ad_group_id)`
      : sql`null::text`
  const { rows } = await sql<Row<E> & { parents: [Parents['campaign'], string | null] }>`
    select ${selectList(entity)}, jsonb_build_array(${campaign}, ${adGroupState}) as parents
    from ${tableOf(entity)} t where ${matching(owner, [sql`t.id = ${id}`])} for update of t`.execute(tx)
  if (!rows[0]) return undefined
  const { parents, ...row } = rows[0]
  // Without the parents it is the row that the select list describes.
  return { row: row as unknown as Row<E>, parents: { campaign: parents[0], adGroupState: parents[1] } }
}

// The marketplace takes the bidding whole; only campaigns that it no longer lists have none.
const emptyBidding = sql`jsonb_build_object('strategy', t.bidding_strategy, 'placements', '[]'::jsonb, 'audiences', '[]'::jsonb)`

function assignments(changes: readonly FieldChange[]): RawBuilder<unknown>[] {
  const members: Record<string, Record<string, unknown>> = {}
  const sets = changes.flatMap(({ field: { kind, column, part }, after }) => {
    if (part) members[part.column] = { ...members[part.column], [part.key]: after }
    if (part?.column === column) return []
    const value = kind === 'money' && after !== null ? toMicros(after as number) : after
    return [sql`${sql.ref(column)} = ${value}::${sql.raw(columnTypes[kind])}`]
  })
  for (const [column, changed] of Object.entries(members))
    sets.push(
      sql`${sql.ref(column)} = coalesce(${sql.ref(`t.${column}`)}, ${emptyBidding}) || ${JSON.stringify(changed)}::jsonb`,
    )
  return sets
}

/**
 * Gives fields of a row the values that a user wants and marks the row as waiting for the marketplace; `base` keeps what
 * the marketplace had before the first of several edits. Returns the row as it is now; the caller has locked it.
 */
export async function saveChanges<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  entity: E,
  id: number,
  changes: readonly FieldChange[],
  at: Date,
): Promise<Row<E>> {
  const { rows } = await sql<Row<E>>`update ${tableOf(entity)} t set ${sql.join(assignments(changes))},
      base = coalesce(t.base, ${pushedValues(entity)}), sync_state = 'PENDING', sync_error = null,
      version = t.version + 1, updated_at = ${at}
    where ${matching(owner, [sql`t.id = ${id}`])} returning ${selectList(entity)}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`no ${entity} ${id} to edit`)
  return row
}

/** True when another ad group of the campaign has the name, regardless of case; archived ones do not count. */
export async function isAdGroupNameTaken(
  tx: Db,
  owner: Owner,
  { campaignId, id }: { campaignId: number; id: number },
  name: string,
): Promise<boolean> {
  const others = [
    sql`t.campaign_id = ${campaignId} and t.id <> ${id}`,
    sql`t.state <> 'ARCHIVED' and t.gone_at is null and lower(t.name) = lower(${name})`,
  ]
  const { rows } = await sql`select 1 from ad_group t where ${matching(owner, others)} limit 1`.execute(tx)
  return rows.length > 0
}

/** A field whose edits are sent to the marketplace. */
type PushedField = Field & { port: string }

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
const pushedValues = (entity: EditableEntity): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(pushedColumns(entity).map(column => sql`${sql.lit(column)}, ${sql.ref(`t.${column}`)}`))})`

/** Of a row with a pending edit. */
export interface RowKey {
  merchantId: number
  id: number
}

const isPending = ({ merchantId, id }: RowKey): RawBuilder<unknown> =>
  sql`t.merchant_id = ${merchantId} and t.id = ${id} and t.sync_state = 'PENDING'`

/** A row that waits for the marketplace; undefined when it no longer waits. */
export async function readPending(db: Db, entity: EditableEntity, key: RowKey): Promise<PendingRow | undefined> {
  const kind = entity === 'target' ? sql`t.kind` : sql`null`
  const { rows } =
    await sql<PendingRow>`select t.profile_id as "profileId", t.amazon_id as "amazonId", ${kind} as kind, t.version,
      ${pushedValues(entity)} as requested, coalesce(t.base, ${pushedValues(entity)}) as base
    from ${tableOf(entity)} t where ${isPending(key)}`.execute(db)
  return rows[0]
}

/** Notes which columns are about to be sent, so that they are sent again should the answer be lost. */
export async function noteSent(db: Db, entity: EditableEntity, key: RowKey, columns: readonly string[]): Promise<void> {
  await sql`update ${tableOf(entity)} t set base = coalesce(t.base, ${pushedValues(entity)})
      || jsonb_build_object('sent', ${JSON.stringify(columns)}::jsonb)
    where ${isPending(key)}`.execute(db)
  await raiseVersion(db, key.merchantId)
}

/**
 * The marketplace accepted the row as it was in `version`. A row that was edited again since continues to wait, with the
 * accepted values as its new base.
 */
export async function settleAccepted(
  tx: Db,
  entity: EditableEntity,
  key: RowKey,
  { version, requested }: Pick<PendingRow, 'version' | 'requested'>,
  at: Date,
): Promise<void> {
  await sql`update ${tableOf(entity)} t set updated_at = ${at}, sync_error = null,
      sync_state = case when t.version = ${version} then 'SYNCED' else 'PENDING' end,
      base = case when t.version = ${version} then null else ${JSON.stringify(requested)}::jsonb end
    where ${isPending(key)}`.execute(tx)
}

/**
 * The marketplace rejected the row as it was in `version`: it gets its base back and says why. A row that was edited
 * again since continues to wait.
 */
export async function settleRejected(
  tx: Db,
  entity: EditableEntity,
  key: RowKey,
  { version, message }: { version: number; message: string },
  at: Date,
): Promise<void> {
  const table = tableOf(entity)
  const reverted = pushedColumns(entity).map(
    column => sql`${sql.ref(column)} = (jsonb_populate_record(null::${table}, t.base)).${sql.ref(column)}`,
  )
  await sql`update ${table} t set ${sql.join(reverted)}, base = null, sync_state = 'FAILED', sync_error = ${message},
      version = t.version + 1, updated_at = ${at}
    where ${isPending(key)} and t.version = ${version}`.execute(tx)
}

/** Rows of all merchants that have waited since before a moment, oldest first, at most `limit`. */
export async function readLongPending(db: Db, entity: EditableEntity, before: Date, limit: number): Promise<RowKey[]> {
  const { rows } = await sql<RowKey>`
    select t.merchant_id as "merchantId", t.id from ${tableOf(entity)} t
    where t.sync_state = 'PENDING' and t.updated_at < ${before} order by t.updated_at limit ${limit}`.execute(db)
  return rows
}
