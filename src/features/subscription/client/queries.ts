import { queryOptions } from '@tanstack/react-query'
import { ApiError, isNotFound } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { forGuards } from '#client/api/memory/persist-answers.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { mayRetry } from '#client/api/query-client.ts'
import { getSession } from '#client/api/session/session.ts'
import { type Subscription, subscriptionEndpoints } from '../contract.ts'

export const subscriptionQueries = {
  plans: () =>
    queryOptions({
      queryKey: ['subscription', 'plans'],
      queryFn: ({ signal }) => call(subscriptionEndpoints.plans, {}, { signal }),
      meta: { ...forOffline, errorTitle: 'Failed to load plans', errorDefault: 'Failed to fetch subscription plans' },
    }),
  /** Null when there never was one. */
  current: () =>
    queryOptions({
      ...forGuards,
      queryKey: ['subscription', 'current'],
      queryFn: async ({ signal }): Promise<Subscription | null> => {
        try {
          return await call(subscriptionEndpoints.current, {}, { signal })
        } catch (error) {
          if (isNotFound(error)) return null
          throw error
        }
      },
      enabled: () => getSession() !== undefined,
      staleTime: 2 * 60_000,
      retry: (failures, error) => failures < 2 && !isForbidden(error) && mayRetry(failures, error),
      meta: {
        ...forGuards.meta,
        errorTitle: 'Failed to load subscription',
        errorDefault: 'Failed to fetch current subscription',
      },
    }),
}

const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
