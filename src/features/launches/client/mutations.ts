import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { type CreatePayloadInput, launchEndpoints } from '../contract.ts'
import { launchQueries } from './queries.ts'

const inFlightPauseMs = 1500
const inFlightTries = 20

/**
 * Launches for a shop with the idempotency key of the user's intent, and returns the launch's id. Waits while another tab or an
 * earlier page has the same request in flight. Throws the server's rejection.
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

/** Retries the failed items of a launch. */
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

/** Archives everything that a launch created, for good; with `anyway` also later additions to its campaigns. */
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
