import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { clientsEndpoints } from '../clients-contract.ts'

export const clientsQueries = {
  list: () =>
    queryOptions({
      queryKey: ['clients'],
      queryFn: ({ signal }) => call(clientsEndpoints.list, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
}
