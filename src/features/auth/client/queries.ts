import { queryOptions, useQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '#client/api/call.ts'
import { questionOf } from '#client/guarded.ts'
import { queryClient } from '#client/api/query-client.ts'
import { forGuards } from '#client/api/memory/persist-answers.ts'
import { type Authority, holds, type NeededAuthority } from '#shared/authority.ts'
import type { User } from '../user-contract.ts'
import { setRegion } from '#client/api/region.ts'

// Loaded on demand: the contract contains the rules of all forms, which a first visit does not need.
const contract = () => import('../user-contract.ts')

export const userQueries = {
  all: ['user'] as const,
  /** The user. The last answer is cached on the device, for screens that depend on the user's rights. */
  user: () =>
    queryOptions({
      ...forGuards,
      queryKey: ['user'],
      queryFn: async ({ signal }): Promise<User> => {
        const user = await call(
          (await contract()).userEndpoints.get,
          {},
          { signal, shapeError: 'Invalid user response' },
        )
        setRegion(user)
        return user
      },
      meta: { ...forGuards.meta, errorTitle: 'Failed to fetch user' },
    }),
  /** Name and address alone. */
  short: () =>
    queryOptions({
      queryKey: ['user', 'short'],
      queryFn: async ({ signal }) =>
        call((await contract()).userEndpoints.short, {}, { signal, shapeError: 'Invalid user short response' }),
      meta: { errorTitle: 'Failed to fetch user info' },
    }),
}

/** What the user holds of the authorities that calls and pages need; they may differ with the current merchant. */
export function authoritiesOfUser({
  roles,
  currentMerchantRole,
}: Pick<User, 'roles' | 'currentMerchantRole'>): string[] {
  const authorities = [...new Set(roles.flatMap(role => role.authorities.map(({ name }) => name as Authority)))]
  const needed = 'MERCHANT_MANAGER' satisfies NeededAuthority
  return holds({ authorities, merchantRole: currentMerchantRole ?? null }, needed)
    ? [...authorities, needed]
    : authorities
}

export function useUserAuthorities(): string[] | undefined {
  const { data } = useQuery(userQueries.user())
  return useMemo(() => data && authoritiesOfUser(data), [data])
}

/**
 * A `beforeLoad` that leads users with none of these authorities to Home. Courtesy only: the server checks every call. A user who
 * cannot be asked for (offline, never seen) is let through to the page's own message.
 */
export const onlyFor =
  (...allowed: NeededAuthority[]) =>
  async (): Promise<void> => {
    const user = await questionOf(userQueries.user())(queryClient)
    const home: string = '/home'
    if (user.state !== 'known') return
    const held = authoritiesOfUser(user.value)
    if (!allowed.some(one => held.includes(one))) throw redirect({ to: home, replace: true })
  }
