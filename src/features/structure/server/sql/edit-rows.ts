import { type RawBuilder, sql } from 'kysely'
import type { FieldChange } from '#shared/fields.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'
import { type EditableEntity, entities, type EntityName, type Row } from '../../contract.ts'
import { columnTypes, matching, type Owner, selectList, tableOf } from './entity-sql.ts'
import { pushedValues } from './pending-rows.ts'
import { noteRecount } from './target-counts.ts'

/** What an edit has to know of the rows above its own. */
export interface Parents {
  campaign: { state: string; budgetMicros: Micros | null; costType: string | null } | null
  adGroupState: string | null
  /** Whether the ads of its ad group are videos of Sponsored Brands; null where that does not matter. */
  isVideo: boolean | null
}

export interface RowWithParents<E extends EntityName> {
  row: Row<E>
  parents: Parents
}

/** Rows of one account with their parents' state, by id; with `limit` a page of them. */
async function readRows<E extends EntityName>(
  tx: Db,
  owner: Owner,
  entity: E,
  filters: readonly RawBuilder<unknown>[],
  end: RawBuilder<unknown>,
): Promise<RowWithParents<E>[]> {
  const { parent } = entities[entity]
  const { merchantId } = owner
  const campaign = parent
    ? sql`(select jsonb_build_object('state', c.state, 'budgetMicros', c.daily_budget_micros, 'costType', c.cost_type) from campaign c
        where c.merchant_id = ${merchantId} and c.id = t.campaign_id)`
    : sql`null::jsonb`
  const adGroupState =
    parent === 'adGroup'
      ? sql`(select g.state from ad_group g where g.merchant_id = ${merchantId} and g.id = t.ad_group_id)`
      : sql`null::text`
  // Videos and pictures of Sponsored Brands do not share an ad group: their bids have other limits.
  const isVideo =
    entity === 'target'
      ? sql`exists (select 1 from product_ad a where a.merchant_id = ${merchantId} and a.ad_group_id = t.ad_group_id
          and a.ad_type = 'SPONSORED_BRANDS' and a.state <> 'ARCHIVED' and a.format like '%VIDEO')`
      : sql`null::boolean`
  const { rows } = await sql<Row<E> & { parents: [Parents['campaign'], string | null, boolean | null] }>`
    select ${selectList(entity, owner)}, jsonb_build_array(${campaign}, ${adGroupState}, ${isVideo}) as parents
    from ${tableOf(entity)} t where ${matching(owner, filters)} order by t.id ${end}`.execute(tx)
  return rows.map(({ parents, ...row }) => ({
    // Without the parents it is the row that the select list describes.
    row: row as unknown as Row<E>,
    parents: { campaign: parents[0], adGroupState: parents[1], isVideo: parents[2] },
  }))
}

/**
 * The rows of these ids with their parents' state, by id, locked until the transaction ends; those that the account does
 * not have are missing. Locked in the order of their ids, so that two calls never wait for each other.
 */
export async function lockRows<E extends EntityName>(
  tx: Db,
  owner: Owner,
  entity: E,
  ids: readonly number[],
): Promise<Map<number, RowWithParents<E>>> {
  const locked = await readRows(tx, owner, entity, [sql`t.id = any(${ids}::bigint[])`], sql`for update of t`)
  return new Map(locked.map(one => [one.row.id, one]))
}

/** A page of rows that pass filters on `t`, by id, with their parents' state; and how many pass. */
export async function pageOfRows<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  entity: E,
  filters: readonly RawBuilder<unknown>[],
  { page, size }: { page: number; size: number },
): Promise<{ rows: RowWithParents<E>[]; total: number }> {
  const rows = await readRows(tx, owner, entity, filters, sql`limit ${size} offset ${page * size}`)
  const counted = await sql<{ total: number }>`select count(*)::float8 as total from ${tableOf(entity)} t
    where ${matching(owner, filters)}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

// The marketplace takes the bidding whole; only campaigns that it no longer lists have none.
const emptyBidding = sql`jsonb_build_object('strategy', t.bidding_strategy, 'placements', '[]'::jsonb, 'audiences', '[]'::jsonb)`

/** What a row is to have: its values by column, and the members of its JSON columns. */
function valuesOf(changes: readonly FieldChange[]): Record<string, unknown> {
  const members: Record<string, Record<string, unknown>> = {}
  const values: Record<string, unknown> = {}
  for (const { field, after } of changes) {
    const { kind, column, part } = field
    if (part) members[part.column] = { ...members[part.column], [part.key]: after }
    if (part?.column !== column) values[column] = kind === 'money' && after !== null ? toMicros(after as number) : after
  }
  for (const [column, changed] of Object.entries(members)) values[column] = JSON.stringify(changed)
  return values
}

interface RowChanges {
  id: number
  changes: readonly FieldChange[]
}

// Rows that change the same fields are saved by one statement.
async function saveAlike<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  entity: E,
  edits: readonly RowChanges[],
  at: Date,
) {
  const [first] = edits
  if (!first) return []
  const values = edits.map(({ changes }) => valuesOf(changes))
  const types = new Map(
    first.changes.flatMap(({ field: { kind, column, part } }): [string, string][] => [
      ...(part?.column === column ? [] : [[column, columnTypes[kind]] as [string, string]]),
      // The driver has no arrays of JSON.
      ...(part ? [[part.column, 'text'] as [string, string]] : []),
    ]),
  )
  const parts = new Set(first.changes.flatMap(({ field }) => field.part?.column ?? []))
  const columns = [...types.keys()]
  const sets = columns.map(column =>
    parts.has(column)
      ? sql`${sql.ref(column)} = (select coalesce(${sql.ref(`t.${column}`)}, ${emptyBidding})) || ${sql.ref(`u.${column}`)}::jsonb`
      : sql`${sql.ref(column)} = ${sql.ref(`u.${column}`)}`,
  )
  const arrays = columns.map(
    column => sql`${values.map(value => value[column])}::${sql.raw(types.get(column) ?? 'text')}[]`,
  )
  const { rows } = await sql<Row<E>>`update ${tableOf(entity)} t set ${sql.join(sets)},
      base = (select coalesce(t.base, ${pushedValues(entity)})), sync_state = 'PENDING', sync_error = null,
      version = t.version + 1, updated_at = ${at}
    from unnest(${edits.map(({ id }) => id)}::bigint[], ${sql.join(arrays)}) as u(id, ${sql.join(columns.map(name => sql.ref(name)))})
    where ${matching(owner, [sql`t.id = u.id`])} returning ${selectList(entity, owner)}`.execute(tx)
  if (types.has('state'))
    await noteRecount(
      tx,
      owner,
      entity,
      rows.map(row => (row as { campaignId?: number }).campaignId ?? row.id),
    )
  return rows
}

/**
 * Gives fields of rows the values that a user wants and marks the rows as waiting for the marketplace; `base` keeps what
 * the marketplace had before the first of several edits. Returns the rows as they are now, by id; the caller has locked them.
 */
export async function saveChanges<E extends EditableEntity>(
  tx: Db,
  owner: Owner,
  entity: E,
  edits: readonly RowChanges[],
  at: Date,
): Promise<Map<number, Row<E>>> {
  const alike = Map.groupBy(edits, ({ changes }) => changes.map(({ name }) => name).join())
  const saved = new Map<number, Row<E>>()
  for (const group of alike.values())
    for (const row of await saveAlike(tx, owner, entity, group, at)) saved.set(row.id, row)
  if (saved.size !== edits.length) throw new Error(`not every ${entity} to edit is there`)
  return saved
}

/** How `takenNames` writes a name: campaigns have theirs for the account, ad groups for their campaign. */
export const nameKey = (campaignId: number | null, name: string): string => `${campaignId ?? ''} ${name.toLowerCase()}`

/**
 * Which of these names of campaigns or ad groups are taken, regardless of case, as `nameKey` writes them. Archived
 * campaigns keep their names, archived ad groups do not.
 */
export async function takenNames(
  tx: Db,
  owner: Owner,
  entity: EditableEntity,
  names: readonly string[],
): Promise<Set<string>> {
  if (!names.length || (entity !== 'campaign' && entity !== 'adGroup')) return new Set()
  const isRunning = sql`t.state <> 'ARCHIVED' and t.gone_at is null`
  const filters = [
    sql`t.name_lower = any(${names.map(name => name.toLowerCase())}::text[])`,
    ...(entity === 'adGroup' ? [isRunning] : []),
  ]
  const campaignId = entity === 'adGroup' ? sql`t.campaign_id` : sql`null::bigint`
  const { rows } = await sql<{ campaignId: number | null; name: string }>`
    select distinct ${campaignId} as "campaignId", t.name from ${tableOf(entity)} t where ${matching(owner, filters)}`.execute(
    tx,
  )
  return new Set(rows.map(row => nameKey(row.campaignId, row.name)))
}
