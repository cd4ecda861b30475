import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { type Launch, launchEndpoints } from '../contract.ts'
import { launchQueries } from './queries.ts'

function launchMutation<V>(client: QueryClient, errorTitle: string, request: (variables: V) => Promise<Launch>) {
  return mutationOptions({
    mutationFn: request,
    onSuccess: launch => {
      client.setQueryData(launchQueries.detail(launch.id).queryKey, launch)
      return client.invalidateQueries({ queryKey: ['launches', 'log'] })
    },
    meta: { errorTitle },
  })
}

export const retryLaunch = (client: QueryClient) =>
  launchMutation(client, 'The failed items could not be retried', (id: number) =>
    call(launchEndpoints.retry, { params: { id } }),
  )

/** Archives everything that a launch created, for good; with `anyway` also later additions to its campaigns. */
export const undoLaunch = (client: QueryClient) =>
  launchMutation(client, 'The launch could not be undone', ({ id, anyway }: { id: number; anyway?: boolean }) =>
    call(launchEndpoints.undo, { params: { id }, query: anyway ? { anyway } : {} }),
  )
