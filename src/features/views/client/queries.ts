import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { type ListName, viewEndpoints } from '../contract.ts'

/** The saved views of the user; they stay on the device, so that one can be opened without network. */
export const viewQueries = {
  all: ['views'] as const,
  list: (list: ListName) =>
    queryOptions({
      queryKey: ['views', list],
      queryFn: ({ signal }) => call(viewEndpoints.list, { query: { list } }, { signal }),
      meta: { persist: 'idb', silent: true },
    }),
}
