import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { changeEndpoints } from '#features/structure/contract.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'

/** What a list of changes is narrowed to. */
export type ChangeFilter = Omit<EndpointInput<typeof changeEndpoints.list>['query'], 'page' | 'size'>

/** How many changes of a group are asked for at once. */
export const GROUP_PAGE = 200

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
  /** How far the changes of one act are, with the first of them. */
  group: (shop: Shop, groupId: string) =>
    queryOptions({
      queryKey: ['campaigns', 'change-group', shop, groupId],
      queryFn: ({ signal }) =>
        call(changeEndpoints.group, { params: { groupId }, query: { size: GROUP_PAGE } }, { signal }),
      meta: { persist: 'idb', silent: true },
    }),
  /** The changes of one act after the first ones. */
  furtherItems: (shop: Shop, groupId: string, isSettled: boolean) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'change-group', 'items', shop, groupId, isSettled],
      queryFn: ({ signal, pageParam }) =>
        call(changeEndpoints.group, { params: { groupId }, query: { page: pageParam, size: GROUP_PAGE } }, { signal }),
      initialPageParam: 1,
      getNextPageParam: ({ total }, _pages, page) => ((page + 1) * GROUP_PAGE < total ? page + 1 : undefined),
      select: ({ pages }) => pages.flatMap(({ items }) => items),
      meta: { silent: true },
    }),
}
