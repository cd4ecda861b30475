import { AppError } from '#shared/errors.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type BulkOutcome, MAX_BULK, type UndoOutcome } from '../../contract.ts'
import type { EditAct } from '../edit/edit-row.ts'
import { editMany, type ManyEdit } from '../edit/bulk-edit.ts'
import { archiveNegatives } from '../create/remove-rows.ts'
import { type Placed, placeOpen, requireNothingNewer } from './newer-changes.ts'
import { newGroup } from './record-changes.ts'
import { type Chain, chainsOf, readLines, rowKey, undoneAlready, wantedOf } from './undo-chains.ts'

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
 * Undoes one change, or all changes of a group, by changes of their own: each field gets the value from before, and what
 * was created is archived, for good; what is in it goes with it. Where a field, or what was created, has changed again
 * since, throws CONFLICT with the `newer` changes unless the caller forces it or leaves those out. Throws
 * NOT_FOUND when the current account has no such change, RULE_VIOLATED when nothing of it can be undone.
 */
export async function undoChanges(ctx: Ctx, choice: Choice, onNewer: OnNewer, groupId = newGroup()): Promise<Answer> {
  const profile = await currentProfile(ctx)
  const lines = await ctx.db.reading(profile.merchantId, tx => readLines(tx, profile, choice))
  if (!lines.length) throw new AppError('NOT_FOUND', 'There is no such change.')
  const { chains, outcomes } = chainsOf(lines)
  if (!chains.length) {
    const first = outcomes.find(({ message }) => message !== undoneAlready) ?? outcomes[0]
    throw new AppError('RULE_VIOLATED', first?.message ?? 'There is nothing to undo.')
  }
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
    [...chain.lines, ...chain.with].map(({ id }) => outcomeOf(id, now === null, outcomes.get(chain))),
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
