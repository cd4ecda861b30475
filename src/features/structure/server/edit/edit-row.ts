import { AppError } from '#shared/errors.ts'
import { editableNames, type Field, pickFields, type FieldChange } from '#shared/fields.ts'
import { currentProfile, accountsOf, type Profile } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx, Services } from '#server/context.ts'
import {
  type Changes,
  type EditableEntity,
  entities,
  type Row,
  type Ad,
  type AdGroup,
  type Campaign,
  type Target,
} from '../../contract.ts'
import { newGroup, type ChangeOrigin, recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import { lockRows, saveChanges } from '../sql/edit-rows.ts'
import { checkEdits, type Verdict, editRules } from './edit-rules.ts'
import type { Db } from '#server/db/tables.ts'
import { sendChanges } from '../push/send-changes.ts'

/** Saves the answer of a call in the transaction of its edit; a verb that edits as a part of its work passes none. */
type SaveAnswer = Ctx['saveAnswer']
const notSaved: SaveAnswer = async () => undefined

/** Of one id space two nouns: which rows a call concerns. */
interface Meant<E extends EditableEntity> {
  noun: string
  save: SaveAnswer
  accepts?: (row: Row<E>) => boolean
}

/**
 * Changes a row at once for all who look at it, as PENDING, with its lines in audit and ledger, a job that sends the change
 * to the marketplace and an event, in one transaction. A change that changes nothing is answered with the row as it is. Throws
 * NOT_FOUND when the current account has no such row, VERSION_CONFLICT (with `current`) when it is
 * no longer what the caller saw, RULE_VIOLATED when it is archived or a rule says so, VALIDATION_FAILED (with `fields`)
 * when the marketplace would not accept it.
 */
async function editRow<E extends EditableEntity>(
  ctx: Ctx,
  entity: E,
  id: number,
  change: Changes[E],
  { noun, accepts, save }: Meant<E>,
): Promise<Row<E> & { currency: string }> {
  const profile = await currentProfile(ctx)
  const { merchantId, currency } = profile
  return ctx.db.tenant(merchantId, async tx => {
    const found = (await lockRows(tx, profile, entity, [id])).get(id)
    if (!found || accepts?.(found.row) === false) throw new AppError('NOT_FOUND', `There is no such ${noun}.`)
    const { row } = found
    const before = { ...row, currency }
    requireVersion(ctx, before)
    const at = ctx.clock.now()
    const [verdict] = await checkEdits(tx, profile, entity, [{ ...found, change }], at)
    const changes = requireAccepted(verdict)
    if (!changes.length) return before
    const act = { origin: 'USER', groupId: newGroup(), at } as const
    const saved = await saveEdits(ctx, tx, profile, entity, [{ row, changes }], act)
    const after = { ...row, ...saved.get(id), currency }
    const audited = auditedNames(entities[entity].fields)
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: `${noun.replace(' ', '_')}.update`,
      entity: entities[entity].table,
      entityId: id,
      before: pickFields(before, audited),
      after: pickFields(after, audited),
      requestId: ctx.requestId,
    })
    await announceEdits(ctx, tx, profile, editRules[entity].event(row))
    await save(tx, after)
    return after
  })
}

/** The caller must edit the row as it is now; the error holds the row. */
function requireVersion(ctx: Ctx, current: { version: number }): void {
  if (ctx.ifMatch === null)
    throw new AppError('VALIDATION_FAILED', 'Send the version that you are changing in the If-Match header.', {
      details: ['If-Match is required'],
    })
  if (ctx.ifMatch !== current.version) throw new AppError('VERSION_CONFLICT', changedMeanwhile, { extra: { current } })
}

/** What a caller reads who changes a row that is no longer what it saw. */
export const changedMeanwhile = 'This was changed in the meantime. Compare both versions and choose one.'

function requireAccepted(verdict: Verdict | undefined) {
  if (!verdict) throw new Error('an edit without a verdict')
  if (verdict.changes) return verdict.changes
  if (verdict.rule !== null) throw new AppError('RULE_VIOLATED', verdict.rule, { details: [verdict.rule] })
  throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: Object.values(verdict.fields),
    extra: { fields: verdict.fields },
  })
}

/** What the audit keeps of a row: what people may change, and the currency of its amounts. */
function auditedNames(fields: Readonly<Record<string, Field>>): string[] {
  const names = editableNames(fields)
  return names.some(name => fields[name]?.kind === 'money') ? [...names, 'currency'] : names
}

// One row of each kind. See `editRow` for what a change does and throws, and `editRules` for what is checked.

/** Changes a campaign. */
export function updateCampaign(
  ctx: Ctx,
  { campaignId, ...change }: Changes['campaign'] & { campaignId: number },
  save = notSaved,
): Promise<Campaign> {
  return editRow(ctx, 'campaign', campaignId, change, { noun: 'campaign', save })
}

/** Changes the name, default bid or state of an ad group. */
export function updateAdGroup(ctx: Ctx, id: number, change: Changes['adGroup'], save = notSaved): Promise<AdGroup> {
  return editRow(ctx, 'adGroup', id, change, { noun: 'ad group', save })
}

/** Pauses or enables the ad of a product. */
export function updateAd(ctx: Ctx, id: number, state: 'ENABLED' | 'PAUSED', save = notSaved): Promise<Ad> {
  return editRow(ctx, 'ad', id, { state }, { noun: 'ad', save })
}

/** Changes the bid or state of a keyword, or of a product target or automatic group. */
export function updateTarget(
  ctx: Ctx,
  noun: 'keyword' | 'target',
  { id, ...change }: Changes['target'] & { id: number },
  save = notSaved,
): Promise<Target> {
  return editRow(ctx, 'target', id, change, {
    noun,
    save,
    accepts: row => (row.kind === 'KEYWORD') === (noun === 'keyword'),
  })
}

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

/** Who edits: the caller of a verb, or with no actor a rule. */
export interface Editor extends Pick<Services, 'jobs' | 'events'> {
  actor: { accountId: number } | null
  requestId?: string
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
  editor: Editor,
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
  await recordChanges(tx, profile, { ...act, accountId: editor.actor?.accountId ?? null }, recorded)
  await sendChanges(editor, tx, profile, entity, [...saved.keys()])
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
export async function announceEdits(
  { events }: Pick<Services, 'events'>,
  tx: Db,
  { merchantId }: Profile,
  event: object,
): Promise<void> {
  await events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event)
}
