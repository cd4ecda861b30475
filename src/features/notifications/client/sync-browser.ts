import { call } from '#client/api/call.ts'
import { ApiError } from '#client/api/api-error.ts'
import {
  currentSubscription,
  publicKeyOf,
  subscribeToPush,
  unsubscribeFromPush,
} from '#client/pwa/push-subscription.ts'
import { pushEndpoints } from '../contract.ts'
import { isPushWanted, setPushWanted } from './push-preference.ts'

/** Registers a subscription with the server. Throws like `call`. */
export async function bindSubscription(subscription: PushSubscription, publicKey: string): Promise<void> {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  await call(pushEndpoints.subscribe, {
    body: { endpoint: subscription.endpoint, keys: { p256dh, auth }, publicKey },
  })
}

// Browsers lose subscriptions, and keys change. If the user wanted notifications, they are renewed without asking again.
async function currentOrRenewed(publicKey: string): Promise<PushSubscription | null> {
  const current = await currentSubscription()
  if (current && publicKeyOf(current) === publicKey) return current
  if ((!current && !isPushWanted()) || Notification.permission !== 'granted') return null
  return subscribeToPush(publicKey)
}

/**
 * Registers this browser's subscription with the server, at each start. True if the browser receives the user's pushes. A
 * subscription that the server rejects is removed. Never asks the user anything.
 */
export async function syncBrowser(publicKey: string): Promise<boolean> {
  const subscription = await currentOrRenewed(publicKey)
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
  setPushWanted(true)
  return true
}
