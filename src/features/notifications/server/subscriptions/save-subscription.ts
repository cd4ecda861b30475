import { isDeepStrictEqual } from 'node:util'
import type { InferOutput } from 'valibot'
import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { subscriptionBody } from '../../contract.ts'
import { holderOf, keepLatest, putSubscription } from '../sql/subscriptions.ts'
import { openKeys, sealKeys } from './seal-keys.ts'

const mostBrowsers = 20

/**
 * Sends the actor's pushes to this browser from now on, for as long as the log-in lasts; also one that another user took
 * them with before, whose keys it must hold then. Throws RULE_VIOLATED where no pushes are sent or nobody runs a push
 * service at that address, CONFLICT when it was made with a key of ours no longer in use.
 */
export async function saveSubscription(ctx: Ctx, given: InferOutput<typeof subscriptionBody>): Promise<null> {
  const { webPush } = ctx.integrations
  const { endpoint, keys } = given
  const { accountId, sessionId } = ctx.actor
  if (!webPush.current) throw new AppError('RULE_VIOLATED', 'This server sends no push notifications.')
  if (!webPush.accepts({ endpoint, keys }))
    throw new AppError('RULE_VIOLATED', 'This browser’s push service is not one that Tideline knows.')
  if (given.publicKey !== webPush.current.publicKey)
    throw new AppError('CONFLICT', 'This browser subscribed with an older key. Switch notifications on again.')
  const keyId = webPush.current.id
  await ctx.db.transaction(async tx => {
    const holder = await holderOf(tx, endpoint)
    if (holder && holder.accountId !== accountId && !isDeepStrictEqual(keysOf(ctx, holder, endpoint), keys))
      throw new AppError('CONFLICT', 'This browser cannot be used. Switch notifications on again.')
    const keysSealed = sealKeys(ctx.vault, accountId, endpoint, keys)
    await putSubscription(tx, { accountId, sessionId, endpoint, keysSealed, keyId }, ctx.clock.now())
    await keepLatest(tx, accountId, mostBrowsers)
  })
  return null
}

// Keys that nothing opens any longer are nobody's.
function keysOf(ctx: Ctx, holder: { accountId: number; keysSealed: string }, endpoint: string) {
  try {
    return openKeys(ctx.vault, holder.accountId, endpoint, holder.keysSealed)
  } catch {
    return null
  }
}
