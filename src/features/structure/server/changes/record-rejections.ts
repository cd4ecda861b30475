import { sql } from 'kysely'
import { changesOf } from '#shared/fields.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { lockRows } from '../sql/edit-rows.ts'
import type { Owner } from '../sql/entity-sql.ts'
import { recordChanges, type RecordedChange } from './record-changes.ts'

interface OpenLine {
  id: number
  entityId: number
  field: string
  before: unknown
  after: unknown
}

/**
 * Lets `settle` give rows back what the marketplace had, because it rejected their pending edits, and records what was
 * given back: a line for each rejected change, which undoes it and says why. Rows that `settle` leaves alone get none.
 */
export async function recordRejections(
  tx: Db,
  owner: Owner,
  entity: EntityName,
  messages: ReadonlyMap<number, string>,
  at: Date,
  settle: () => Promise<void>,
): Promise<void> {
  const ids = [...messages.keys()]
  const before = await lockRows(tx, owner, entity, ids)
  await settle()
  const after = await lockRows(tx, owner, entity, ids)
  const reverted = [...before]
    .flatMap(([id, { row }]) => {
      const now = after.get(id)?.row
      return now ? changesOf(entities[entity].fields, row, now).map(change => ({ row, change })) : []
    })
    .filter(({ change }) => change.field.edit && change.field.port)
  if (!reverted.length) return
  const open = await openLines(tx, owner, entity, [...new Set(reverted.map(({ row }) => row.id))])
  const recorded = reverted.flatMap(({ row, change: { name: field, before: rejected, after: restored } }) => {
    const place = {
      entity,
      entityId: row.id,
      campaignId: 'campaignId' in row ? row.campaignId : row.id,
      field,
      note: messages.get(row.id) ?? '',
    }
    const lines = open.filter(line => line.entityId === row.id && line.field === field)
    return backTo(restored, rejected, lines).map((line): RecordedChange => ({ ...place, ...line }))
  })
  await recordChanges(tx, owner, { origin: 'MARKETPLACE', accountId: null, at }, recorded)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** From the rejected value back to the restored one, over every change that was waiting; else in one step. */
function backTo(restored: unknown, rejected: unknown, lines: readonly OpenLine[]) {
  const steps: { before: unknown; after: unknown; undoes?: number }[] = []
  let value = rejected
  for (const line of lines) {
    if (same(value, restored) || !same(line.after, value)) break
    steps.push({ before: value, after: line.before, undoes: line.id })
    value = line.before
  }
  return same(value, restored) ? steps : [{ before: rejected, after: restored }]
}

const mostWaiting = 20

/** The latest changes of rows that nothing has undone, the latest first. */
async function openLines(
  tx: Db,
  { merchantId }: Owner,
  entity: EntityName,
  ids: readonly number[],
): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select c.id, c.entity_id as "entityId", c.field, c.before, c.after from unnest(${ids}::bigint[]) as u(id)
    cross join lateral (
      select * from entity_change c where c.merchant_id = ${merchantId} and c.entity = ${entity} and c.entity_id = u.id
        and c.field is not null and not exists (select 1 from entity_change o where o.merchant_id = ${merchantId} and o.undoes = c.id)
      order by c.id desc limit ${mostWaiting}) c
    order by c.id desc`.execute(tx)
  return rows
}
