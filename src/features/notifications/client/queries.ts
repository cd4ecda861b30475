import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { notificationEndpoints as endpoints } from '../contract.ts'

const persisted = { meta: { persist: 'idb', silent: true } } as const
const mostOpen = 200
const pageSize = 30

export const notificationQueries = {
  all: ['notifications'] as const,
  /** Those that wait for a decision, most money at stake first. */
  open: () =>
    queryOptions({
      queryKey: ['notifications', 'open'],
      queryFn: ({ signal }) => call(endpoints.list, { query: { open: true, size: mostOpen } }, { signal }),
      ...persisted,
    }),
  list: (filter: { unread: boolean }) =>
    infiniteQueryOptions({
      queryKey: ['notifications', 'list', filter],
      queryFn: ({ signal, pageParam }) =>
        call(endpoints.list, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      initialPageParam: 0,
      getNextPageParam: ({ page }) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
      placeholderData: keepPreviousData,
      ...persisted,
    }),
  one: (id: number) =>
    queryOptions({
      queryKey: ['notifications', 'one', id],
      queryFn: ({ signal }) => call(endpoints.one, { params: { id } }, { signal }),
      ...persisted,
    }),
  counts: () =>
    queryOptions({
      queryKey: ['notifications', 'counts'],
      queryFn: ({ signal }) => call(endpoints.counts, {}, { signal }),
      ...persisted,
    }),
}
