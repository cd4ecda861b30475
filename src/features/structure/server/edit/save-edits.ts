import type { FieldChange } from '#shared/fields.ts'
import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { EditableEntity, Row } from '../../contract.ts'
import { type ChangeOrigin, recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import { sendChanges } from '../push/send-changes.ts'
import { saveChanges } from '../sql/edit-rows.ts'
import { editRules } from './edit-rules.ts'

/** A change of the ledger that an edit undoes. */
export interface UndoneChange {
  id: number
  before: unknown
  after: unknown
}

export interface AcceptedEdit<E extends EditableEntity = EditableEntity> {
  row: Row<E>
  changes: readonly FieldChange[]
  /** By field, the latest first; undoing the last of them gives the value that the edit sets. */
  undoes?: Record<string, readonly UndoneChange[]>
}

export interface EditAct {
  origin: ChangeOrigin
  groupId: string
  at: Date
}

/**
 * Saves edits that were checked, of locked rows: the rows as PENDING, the ledger and what the marketplace is to be sent,
 * with a few statements however many rows there are. Returns the rows as they are now, by id.
 */
export async function saveEdits<E extends EditableEntity>(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  entity: E,
  edits: readonly AcceptedEdit<E>[],
  act: EditAct,
): Promise<Map<number, Row<E>>> {
  if (!edits.length) return new Map()
  const changed = edits.map(({ row, changes }) => ({ id: row.id, changes }))
  const saved = await saveChanges(tx, profile, entity, changed, act.at)
  const recorded = edits.flatMap(edit => ledgerOf(entity, edit, saved.get(edit.row.id)))
  await recordChanges(tx, profile, { ...act, accountId: ctx.actor.accountId }, recorded)
  await sendChanges(ctx, tx, profile, entity, [...saved.keys()])
  return saved
}

function ledgerOf<E extends EditableEntity>(
  entity: E,
  { row, changes, undoes = {} }: AcceptedEdit<E>,
  saved: Row<E> | undefined,
): RecordedChange[] {
  // As the row has it now, which is what later reads are compared with: a client may have sent 0.5700000000000001.
  const now = { ...saved } as Record<string, unknown>
  const place = { entity, entityId: row.id, campaignId: editRules[entity].campaignId(row) }
  return changes.flatMap(({ name: field, before }): RecordedChange[] => {
    const undone = undoes[field]
    if (!undone?.length) return [{ ...place, field, before, after: now[field] }]
    // One line for each change undone; the first begins at what the row has now.
    return undone.map((change, i) => ({
      ...place,
      field,
      before: i === 0 ? before : change.after,
      after: change.before,
      undoes: change.id,
    }))
  })
}

/** Tells the screens of all who look at the account which rows to read again. */
export async function announceEdits(ctx: Ctx, tx: Db, { merchantId }: Profile, event: object): Promise<void> {
  await ctx.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event)
}
