import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { InferInput } from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'
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
  /** The user that the server has this session manage; null if none. */
  current: () =>
    queryOptions({
      queryKey: ['managing', 'current'],
      queryFn: ({ signal }) => orNobody(call(managing.current, {}, { signal, shapeError: 'Invalid user response' })),
      // Without network the bar shows whom this device last knew.
      networkMode: 'online',
      meta: { errorTitle: 'Failed to fetch current managed user' },
    }),
  managerUsers: (managerId: number) =>
    queryOptions({
      queryKey: ['managing', 'manager-users', managerId],
      queryFn: ({ signal }) => call(managing.managerUsers, { params: { id: managerId } }, { signal }),
      // What is changed from here on is what another admin may have set.
      staleTime: 0,
      refetchOnMount: 'always',
      gcTime: 0,
      meta: { silent: true },
    }),
}

/** The answer; null if the role was removed, which ends managing too. */
export const orNobody = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'FORBIDDEN') return null
    throw error
  })

interface Assignment {
  managerId: number
  body: EndpointInput<typeof managing.assignUsers>['body']
}
/** Sets which users a campaign manager sees. */
export const assignUsers = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ managerId, body }: Assignment) => call(managing.assignUsers, { params: { id: managerId }, body }),
    onSuccess: (_answer, { managerId }) =>
      client.invalidateQueries({ queryKey: managingQueries.managerUsers(managerId).queryKey }),
    meta: { errorTitle: 'The assignment was not saved' },
  })

export const auditLogQueries = {
  page: (query: { page: number; kind: 'ALL' | 'CHANGES' }) =>
    queryOptions({
      queryKey: ['audit-log', query],
      queryFn: ({ signal }) => call(auditLogEndpoints.own, { query: { ...query, size: 20 } }, { signal }),
      meta: { silent: true },
    }),
}
