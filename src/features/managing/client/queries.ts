import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InferInput } from 'valibot'
import { call } from '#client/api/call.ts'
import { auditLogEndpoints, managingEndpoints as managing } from '../contract.ts'

type UsersQuery = InferInput<typeof managing.users.query>
export type UserFilter = Pick<UsersQuery, 'role' | 'accountType' | 'subscription'>

const pageSize = 100

// Not persisted: these are other people's names and addresses.
export const managingQueries = {
  users: (filter: UserFilter) =>
    infiniteQueryOptions({
      queryKey: ['managing', 'users', filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          managing.users,
          { query: { ...filter, page: pageParam, size: pageSize } },
          { signal, shapeError: 'Invalid users list response' },
        ),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => (last.length === pageSize ? pages.length : undefined),
      meta: { silent: true },
    }),
  search: (query: string) =>
    queryOptions({
      queryKey: ['managing', 'search', query],
      queryFn: ({ signal }) =>
        call(managing.search, { query: { query } }, { signal, shapeError: 'Invalid users search response' }),
      enabled: query !== '',
      meta: { silent: true },
    }),
}

export const auditLogQueries = {
  page: (query: { page: number; kind: 'ALL' | 'CHANGES' }) =>
    queryOptions({
      queryKey: ['audit-log', query],
      queryFn: ({ signal }) => call(auditLogEndpoints.own, { query: { ...query, size: 20 } }, { signal }),
      meta: { silent: true },
    }),
}
