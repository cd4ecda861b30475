import { isDeepStrictEqual } from 'node:util'
import type { InferOutput } from 'valibot'
import { z } from 'zod'
import { isSessionActive } from '#features/auth/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Vault } from '#server/crypto/envelope.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { AppError } from '#shared/errors.ts'
import type { subscriptionBody } from '../contract.ts'

const deviceKeys = z.object({ p256dh: z.string(), auth: z.string() })

// Bound to account and endpoint, so that sealed keys do not open in another row.
const contextOf = (accountId: number, endpoint: string): string => `push_subscription:${accountId}:keys:${endpoint}`

/** Decrypts a browser's keys. Throws if they were not sealed for this row. */
export const openKeys = (vault: Vault, accountId: number, endpoint: string, sealed: string) =>
  deviceKeys.parse(JSON.parse(vault.open(sealed, contextOf(accountId, endpoint))))

/**
 * Sends the actor's pushes to this browser until the session ends. A browser that another user subscribed with before must
 * have the same keys. Throws RULE_VIOLATED if the server does not send pushes or does not support the push service, CONFLICT
 * if the subscription was made with an older key of ours.
 */
export async function saveSubscription(ctx: Ctx, subscription: InferOutput<typeof subscriptionBody>): Promise<null> {
  const { webPush } = ctx.integrations
  const { endpoint, keys } = subscription
  const { accountId, sessionId } = ctx.actor
  if (!webPush.current) throw new AppError('RULE_VIOLATED', 'This server does not send push notifications.')
  if (!webPush.accepts({ endpoint, keys }))
    throw new AppError('RULE_VIOLATED', 'Tideline does not support this browser’s push service.')
  if (subscription.publicKey !== webPush.current.publicKey)
    throw new AppError('CONFLICT', 'This browser subscribed with an older key. Turn notifications on again.')
  const now = ctx.clock.now()
  const values = {
    account_id: accountId,
    session_id: sessionId,
    keys_sealed: ctx.vault.seal(JSON.stringify(deviceKeys.parse(keys)), contextOf(accountId, endpoint)),
    key_id: webPush.current.id,
    seen_at: now,
  }
  await ctx.db.transaction(async tx => {
    const existing = await tx
      .selectFrom('push_subscription')
      .select(['account_id as accountId', 'keys_sealed as keysSealed'])
      .where('endpoint', '=', endpoint)
      .forUpdate()
      .executeTakeFirst()
    if (existing && existing.accountId !== accountId && !isDeepStrictEqual(keysOf(ctx, existing, endpoint), keys))
      throw new AppError('CONFLICT', 'This browser cannot be used. Turn notifications on again.')
    await tx
      .insertInto('push_subscription')
      .values({ ...values, endpoint, created_at: now })
      .onConflict(conflict => conflict.column('endpoint').doUpdateSet(values))
      .execute()
    await deleteAllButLatest(tx, accountId, 20)
  })
  return null
}

// Keys that no longer open match nothing.
function keysOf(ctx: Ctx, owner: { accountId: number; keysSealed: string }, endpoint: string) {
  try {
    return openKeys(ctx.vault, owner.accountId, endpoint, owner.keysSealed)
  } catch {
    return null
  }
}

/** Deletes all browsers of an account except the `count` seen last. */
async function deleteAllButLatest(tx: Db, accountId: number, count: number): Promise<void> {
  await tx
    .deleteFrom('push_subscription')
    .where('id', 'in', from =>
      from
        .selectFrom('push_subscription')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(count),
    )
    .execute()
}

/** Deletes a browser that is gone. */
export async function deleteSubscriptionById(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscription').where('id', '=', id).execute()
}

/** Deletes the browsers, of one account or of all, whose session has ended; returns how many. */
export async function deleteExpiredSubscriptions(db: Db, now: Date, accountId?: number): Promise<number> {
  let expired = db
    .deleteFrom('push_subscription')
    .where(where => where.not(isSessionActive('push_subscription.session_id', now)))
  if (accountId !== undefined) expired = expired.where('account_id', '=', accountId)
  const result = await expired.executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Reacts to the end of sessions: deletes the account's browsers that belong to them. */
export const purgeSubscriptions: JobDefinition<{ accountId: number }> = defineJob({
  name: 'forget-push-subscriptions',
  data: z.object({ accountId: z.number() }),
  run: async ({ db, clock }, { accountId }) => {
    await deleteExpiredSubscriptions(db.system, clock.now(), accountId)
  },
})
