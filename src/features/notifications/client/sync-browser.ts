import { call } from '#client/api/call.ts'
import { ApiError } from '#client/api/api-error.ts'
import {
  currentSubscription,
  publicKeyOf,
  subscribeToPush,
  unsubscribeFromPush,
} from '#client/pwa/push-subscription.ts'
import { pushEndpoints } from '../contract.ts'
import { isPushWanted, wantPush } from './push-wishes.ts'

/** Tells the server of a subscription. Throws as `call`. */
export async function bindSubscription(subscription: PushSubscription, publicKey: string): Promise<void> {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  await call(pushEndpoints.subscribe, {
    body: { endpoint: subscription.endpoint, keys: { p256dh, auth }, publicKey },
  })
}

// Browsers lose subscriptions, and keys are changed: what the user once wanted is made anew, without asking again.
async function heldOrRenewed(publicKey: string): Promise<PushSubscription | null> {
  const held = await currentSubscription()
  if (held && publicKeyOf(held) === publicKey) return held
  if ((!held && !isPushWanted()) || Notification.permission !== 'granted') return null
  return subscribeToPush(publicKey)
}

/**
 * Brings browser and server to the same opinion, at each start: true when this browser takes the user's pushes. One that
 * the server will not have is given up. Never asks the user anything.
 */
export async function syncBrowser(publicKey: string): Promise<boolean> {
  const subscription = await heldOrRenewed(publicKey)
  if (!subscription) return false
  try {
    await bindSubscription(subscription, publicKey)
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'RULE_VIOLATED')) {
      await unsubscribeFromPush()
      return false
    }
    throw error
  }
  wantPush(true)
  return true
}
