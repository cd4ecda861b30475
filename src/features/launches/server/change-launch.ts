import * as v from 'valibot'
import { profileById } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { addedTo, type MirroredKind } from '#features/structure/server/public.ts'
import { AppError } from '#shared/errors.ts'
import { createPayload } from '../launch-schema.ts'
import type { Launch } from '../contract.ts'
import { namesOf } from '../plan/plan-structure.ts'
import { marketOf } from './check-launch.ts'
import { sendLaunch } from './launch-job.ts'
import { requireFreeNames, takeNames } from './launch-names.ts'
import { canRetry } from './log/launch-view.ts'
import { readLaunch } from './log/read-launches.ts'
import { type ItemChange, itemsOf, recordItems } from './sql/items.ts'
import { type LaunchKey, type LaunchRow, requireLaunch, stepsOf, updateLaunch, updateStep } from './sql/launches.ts'

/** Changes a launch and has it carried on, in one transaction with an audit entry, unless `change` answers that nothing is to do. */
async function changeLaunch(
  ctx: Ctx,
  launchId: number,
  action: string,
  change: (tx: Db, key: LaunchKey, launch: LaunchRow) => Promise<boolean>,
): Promise<Launch> {
  const key = { merchantId: requireMerchant(ctx), launchId }
  return ctx.db.tenant(key.merchantId, async tx => {
    const launch = await requireLaunch(tx, key, true)
    if (await change(tx, key, launch)) {
      const { actor, requestId } = ctx
      const entity = { entity: 'launch', entityId: launchId }
      await recordAudit(tx, { merchantId: key.merchantId, accountId: actor.accountId, action, ...entity, requestId })
      await sendLaunch(ctx, tx, key, launch.profile_id)
    }
    return readLaunch(tx, key)
  })
}

/**
 * Plans again what failed or was left out, and nothing else: what is made stays as it is. What was lost on the way is
 * looked for before it is sent again. Throws NOT_FOUND, RULE_VIOLATED when there is nothing to retry, CONFLICT when a
 * name was taken meanwhile.
 */
export function retryLaunch(ctx: Ctx, launchId: number): Promise<Launch> {
  return changeLaunch(ctx, launchId, 'launch.retry', async (tx, key, launch) => {
    if (!canRetry(launch)) throw new AppError('RULE_VIOLATED', 'There is nothing to retry in this launch.')
    const items = await itemsOf(tx, key)
    // A launch that failed as a whole released its names; any other still holds them.
    if (launch.status === 'FAILED') {
      const planned = items.flatMap(i => (i.content.kind === 'CAMPAIGN' ? [i.content.name] : []))
      const profile = await profileById(tx, key.merchantId, launch.profile_id)
      // Before there is a plan the names follow from the payload.
      const names = items.length ? planned : namesOf(v.parse(createPayload, launch.payload), marketOf(profile)).names
      await requireFreeNames(tx, profile, names)
      await takeNames(tx, key, launch.profile_id, names)
    }
    const again = items.flatMap(({ no, state, reason }): ItemChange[] => {
      if (state !== 'FAILED' && state !== 'SKIPPED') return []
      return [
        reason === 'OUTCOME_UNKNOWN' ? { no, state: 'SENDING', attempts: 1 } : { no, state: 'PLANNED', attempts: 0 },
      ]
    })
    await recordItems(tx, key, again)
    for (const step of await stepsOf(tx, key.merchantId, [launchId]))
      if (step.status !== 'COMPLETED') await updateStep(tx, key, step.name, 'PENDING')
    await updateLaunch(tx, key, { status: 'IN_PROGRESS', finished_at: null, waits: 0, waiting_until: null })
    return true
  })
}

const kindWords: Record<MirroredKind, [one: string, many: string]> = {
  AD_GROUP: ['ad group', 'ad groups'],
  PRODUCT_AD: ['product ad', 'product ads'],
  KEYWORD: ['keyword', 'keywords'],
  PRODUCT_TARGET: ['product target', 'product targets'],
  NEGATIVE: ['negative', 'negatives'],
}

// Archiving a campaign archives everything added to it later, by hand or by another tool: the user must confirm that.
async function rejectAdded(tx: Db, key: LaunchKey, profileId: number): Promise<void> {
  const made = (await itemsOf(tx, key)).filter(i => i.amazonId)
  const idsOf = (some: typeof made) => some.map(i => i.amazonId ?? '')
  const owner = { merchantId: key.merchantId, profileId }
  const added = await addedTo(tx, owner, idsOf(made.filter(i => i.step === 'CAMPAIGNS')), idsOf(made))
  if (!added.length) return
  throw new AppError('CONFLICT', 'Other things were added to these campaigns since. Undoing archives them too.', {
    details: added.map(({ kind, count }) => `${count} ${kindWords[kind][count === 1 ? 0 : 1]} added since`),
    extra: { field: 'anyway' },
  })
}

/**
 * Has everything archived that a launch made; one under way stops first. Asking twice is asking once; after a PARTIAL
 * undo it tries again. Throws NOT_FOUND, RULE_VIOLATED when all of it is archived already, CONFLICT when other things
 * were added to its campaigns since, unless `anyway`.
 */
export function undoLaunch(ctx: Ctx, launchId: number, { anyway = false } = {}): Promise<Launch> {
  return changeLaunch(ctx, launchId, 'launch.undo', async (tx, key, launch) => {
    if (launch.undo === 'DONE') throw new AppError('RULE_VIOLATED', 'This launch is undone already.')
    if (launch.undo === 'PENDING') return false
    if (!anyway) await rejectAdded(tx, key, launch.profile_id)
    await updateLaunch(tx, key, { undo: 'PENDING', waits: 0 })
    return true
  })
}
