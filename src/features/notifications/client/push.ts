import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import {
  currentSubscription,
  publicKeyOf,
  subscribeToPush,
  unsubscribeFromPush,
  usePushAbility,
} from '#client/pwa/push-subscription.ts'
import { pushEndpoints } from '../contract.ts'

const wantedKey = 'tideline.push'
/** Is stored once the user does not want to be asked again on this device. */
export const declinedKey = 'tideline.push.declined'

/** Stores on this device whether its user wants notifications here, even if the browser loses its subscription. */
export function setPushWanted(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(wantedKey, 'on')
  else localStorage.removeItem(wantedKey)
}
export const isPushWanted = (): boolean => localStorage.getItem(wantedKey) === 'on'

async function bindSubscription(subscription: PushSubscription, publicKey: string): Promise<void> {
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
async function syncBrowser(publicKey: string): Promise<boolean> {
  const subscription = await currentOrRenewed(publicKey)
  if (!subscription) return false
  try {
    await bindSubscription(subscription, publicKey)
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'RULE_VIOLATED'))) throw error
    await unsubscribeFromPush()
    return false
  }
  setPushWanted(true)
  return true
}

const silent = { meta: { silent: true } } as const

export const pushQueries = {
  all: ['push'] as const,
  /** Whether there is anything to sync; most users have nothing. */
  isNeeded: () =>
    queryOptions({
      queryKey: ['push', 'needed'],
      queryFn: async () => isPushWanted() || (await currentSubscription()) !== null,
      networkMode: 'always',
      ...silent,
    }),
  /** The key to subscribe with; null if the server does not send pushes. */
  publicKey: () =>
    queryOptions({
      queryKey: ['push', 'public-key'],
      queryFn: async ({ signal }) => (await call(pushEndpoints.publicKey, {}, { signal })).publicKey,
      staleTime: Number.POSITIVE_INFINITY,
      ...silent,
    }),
  /** Whether this browser receives the user's pushes. The query renews the subscription if the user wants it. */
  browser: (publicKey: string) =>
    queryOptions({
      queryKey: ['push', 'browser', publicKey],
      queryFn: () => syncBrowser(publicKey),
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      ...silent,
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

async function turnOn(publicKey: string): Promise<void> {
  try {
    await subscribe(publicKey)
  } catch (error) {
    // Without the server, the subscription would be useless.
    await unsubscribeFromPush()
    throw error
  }
  setPushWanted(true)
  noteWin()
}

// Also when the server cannot be reached.
async function turnOff(): Promise<void> {
  setPushWanted(false)
  const subscription = await currentSubscription()
  await unsubscribeFromPush()
  if (subscription)
    await call(pushEndpoints.unsubscribe, { body: { endpoint: subscription.endpoint } }).catch(() => undefined)
}

/** `off-server`: the server does not send pushes. `unknown` until server and browser have answered. */
export type PushState = 'on' | 'off' | 'denied' | 'install-first' | 'unable' | 'off-server' | 'unknown'

/**
 * Whether this browser receives pushes, and functions to change that; `failure` says why a change failed. Turning them on
 * asks the user for permission, so it must follow a tap.
 */
export function usePush() {
  const client = useQueryClient()
  const ability = usePushAbility()
  const { data: publicKey } = useQuery(pushQueries.publicKey())
  const query = pushQueries.browser(publicKey ?? '')
  const browser = useQuery({ ...query, enabled: Boolean(publicKey) && ability === 'able' })
  const remember = (isOn: boolean) => client.setQueryData(query.queryKey, isOn)
  const on = useMutation({ mutationFn: () => turnOn(publicKey ?? ''), onSuccess: () => remember(true), ...silent })
  const off = useMutation({
    networkMode: 'always',
    mutationFn: turnOff,
    onSuccess: () => remember(false),
    ...silent,
  })
  return {
    state: stateOf(publicKey, ability, browser.data ?? (browser.isError ? false : undefined)),
    busy: on.isPending || off.isPending,
    failure: (on.error ?? off.error)?.message,
    turnOn: () => on.mutate(),
    turnOff: () => {
      on.reset()
      off.mutate()
    },
  }
}

function stateOf(
  publicKey: string | null | undefined,
  ability: ReturnType<typeof usePushAbility>,
  isSubscribed: boolean | undefined,
): PushState {
  if (publicKey === undefined) return 'unknown'
  if (publicKey === null) return 'off-server'
  if (ability !== 'able') return ability
  if (isSubscribed === undefined) return 'unknown'
  return isSubscribed ? 'on' : 'off'
}
