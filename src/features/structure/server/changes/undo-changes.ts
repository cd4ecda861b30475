import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Field } from '#shared/fields.ts'
import { currentProfile, type Profile, requireOwner } from '#features/accounts/server/public.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type BulkOutcome, entities, MAX_BULK, type UndoOutcome } from '../../contract.ts'
import type { EditAct } from '../edit/edit-row.ts'
import { editMany, type ManyEdit } from '../edit/bulk-edit.ts'
import { archiveNegatives } from '../create/remove-rows.ts'
import {
  type Chain,
  type Line,
  type Placed,
  placeOpen,
  requireNothingNewer,
  rowKey,
  wantedOf,
} from './newer-changes.ts'
import { newGroup } from './record-changes.ts'

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
 * Undoes one change, or all changes of a group, by changes of their own: each field gets the value from before, and a
 * keyword, target or negative that was created is archived, for good. Where a field, or what was created, has changed
 * again since, throws CONFLICT with the `newer` changes unless the caller forces it or leaves those out. Throws FORBIDDEN to viewers, NOT_FOUND when the current account has no such change, RULE_VIOLATED when
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
  if (field === null)
    return entity === 'target' || entity === 'negative'
      ? null
      : 'A campaign, ad group or ad that was created cannot be undone here. Archive or pause it instead.'
  if (field === 'state' && after === 'ARCHIVED')
    return 'Archiving is permanent at the marketplace and cannot be undone.'
  const described: Field | undefined = (entities[entity].fields as Record<string, Field>)[field]
  return entities[entity].isEditable && described?.edit ? null : 'This cannot be changed here.'
}

// What was created came to be enabled, from what no longer runs.
const asState = (line: Line): Line =>
  line.field === null ? { ...line, field: 'state', before: 'ARCHIVED', after: 'ENABLED' } : line

function chainsOf(lines: readonly Line[]): { chains: Chain[]; outcomes: UndoOutcome[] } {
  const judged = lines.map(line => ({ line, message: obstacle(line) }))
  const open = judged.flatMap(({ line, message }) => (message ? [] : [line]))
  const fieldKey = ({ entity, entityId, field }: Line): string => `${entity} ${entityId} ${field ?? 'state'}`
  const byField = Map.groupBy(open, fieldKey)
  const outcomes = judged.flatMap(({ line, message }): UndoOutcome[] => {
    // What was rejected at first and accepted when it was tried again is undone with its last try.
    const isTriedAgain = line.undoneBy === 'MARKETPLACE' && byField.has(fieldKey(line))
    return message && !isTriedAgain ? [{ changeId: line.id, status: 'INVALID', message }] : []
  })
  const chains = [...byField.values()].flatMap(([latest, ...earlier]): Chain[] => {
    if (!latest) return []
    const { entity, entityId, field } = latest
    const own = [latest, ...earlier] as const
    const isCreation = own.some(line => line.field === null)
    return [
      { entity, entityId, field: field ?? 'state', isCreation, lines: [asState(own[0]), ...earlier.map(asState)] },
    ]
  })
  return { chains, outcomes }
}

// At most so many rows at a time, with all fields of a row together.
function partsOf(chains: readonly Chain[]): Chain[][] {
  const rows = [...Map.groupBy(chains, rowKey).values()]
  return Array.from({ length: Math.ceil(rows.length / MAX_BULK) }, (_, i) =>
    rows.slice(i * MAX_BULK, (i + 1) * MAX_BULK).flat(),
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
  const isArchived = ({ chain, now }: Placed): boolean => chain.isCreation && now?.value === 'ARCHIVED'
  const toUndo = placed.filter(one => one.now && !isArchived(one) && (force || !one.isNewer)).map(({ chain }) => chain)
  const act = { origin: 'USER', groupId, at: ctx.clock.now() } as const
  const archived = await archiveCreatedNegatives(ctx, tx, profile, toUndo, act)
  const edits = [...Map.groupBy(toUndo, rowKey).values()].flatMap(
    ([first, ...rest]): (ManyEdit & { chains: Chain[] })[] => {
      if (!first || first.entity === 'negative') return []
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
  const answers = await editMany(ctx, tx, profile, edits, act)
  const same: BulkOutcome = { status: 'SAME', message: null, version: null }
  const outcomes = new Map([
    ...placed.filter(isArchived).map(({ chain }) => [chain, same] as const),
    ...archived,
    ...edits.flatMap((edit, i) => edit.chains.map(chain => [chain, answers[i]] as const)),
  ])
  return placed.flatMap(({ chain, now }) =>
    chain.lines.map(({ id }) => outcomeOf(id, now === null, outcomes.get(chain))),
  )
}

/** A negative is there or not: that it was created is undone by archiving it. */
async function archiveCreatedNegatives(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  toUndo: readonly Chain[],
  act: EditAct,
): Promise<Map<Chain, BulkOutcome>> {
  const chains = toUndo.filter(({ entity }) => entity === 'negative')
  const rows = chains.map(({ entityId: id, lines: [{ id: undoes }] }) => ({ id, undoes }))
  const { accountId } = ctx.actor
  const archived = await archiveNegatives(ctx, tx, profile, rows, { ...act, accountId })
  const outcome = (status: BulkOutcome['status']): BulkOutcome => ({ status, message: null, version: null })
  return new Map(chains.map(chain => [chain, outcome(archived.has(chain.entityId) ? 'CHANGED' : 'SAME')]))
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
