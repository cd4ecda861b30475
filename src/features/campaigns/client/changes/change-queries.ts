import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { changeEndpoints } from '#features/structure/contract.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'

/** What a list of changes is narrowed to. */
export type ChangeFilter = Omit<EndpointInput<typeof changeEndpoints.list>['query'], 'page' | 'size'>

/** What the screens of the history ask, for one shop. Under the campaigns' key, so that an edit refreshes them too. */
export const changeQueries = {
  list: (shop: Shop, filter: ChangeFilter, size: number) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'changes', shop, filter, size],
      queryFn: ({ signal, pageParam }) =>
        call(changeEndpoints.list, { query: { ...filter, page: pageParam, size } }, { signal }),
      initialPageParam: 0,
      getNextPageParam: ({ page }) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
      meta: { persist: 'idb', silent: true },
    }),
  /** How far the changes of one act are, with the first thousand of them. */
  group: (shop: Shop, groupId: string) =>
    queryOptions({
      queryKey: ['campaigns', 'change-group', shop, groupId],
      queryFn: ({ signal }) => call(changeEndpoints.group, { params: { groupId }, query: { size: 1000 } }, { signal }),
      meta: { silent: true },
    }),
}
