import { sql } from 'kysely'
import * as v from 'valibot'
import { AppError } from '#shared/errors.ts'
import { changeEntries, type Fields } from '#shared/fields.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type BulkItem, type BulkOutcome, type Changes, type EditableEntity, entities } from '../../contract.ts'
import { newState } from '../../common-fields.ts'
import { newGroup } from '../changes/record-changes.ts'
import { lockRows, type RowWithParents } from '../sql/edit-rows.ts'
import { checkEdits, objection } from './edit-rules.ts'
import { changedMeanwhile } from './edit-row.ts'
import {
  type AcceptedEdit,
  announceEdits,
  type EditAct,
  type Editor,
  saveEdits,
  type UndoneChange,
} from './edit-row.ts'

/** One row of many to change; without a version, whatever the row has become. */
export interface ManyEdit extends Omit<BulkItem, 'version'> {
  version: number | null
  undoes?: Record<string, readonly UndoneChange[]>
}

/** Always in this order, so that two calls never wait for each other's rows. */
export const editOrder: readonly EditableEntity[] = ['campaign', 'adGroup', 'ad', 'target']

/**
 * Changes many rows in one transaction, each by the rules of a single edit and with an outcome of its own, in order: what
 * cannot be changed is left as it is and harms no other. The changes are one group of the ledger. Throws
 * RULE_VIOLATED when the group is somebody else's.
 */
export async function bulkEdit(
  ctx: Ctx,
  items: readonly BulkItem[],
  chosenGroup: string | undefined,
): Promise<{ groupId: string; outcomes: BulkOutcome[] }> {
  const profile = await currentProfile(ctx)
  const groupId = chosenGroup ?? newGroup()
  return ctx.db.tenant(profile.merchantId, async tx => {
    if (chosenGroup) await requireOwnGroup(ctx, tx, profile, chosenGroup)
    const act = { origin: 'USER', groupId, at: ctx.clock.now() } as const
    const outcomes = await editMany(ctx, tx, profile, items, act)
    const answer = { groupId, outcomes }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

// What one person does is never undone with what another did.
async function requireOwnGroup(ctx: Ctx, tx: Db, { merchantId, profileId }: Profile, groupId: string): Promise<void> {
  const { rows } =
    await sql`select 1 from entity_change where merchant_id = ${merchantId} and group_id = ${groupId}::uuid
    and (profile_id <> ${profileId} or origin <> 'USER' or account_id is distinct from ${ctx.actor.accountId}) limit 1`.execute(
      tx,
    )
  if (rows.length) throw new AppError('RULE_VIOLATED', 'This group belongs to another change. Choose a new one.')
}

/** Changes many rows in the caller's transaction, with one audit entry and one event; an outcome for each, in order. */
export async function editMany(
  editor: Editor,
  tx: Db,
  profile: Profile,
  items: readonly ManyEdit[],
  act: EditAct,
): Promise<BulkOutcome[]> {
  const outcomes = new Map<ManyEdit, BulkOutcome>()
  for (const entity of editOrder) {
    const own = items.filter(item => item.entity === entity)
    if (own.length) await editKind(editor, tx, profile, entity, own, act, outcomes)
  }
  const changed = [...outcomes.values()].filter(({ status }) => status === 'CHANGED').length
  if (changed > 0) {
    await recordAudit(tx, {
      merchantId: profile.merchantId,
      accountId: editor.actor?.accountId ?? null,
      action: 'bulk.update',
      entity: 'entity_change',
      entityId: act.groupId,
      after: { changed, of: items.length },
      ...(editor.requestId !== undefined && { requestId: editor.requestId }),
    })
    await announceEdits(editor, tx, profile, { groupId: act.groupId })
  }
  return items.map(item => outcomes.get(item) ?? invalid('This cannot be changed.', null))
}

const invalid = (message: string, version: number | null): BulkOutcome => ({ status: 'INVALID', message, version })

async function editKind<E extends EditableEntity>(
  editor: Editor,
  tx: Db,
  profile: Profile,
  entity: E,
  items: readonly ManyEdit[],
  act: EditAct,
  outcomes: Map<ManyEdit, BulkOutcome>,
): Promise<void> {
  const ids = [...new Set(items.map(({ id }) => id))]
  const rows = await lockRows(tx, profile, entity, ids)
  const times = Map.groupBy(items, ({ id }) => id)
  const edits = items.flatMap(item => {
    const found = rows.get(item.id)
    const read = readItem(entity, item, found, (times.get(item.id)?.length ?? 0) > 1)
    if ('status' in read) outcomes.set(item, withCurrency(read, profile.currency))
    return 'change' in read ? [{ item, ...read }] : []
  })
  const verdicts = await checkEdits(tx, profile, entity, edits, act.at)
  const accepted = edits.flatMap(({ item, row }, i): (AcceptedEdit<E> & { item: ManyEdit })[] => {
    const verdict = verdicts[i]
    if (verdict?.changes?.length)
      return [{ item, row, changes: verdict.changes, ...(item.undoes && { undoes: item.undoes }) }]
    const message = verdict ? objection(verdict) : null
    outcomes.set(
      item,
      message ? invalid(message, row.version) : { status: 'SAME', message: null, version: row.version },
    )
    return []
  })
  const saved = await saveEdits(editor, tx, profile, entity, accepted, act)
  for (const { item, row } of accepted)
    outcomes.set(item, { status: 'CHANGED', message: null, version: saved.get(row.id)?.version ?? null })
}

const withCurrency = ({ row, ...outcome }: BulkOutcome, currency: string): BulkOutcome =>
  row ? { ...outcome, row: { ...row, currency } } : outcome

// What is wrong with an item before any rule is asked; else the row with the change that its kind takes.
function readItem<E extends EditableEntity>(
  entity: E,
  { set, version, undoes }: ManyEdit,
  found: RowWithParents<E> | undefined,
  isTwice: boolean,
): BulkOutcome | (RowWithParents<E> & { change: Changes[E] }) {
  if (!found) return { status: 'NOT_FOUND', message: `There is no such ${nouns[entity]}.`, version: null }
  const { row } = found
  if (isTwice) return invalid('This row is in the list more than once.', row.version)
  const fields: Fields = entities[entity].fields
  // An undo may archive ads too, which people cannot do here.
  const entries: v.ObjectEntries = { ...changeEntries(fields), ...(undoes && { state: v.optional(newState) }) }
  const parsed = v.safeParse(v.strictObject(entries), set)
  if (!parsed.success) return invalid(messageOf(parsed.issues[0]), row.version)
  if (version !== null && version !== row.version)
    return { status: 'CONFLICT', message: changedMeanwhile, version: row.version, row: { ...row } }
  // The schema is made of the same table as the type.
  return { ...found, change: parsed.output as Changes[E] }
}

const nouns: Record<EditableEntity, string> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  ad: 'ad',
  target: 'keyword or target',
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  const [name] = issue.path?.map(({ key }) => String(key)) ?? []
  return issue.type === 'strict_object' && name ? `${name} cannot be changed here.` : issue.message
}
