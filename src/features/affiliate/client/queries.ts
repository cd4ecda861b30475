import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { affiliateEndpoints } from '../contract.ts'

export const affiliateQueries = {
  own: () =>
    queryOptions({
      queryKey: ['affiliate'],
      queryFn: ({ signal }) => call(affiliateEndpoints.own, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
}
