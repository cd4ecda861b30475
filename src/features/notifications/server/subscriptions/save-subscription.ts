import { isDeepStrictEqual } from 'node:util'
import type { InferOutput } from 'valibot'
import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { subscriptionBody } from '../../contract.ts'
import { subscriptionByEndpoint, deleteAllButLatest, upsertSubscription } from '../sql/subscriptions.ts'
import { openKeys, sealKeys } from './seal-keys.ts'

const maxBrowsers = 20

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
  const keyId = webPush.current.id
  await ctx.db.transaction(async tx => {
    const existing = await subscriptionByEndpoint(tx, endpoint)
    if (existing && existing.accountId !== accountId && !isDeepStrictEqual(keysOf(ctx, existing, endpoint), keys))
      throw new AppError('CONFLICT', 'This browser cannot be used. Turn notifications on again.')
    const keysSealed = sealKeys(ctx.vault, accountId, endpoint, keys)
    await upsertSubscription(tx, { accountId, sessionId, endpoint, keysSealed, keyId }, ctx.clock.now())
    await deleteAllButLatest(tx, accountId, maxBrowsers)
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
