import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { currentSubscription, subscribeToPush, unsubscribeFromPush } from '#client/pwa/push-subscription.ts'
import { pushEndpoints } from '../contract.ts'
import { isPushWanted, setPushWanted } from './push-preference.ts'
import { bindSubscription, syncBrowser } from './sync-browser.ts'

export const pushQueries = {
  all: ['push'] as const,
  /** Whether there is anything to sync; most users have nothing. */
  isNeeded: () =>
    queryOptions({
      queryKey: ['push', 'needed'],
      queryFn: async () => isPushWanted() || (await currentSubscription()) !== null,
      networkMode: 'always',
      meta: { silent: true },
    }),
  /** The key to subscribe with; null if the server does not send pushes. */
  publicKey: () =>
    queryOptions({
      queryKey: ['push', 'public-key'],
      queryFn: async ({ signal }) => (await call(pushEndpoints.publicKey, {}, { signal })).publicKey,
      staleTime: Number.POSITIVE_INFINITY,
      meta: { silent: true },
    }),
  /** Whether this browser receives the user's pushes. The query renews the subscription if the user wants it. */
  browser: (publicKey: string) =>
    queryOptions({
      queryKey: ['push', 'browser', publicKey],
      queryFn: () => syncBrowser(publicKey),
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      meta: { silent: true },
    }),
}

// If the server rejects a subscription, because it was another user's or has an older key, a new one is made.
async function subscribe(publicKey: string): Promise<void> {
  try {
    await bindSubscription(await subscribeToPush(publicKey), publicKey)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    await unsubscribeFromPush()
    await bindSubscription(await subscribeToPush(publicKey), publicKey)
  }
}

/** Turns pushes on for this browser. Asks the user for permission, so it must follow a tap. */
export function turnPushOn(client: QueryClient, publicKey: string) {
  return mutationOptions({
    mutationFn: async () => {
      try {
        await subscribe(publicKey)
      } catch (error) {
        // Without the server, the subscription would be useless.
        await unsubscribeFromPush()
        throw error
      }
      setPushWanted(true)
      noteWin()
    },
    onSuccess: () => client.setQueryData(pushQueries.browser(publicKey).queryKey, true),
    meta: { silent: true },
  })
}

/** Turns pushes off for this browser, even if the server cannot be reached. */
export function turnPushOff(client: QueryClient, publicKey: string) {
  return mutationOptions({
    networkMode: 'always',
    mutationFn: async () => {
      setPushWanted(false)
      const subscription = await currentSubscription()
      await unsubscribeFromPush()
      if (subscription)
        await call(pushEndpoints.unsubscribe, { body: { endpoint: subscription.endpoint } }).catch(() => undefined)
    },
    onSuccess: () => client.setQueryData(pushQueries.browser(publicKey).queryKey, false),
    meta: { silent: true },
  })
}
