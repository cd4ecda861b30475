import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePushAbility } from '#client/pwa/push-subscription.ts'
import { pushQueries, turnPushOff, turnPushOn } from './queries.ts'

/** `off-server`: the server does not send pushes. `unknown` until server and browser have answered. */
export type PushState = 'on' | 'off' | 'denied' | 'install-first' | 'unable' | 'off-server' | 'unknown'

/** Whether this browser receives pushes, and functions to change that; `failure` says why a change failed. */
export function usePush() {
  const client = useQueryClient()
  const ability = usePushAbility()
  const { data: publicKey } = useQuery(pushQueries.publicKey())
  const key = publicKey ?? ''
  const browser = useQuery({ ...pushQueries.browser(key), enabled: key !== '' && ability === 'able' })
  const on = useMutation(turnPushOn(client, key))
  const off = useMutation(turnPushOff(client, key))
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
