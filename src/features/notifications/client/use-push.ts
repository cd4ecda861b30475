import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePushAbility } from '#client/pwa/push-subscription.ts'
import { pushQueries, turnPushOff, turnPushOn } from './queries.ts'

/** `off-server`: nobody set up pushes there. `unknown` until the server and the browser have answered. */
export type PushState = 'on' | 'off' | 'denied' | 'install-first' | 'unable' | 'off-server' | 'unknown'

/** Whether this browser takes pushes, and how to change that; `failure` says why it could not be changed. */
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
  subscribed: boolean | undefined,
): PushState {
  if (publicKey === undefined) return 'unknown'
  if (publicKey === null) return 'off-server'
  if (ability !== 'able') return ability
  if (subscribed === undefined) return 'unknown'
  return subscribed ? 'on' : 'off'
}
