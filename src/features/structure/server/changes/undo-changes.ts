import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { type Field, isSameValue } from '#shared/fields.ts'
import { currentProfile, type Profile, requireOwner } from '#features/accounts/server/public.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import {
  type BulkOutcome,
  type EditableEntity,
  entities,
  type EntityName,
  MAX_BULK,
  type UndoOutcome,
} from '../../contract.ts'
import { editMany, editOrder, type ManyEdit } from '../edit/bulk-edit.ts'
import { lockRows } from '../sql/edit-rows.ts'
import { readChanges } from './list-changes.ts'
import { type ChangeOrigin, newGroup } from './record-changes.ts'

interface Line {
  id: number
  entity: EntityName
  entityId: number
  field: string | null
  before: unknown
  after: unknown
  /** Whose change undid this one; null when none did. */
  undoneBy: ChangeOrigin | null
}
/** The lines of one field of one entity, the latest first: undone together, back to what was before the first. */
interface Chain {
  entity: EditableEntity
  entityId: number
  field: string
  lines: readonly [Line, ...Line[]]
}

type Choice = { id: number } | { groupId: string }
interface Answer {
  groupId: string
  outcomes: UndoOutcome[]
}
/** What becomes of what something newer stands in the way of. */
interface OnNewer {
  force: boolean
  skipNewer: boolean
}

/**
 * Undoes one change, or all changes of a group, by changes of their own: each field gets the value from before. Where a
 * field has changed again since, throws CONFLICT with the `newer` changes unless the caller forces it or leaves those
 * fields out. Throws FORBIDDEN to viewers, NOT_FOUND when the current account has no such change, RULE_VIOLATED when
 * nothing of it can be undone.
 */
export async function undoChanges(ctx: Ctx, choice: Choice, onNewer: OnNewer): Promise<Answer> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  await requireOwner(ctx, profile.merchantId)
  const lines = await ctx.db.reading(profile.merchantId, tx => readLines(tx, profile, choice))
  if (!lines.length) throw new AppError('NOT_FOUND', 'There is no such change.')
  const { chains, outcomes } = chainsOf(lines)
  if (!chains.length) throw new AppError('RULE_VIOLATED', outcomes[0]?.message ?? 'There is nothing to undo.')
  const groupId = newGroup()
  // Many changes are undone in parts, so that nobody else has to wait for long; a repeated call undoes the rest.
  const parts = partsOf(chains)
  for (const [i, part] of parts.entries()) {
    const later = i === 0 && parts.length > 1 ? chains : part
    outcomes.push(
      ...(await ctx.db.tenant(profile.merchantId, async tx => {
        // Asked before the first part, not in the middle.
        if (i === 0 && !onNewer.force && !onNewer.skipNewer) await requireNothingNewer(tx, profile, later)
        return undoPart(ctx, tx, profile, part, groupId, onNewer.force)
      })),
    )
  }
  return { groupId, outcomes }
}

async function readLines(tx: Db, { merchantId, profileId }: Profile, choice: Choice): Promise<Line[]> {
  const which = 'id' in choice ? sql`c.id = ${choice.id}` : sql`c.group_id = ${choice.groupId}::uuid`
  const { rows } = await sql<Line>`
    select c.id, c.entity, c.entity_id as "entityId", c.field, c.before, c.after,
      (select o.origin from entity_change o where o.merchant_id = c.merchant_id and o.undoes = c.id) as "undoneBy"
    from entity_change c where c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and ${which} order by c.id desc`.execute(
    tx,
  )
  return rows
}

function obstacle({ entity, field, after, undoneBy }: Line): string | null {
  if (undoneBy === 'MARKETPLACE') return 'The marketplace rejected this, so there is nothing to undo.'
  if (undoneBy) return 'This was undone already.'
  if (field === null) return 'What was created cannot be undone here. Archive it instead.'
  if (field === 'state' && after === 'ARCHIVED')
    return 'Archiving is permanent at the marketplace and cannot be undone.'
  const described: Field | undefined = (entities[entity].fields as Record<string, Field>)[field]
  return entities[entity].isEditable && described?.edit ? null : 'This cannot be changed here.'
}

function chainsOf(lines: readonly Line[]): { chains: Chain[]; outcomes: UndoOutcome[] } {
  const judged = lines.map(line => ({ line, message: obstacle(line) }))
  const outcomes = judged.flatMap(({ line, message }): UndoOutcome[] =>
    message ? [{ changeId: line.id, status: 'INVALID', message }] : [],
  )
  const open = judged.flatMap(({ line, message }) => (message ? [] : [line]))
  const byField = Map.groupBy(open, ({ entity, entityId, field }) => `${entity} ${entityId} ${field}`)
  const chains = [...byField.values()].flatMap(([latest, ...earlier]): Chain[] =>
    latest?.field
      ? [
          {
            entity: latest.entity as EditableEntity,
            entityId: latest.entityId,
            field: latest.field,
            lines: [latest, ...earlier],
          },
        ]
      : [],
  )
  return { chains, outcomes }
}

const rowKey = ({ entity, entityId }: Pick<Chain, 'entity' | 'entityId'>): string => `${entity} ${entityId}`

// At most so many rows at a time, with all fields of a row together.
function partsOf(chains: readonly Chain[]): Chain[][] {
  const rows = [...Map.groupBy(chains, rowKey).values()]
  return Array.from({ length: Math.ceil(rows.length / MAX_BULK) }, (_, i) =>
    rows.slice(i * MAX_BULK, (i + 1) * MAX_BULK).flat(),
  )
}

const wantedOf = ({ lines }: Chain): unknown => lines.at(-1)?.before ?? null

interface Placed {
  chain: Chain
  /** Null when the account no longer has the row. */
  now: { value: unknown } | null
  isNewer: boolean
}

async function place(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<Placed[]> {
  const rows = new Map<string, object>()
  for (const entity of editOrder) {
    const ids = chains.flatMap(chain => (chain.entity === entity ? chain.entityId : []))
    if (!ids.length) continue
    for (const [id, { row }] of await lockRows(tx, profile, entity, [...new Set(ids)]))
      rows.set(rowKey({ entity, entityId: id }), row)
  }
  return chains.map(chain => {
    const row = rows.get(rowKey(chain))
    if (!row) return { chain, now: null, isNewer: false }
    const value = (row as Record<string, unknown>)[chain.field] ?? null
    const field = (entities[chain.entity].fields as Record<string, Field>)[chain.field]
    const isAs = (other: unknown): boolean => field !== undefined && isSameValue(field, value, other ?? null)
    return { chain, now: { value }, isNewer: !isAs(chain.lines[0].after) && !isAs(wantedOf(chain)) }
  })
}

// Of two who undo the same change at the same moment the second finds it undone once the first lets go of the rows.
async function placeOpen(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<Placed[]> {
  const placed = await place(tx, profile, chains)
  const ids = chains.flatMap(({ lines }) => lines.map(({ id }) => id))
  const { rows } = await sql<{ undoes: number }>`select undoes from entity_change
    where merchant_id = ${profile.merchantId} and undoes = any(${ids}::bigint[])`.execute(tx)
  const undone = new Set(rows.map(row => row.undoes))
  return placed.filter(({ chain }) => !chain.lines.some(({ id }) => undone.has(id)))
}

const mostNewer = 20

async function requireNothingNewer(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<void> {
  const blocked = (await place(tx, profile, chains)).filter(({ isNewer }) => isNewer).map(({ chain }) => chain)
  if (!blocked.length) return
  const all = <T>(read: (chain: Chain) => T): T[] => blocked.map(read)
  const isNewer = sql`exists (select 1 from unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[],
      ${all(c => c.field)}::text[], ${all(c => c.lines[0].id)}::bigint[]) as u(entity, id, field, line)
    where c.entity = u.entity and c.entity_id = u.id and c.field = u.field and c.id > u.line)`
  const narrowed = sql`c.entity_id = any(${all(c => c.entityId)}::bigint[])`
  const { changes } = await readChanges(tx, profile, [narrowed, isNewer], { page: 0, size: mostNewer })
  throw new AppError(
    'CONFLICT',
    blocked.length === 1 ? 'Something newer was changed here.' : `${blocked.length} of these have changed again since.`,
    { extra: { newer: changes, blocked: blocked.length, of: chains.length } },
  )
}

async function undoPart(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  chains: readonly Chain[],
  groupId: string,
  force: boolean,
): Promise<UndoOutcome[]> {
  const placed = await placeOpen(tx, profile, chains)
  const toUndo = placed.filter(({ now, isNewer }) => now && (force || !isNewer)).map(({ chain }) => chain)
  const edits = [...Map.groupBy(toUndo, rowKey).values()].flatMap(
    ([first, ...rest]): (ManyEdit & { chains: Chain[] })[] => {
      if (!first) return []
      const own = [first, ...rest]
      return [
        {
          entity: first.entity,
          id: first.entityId,
          version: null,
          set: Object.fromEntries(own.map(chain => [chain.field, wantedOf(chain)])),
          undoes: Object.fromEntries(own.map(chain => [chain.field, chain.lines])),
          chains: own,
        },
      ]
    },
  )
  const act = { origin: 'USER', groupId, at: ctx.clock.now() } as const
  const answers = await editMany(ctx, tx, profile, edits, act)
  const outcomes = new Map(edits.flatMap((edit, i) => edit.chains.map(chain => [chain, answers[i]] as const)))
  return placed.flatMap(({ chain, now }) =>
    chain.lines.map(({ id }) => outcomeOf(id, now === null, outcomes.get(chain))),
  )
}

function outcomeOf(changeId: number, isGone: boolean, outcome: BulkOutcome | undefined): UndoOutcome {
  if (isGone) return { changeId, status: 'NOT_FOUND', message: 'This is no longer in the account.' }
  if (!outcome) return { changeId, status: 'NEWER', message: 'This has changed again since, and was left as it is.' }
  const { status, message } = outcome
  if (status === 'CHANGED') return { changeId, status: 'UNDONE', message: null }
  return status === 'SAME'
    ? { changeId, status, message: 'It has the value from before already.' }
    : { changeId, status: 'INVALID', message }
}
