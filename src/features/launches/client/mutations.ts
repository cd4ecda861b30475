import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { type CreatePayloadInput, launchEndpoints } from '../contract.ts'
import { launchQueries } from './queries.ts'

const inFlightPauseMs = 1500
const inFlightTries = 20

/**
 * Launches for a shop, under the key of the user's intent, and answers the launch's id. The same intent sent by another tab or a former
 * page is waited for. Throws what the server refuses it for.
 */
export async function sendLaunch(payload: CreatePayloadInput, idempotencyKey: string, shop: Shop): Promise<number> {
  const options = { idempotencyKey, shop: shopText(shop), timeoutMs: 60_000 }
  for (let tries = 1; ; tries += 1)
    try {
      const { launchId } = await call(launchEndpoints.create, { body: payload }, options)
      return launchId
    } catch (error) {
      const inFlight = error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_FLIGHT'
      if (!inFlight || tries >= inFlightTries) throw error
      const pause = Promise.withResolvers<void>()
      setTimeout(() => pause.resolve(), inFlightPauseMs)
      await pause.promise
    }
}

/** Tries again what failed; what was made stays as it is. */
export function retryLaunch(client: QueryClient) {
  return mutationOptions({
    mutationFn: (id: number) => call(launchEndpoints.retry, { params: { id } }),
    onSuccess: launch => {
      client.setQueryData(launchQueries.detail(launch.id).queryKey, launch)
      return client.invalidateQueries({ queryKey: ['launches', 'log'] })
    },
    meta: { errorTitle: 'The failed items could not be retried' },
  })
}

/** Archives all that the launch made, for good; with `anyway` also what was added to its campaigns since. */
export function undoLaunch(client: QueryClient) {
  return mutationOptions({
    mutationFn: ({ id, anyway }: { id: number; anyway?: boolean }) =>
      call(launchEndpoints.undo, { params: { id }, query: anyway ? { anyway } : {} }),
    onSuccess: launch => {
      client.setQueryData(launchQueries.detail(launch.id).queryKey, launch)
      return client.invalidateQueries({ queryKey: ['launches', 'log'] })
    },
    meta: { errorTitle: 'The launch could not be undone' },
  })
}
