import { createHash } from 'node:crypto'
import { currentProfile, requireOwner } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { campaignNamesOf } from '../plan/plan-launch.ts'
import { checkCategories } from './check-categories.ts'
import { checkLaunch, namesTaken } from './check-launch.ts'
import { sendLaunch } from './launch-job.ts'
import { marketOf } from './market-of.ts'
import { insertLaunch, launchOfBody, takeNames } from './sql/launches.ts'

// The same campaign again so soon is the same wish, from an impatient finger or a second device.
const TWIN_MS = 3_600_000

/**
 * Accepts a launch: launch, steps, names, audit entry, job and answer are written in one transaction. The same campaign
 * again within the hour, under another Idempotency-Key, answers the first launch unless that failed or was undone. Throws
 * VALIDATION_FAILED, RULE_VIOLATED, PRODUCT_NOT_ELIGIBLE or CONFLICT (a name is taken).
 */
export async function createLaunch(ctx: Ctx, payload: CreatePayload): Promise<{ launchId: number }> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  const { merchantId, profileId } = profile
  await requireOwner(ctx, merchantId)
  await checkCategories(ctx, profile, payload)
  const { accountId } = ctx.actor
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([profileId, payload]))
    .digest('hex')
  const accept = async (tx: Db): Promise<{ launchId: number }> => {
    await checkLaunch(tx, profile, payload)
    const launchId = await insertLaunch(tx, {
      merchantId,
      profileId,
      accountId,
      idempotencyKey: ctx.idempotencyKey ?? '',
      bodyHash,
      campaignName: payload.campaignName,
      template: payload.template,
      payload,
      at: ctx.clock.now(),
    })
    const key = { merchantId, launchId }
    const taken = await takeNames(tx, key, profileId, campaignNamesOf(payload, marketOf(profile)))
    if (taken.length) throw namesTaken(taken)
    await recordAudit(tx, {
      merchantId,
      accountId,
      action: 'launch.create',
      entity: 'launch',
      entityId: launchId,
      after: payload,
      requestId: ctx.requestId,
    })
    await sendLaunch(ctx, tx, key, profileId)
    await ctx.saveAnswer(tx, { launchId })
    return { launchId }
  }
  return ctx.db.tenant(merchantId, accept).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    const since = new Date(ctx.clock.now().getTime() - TWIN_MS)
    const twin = await ctx.db.tenant(merchantId, tx => launchOfBody(tx, merchantId, bodyHash, since))
    if (!twin) throw error
    return { launchId: twin.id }
  })
}
