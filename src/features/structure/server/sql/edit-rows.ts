import { type RawBuilder, sql } from 'kysely'
import type { FieldChange } from '#shared/fields.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'
import { type EditableEntity, entities, type Row } from '../../contract.ts'
import { columnTypes, matching, type Owner, selectList, tableOf } from './entity-sql.ts'
import { pushedValues } from './pending-rows.ts'

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
