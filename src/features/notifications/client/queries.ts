import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { currentSubscription, subscribeToPush, unsubscribeFromPush } from '#client/pwa/push-subscription.ts'
import { pushEndpoints } from '../contract.ts'
import { isPushWanted, wantPush } from './push-wishes.ts'
import { bindSubscription, syncBrowser } from './sync-browser.ts'

export const pushQueries = {
  all: ['push'] as const,
  /** Whether there is anything to tell the server: nobody else is asked anything at a start. */
  concerned: () =>
    queryOptions({
      queryKey: ['push', 'concerned'],
      queryFn: async () => isPushWanted() || (await currentSubscription()) !== null,
      networkMode: 'always',
      meta: { silent: true },
    }),
  /** The key to subscribe with; null where the server sends no pushes. */
  publicKey: () =>
    queryOptions({
      queryKey: ['push', 'public-key'],
      queryFn: async ({ signal }) => (await call(pushEndpoints.publicKey, {}, { signal })).publicKey,
      staleTime: Number.POSITIVE_INFINITY,
      meta: { silent: true },
    }),
  /** Whether this browser takes the user's pushes. Asking makes it true again where the user wanted it. */
  browser: (publicKey: string) =>
    queryOptions({
      queryKey: ['push', 'browser', publicKey],
      queryFn: () => syncBrowser(publicKey),
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      meta: { silent: true },
    }),
}

// One that the server will not have, for it was somebody else's or of an older key, is made anew.
async function bindAnew(publicKey: string): Promise<void> {
  try {
    await bindSubscription(await subscribeToPush(publicKey), publicKey)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    await unsubscribeFromPush()
    await bindSubscription(await subscribeToPush(publicKey), publicKey)
  }
}

/** Switches pushes on for this browser; asks the user for permission, so it must be run by a tap. */
export function turnPushOn(client: QueryClient, publicKey: string) {
  return mutationOptions({
    mutationFn: async () => {
      try {
        await bindAnew(publicKey)
      } catch (error) {
        // What the server does not know of is not on.
        await unsubscribeFromPush()
        throw error
      }
      wantPush(true)
      noteWin()
    },
    onSuccess: () => client.setQueryData(pushQueries.browser(publicKey).queryKey, true),
    meta: { silent: true },
  })
}

/** Switches pushes off for this browser, also where the server cannot be reached. */
export function turnPushOff(client: QueryClient, publicKey: string) {
  return mutationOptions({
    networkMode: 'always',
    mutationFn: async () => {
      wantPush(false)
      const held = await currentSubscription()
      await unsubscribeFromPush()
      if (held) await call(pushEndpoints.unsubscribe, { body: { endpoint: held.endpoint } }).catch(() => undefined)
    },
    onSuccess: () => client.setQueryData(pushQueries.browser(publicKey).queryKey, false),
    meta: { silent: true },
  })
}
