import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#client/api/call.ts'
import { forGuards } from '#client/api/memory/persist-answers.ts'
import type { User } from '../contract.ts'

// The contract holds every rule of the forms; the first visit needs none of them.
const contract = () => import('../contract.ts')

export const userQueries = {
  all: ['user'] as const,
  /** The user; the last answer is kept on the device, for screens that ask what the user may do. */
  user: () =>
    queryOptions({
      ...forGuards,
      queryKey: ['user'],
      queryFn: async ({ signal }): Promise<User> =>
        call((await contract()).userEndpoints.get, {}, { signal, shapeError: 'Invalid user response' }),
      meta: { ...forGuards.meta, errorTitle: 'Failed to fetch user' },
    }),
  short: () =>
    queryOptions({
      queryKey: ['user', 'short'],
      queryFn: async ({ signal }) =>
        call((await contract()).userEndpoints.short, {}, { signal, shapeError: 'Invalid user short response' }),
      meta: { errorTitle: 'Failed to fetch user info' },
    }),
}

/** What a user may do: the authorities of all roles, each once. */
export function authoritiesOfUser(user: Pick<User, 'roles'>): string[] {
  return [...new Set(user.roles.flatMap(role => role.authorities.map(authority => authority.name)))]
}

/** What the present user may do, as far as is known; undefined before the first answer. */
export function useUserAuthorities(): string[] | undefined {
  const { data } = useQuery(userQueries.user())
  return useMemo(() => data && authoritiesOfUser(data), [data])
}

/**
 * The verification of an address. As a query of its token it runs once, however often the screen is drawn; the token would
 * be refused the second time.
 */
export function verifyEmailQuery(token: string) {
  return queryOptions({
    queryKey: ['verify-email', token],
    // Never aborted: the server may have used the token up before the answer came.
    queryFn: async () => call((await contract()).authEndpoints.verifyEmail, { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    meta: { silent: true },
  })
}
