import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { currentProfile } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { stepNames } from '../contract.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { namesOf } from '../plan/plan-structure.ts'
import { checkCategories, checkLaunch, marketOf } from './check-launch.ts'
import { sendLaunch } from './launch-job.ts'
import { takeNames } from './launch-names.ts'
import { ofLaunch } from './sql/launches.ts'

// The same campaign again so soon is the same wish, from an impatient finger or a second device.
const TWIN_MS = 3_600_000

/**
 * Accepts a launch: launch, steps, names, audit entry, job and answer are written in one transaction. The same campaign
 * again within the hour, under another Idempotency-Key, answers the first launch unless that failed or was undone. Throws
 * VALIDATION_FAILED, RULE_VIOLATED, PRODUCT_NOT_ELIGIBLE or CONFLICT (a name is taken).
 */
export async function createLaunch(ctx: Ctx, payload: CreatePayload): Promise<{ launchId: number }> {
  const profile = await currentProfile(ctx)
  const { merchantId, profileId } = profile
  await checkCategories(ctx, profile, payload)
  const { accountId } = ctx.actor
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([profileId, payload]))
    .digest('hex')
  const accept = async (tx: Db): Promise<{ launchId: number }> => {
    await checkLaunch(tx, profile, payload)
    const { launchId } = await tx
      .insertInto('launch')
      .values({
        merchant_id: merchantId,
        profile_id: profileId,
        account_id: accountId,
        idempotency_key: ctx.idempotencyKey ?? '',
        body_hash: bodyHash,
        campaign_name: payload.campaignName,
        template: payload.template,
        payload: sql`${JSON.stringify(payload)}::jsonb`,
        created_at: ctx.clock.now(),
      })
      .returning('id as launchId')
      .executeTakeFirstOrThrow()
    const key = { merchantId, launchId }
    const steps = stepNames.map((name, position) => ({ ...ofLaunch(key), position, name }))
    await tx.insertInto('launch_step').values(steps).execute()
    await takeNames(tx, key, profileId, namesOf(payload, marketOf(profile)).names)
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
    const twin = await ctx.db.tenant(merchantId, tx => twinOf(tx, merchantId, bodyHash, since))
    if (!twin) throw error
    return twin
  })
}

/** The newest launch of a body since a moment that neither failed as a whole nor was undone. */
function twinOf(tx: Db, merchantId: number, bodyHash: string, since: Date) {
  return tx
    .selectFrom('launch')
    .select('id as launchId')
    .where(eb => eb.and({ merchant_id: merchantId, body_hash: bodyHash }))
    .where('created_at', '>', since)
    .where('status', '<>', 'FAILED')
    .where('undo', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}
