import * as v from 'valibot'
import { profileById, requireOwner } from '#features/accounts/server/public.ts'
import { nameTaken } from '#features/structure/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { createPayload, type Launch } from '../contract.ts'
import { campaignNamesOf } from '../plan/plan-launch.ts'
import { namesTaken } from './check-launch.ts'
import { readLaunch } from './log/read-launches.ts'
import { sendLaunch } from './launch-job.ts'
import { canRetry } from './log/launch-view.ts'
import { marketOf } from './market-of.ts'
import { type ItemChange, itemsOf, type JournalItem, recordItems } from './sql/items.ts'
import type { LaunchKey } from './sql/launch-key.ts'
import { launchById, stepsOf, takeNames, updateLaunch, updateStep } from './sql/launches.ts'

// Before there is a plan the names follow from the payload.
async function namesOf(
  tx: Db,
  { merchantId }: LaunchKey,
  launch: { profile_id: number; payload: unknown },
  items: readonly JournalItem[],
): Promise<string[]> {
  if (items.length) return items.flatMap(i => (i.content.kind === 'CAMPAIGN' ? [i.content.name] : []))
  const profile = await profileById(tx, merchantId, launch.profile_id)
  return campaignNamesOf(v.parse(createPayload, launch.payload), marketOf(profile))
}

/**
 * Plans again what failed or was left out, and nothing else: what is made stays as it is. What was lost on the way is
 * looked for before it is sent again. Throws NOT_FOUND, RULE_VIOLATED when there is nothing to retry, CONFLICT when a
 * name was taken meanwhile.
 */
export const retryLaunch = async (ctx: Ctx, launchId: number): Promise<Launch> => {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const merchantId = requireMerchant(ctx)
  await requireOwner(ctx, merchantId)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => {
    const launch = await launchById(tx, key, true)
    if (!launch) throw new AppError('NOT_FOUND', 'There is no such launch.')
    if (!canRetry(launch)) throw new AppError('RULE_VIOLATED', 'There is nothing to retry in this launch.')
    const items = await itemsOf(tx, key)
    // A launch that failed as a whole released its names; any other still holds them.
    if (launch.status === 'FAILED') {
      const names = await namesOf(tx, key, launch, items)
      const taken = [
        ...(await nameTaken(tx, merchantId, launch.profile_id, names)),
        ...(await takeNames(tx, key, launch.profile_id, names)),
      ]
      if (taken.length) throw namesTaken([...new Set(taken)])
    }
    const again = items.flatMap((item): ItemChange[] => {
      if (item.state !== 'FAILED' && item.state !== 'SKIPPED') return []
      const unclear = item.reason === 'OUTCOME_UNKNOWN'
      return [{ no: item.no, state: unclear ? 'SENDING' : 'PLANNED', attempts: unclear ? 1 : 0 }]
    })
    await recordItems(tx, key, again)
    for (const step of await stepsOf(tx, merchantId, [launchId]))
      if (step.status !== 'COMPLETED') await updateStep(tx, key, step.name, { status: 'PENDING' })
    await updateLaunch(tx, key, { status: 'IN_PROGRESS', finished_at: null, waits: 0, waiting_until: null })
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: 'launch.retry',
      entity: 'launch',
      entityId: launchId,
      requestId: ctx.requestId,
    })
    await sendLaunch(ctx, tx, key, launch.profile_id)
    return readLaunch(tx, key)
  })
}
