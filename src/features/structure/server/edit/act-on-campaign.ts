import { sql } from 'kysely'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { undoChanges } from '../changes/undo-changes.ts'
import { undoneAlready } from '../changes/undo-chains.ts'
import { lockRows } from '../sql/edit-rows.ts'
import { editMany } from './bulk-edit.ts'

interface Done {
  message: string
  /** Null where nothing was changed. */
  changeGroup: string | null
}

const hasChanges = async (tx: Db, merchantId: number, groupId: string): Promise<boolean> =>
  (
    await sql`select 1 from entity_change where merchant_id = ${merchantId} and group_id = ${groupId}::uuid limit 1`.execute(
      tx,
    )
  ).rows.length > 0

/**
 * Pauses a campaign of the current account, whatever it has become, with the changes in this group. Repeated with the same
 * group it changes nothing more and answers the same. Throws NOT_FOUND or RULE_VIOLATED.
 */
export async function pauseCampaign(
  ctx: Ctx,
  { campaignId, groupId }: { campaignId: number; groupId: string },
): Promise<Done> {
  const profile = await currentProfile(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const name = (await lockRows(tx, profile, 'campaign', [campaignId])).get(campaignId)?.row.name
    const item = { entity: 'campaign', id: campaignId, version: null, set: { state: 'PAUSED' } } as const
    const [outcome] = await editMany(ctx, tx, profile, [item], { origin: 'USER', groupId, at: ctx.clock.now() })
    if (outcome?.status === 'NOT_FOUND') throw new AppError('NOT_FOUND', 'This campaign is no longer in the account.')
    if (outcome?.status === 'INVALID') throw new AppError('RULE_VIOLATED', outcome.message ?? 'It cannot be paused.')
    const isOurs = outcome?.status === 'CHANGED' || (await hasChanges(tx, profile.merchantId, groupId))
    return isOurs
      ? { message: `“${name}” is paused.`, changeGroup: groupId }
      : { message: `“${name}” was paused already.`, changeGroup: null }
  })
}

/**
 * Undoes all changes of a group of the current account, with the changes of that in another group. Repeated with the same
 * groups it changes nothing more and answers the same. Throws like `undoChanges`.
 */
export async function undoGroup(ctx: Ctx, { undone, groupId }: { undone: string; groupId: string }): Promise<Done> {
  try {
    const { outcomes } = await undoChanges(ctx, { groupId: undone }, { force: false, skipNewer: false }, groupId)
    const isChanged = outcomes.some(({ status }) => status === 'UNDONE')
    const reason = outcomes.find(({ message }) => message !== null)?.message
    return isChanged
      ? { message: 'The change is undone.', changeGroup: groupId }
      : { message: reason ?? 'There was nothing to undo.', changeGroup: null }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'RULE_VIOLATED' && error.message === undoneAlready)) throw error
    const { merchantId } = await currentProfile(ctx)
    const isOurs = await ctx.db.reading(merchantId, tx => hasChanges(tx, merchantId, groupId))
    return isOurs
      ? { message: 'The change is undone.', changeGroup: groupId }
      : { message: 'It was undone already.', changeGroup: null }
  }
}
