import { queryOptions } from '@tanstack/react-query'
import { ApiError, isNotFound } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { forGuards } from '#client/api/memory/persist-answers.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { mayRetry } from '#client/api/query-client.ts'
import { getSession } from '#client/api/session/session.ts'
import { type CheckoutStatus, type Subscription, subscriptionEndpoints } from '../contract.ts'

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
  /** What a change of plan costs, asked again each time that it is looked at. */
  planChange: (planId: number) =>
    queryOptions({
      queryKey: ['subscription', 'plan-change', planId],
      queryFn: ({ signal }) => call(subscriptionEndpoints.previewPlanChange, { query: { planId } }, { signal }),
      staleTime: 0,
      gcTime: 0,
      meta: { silent: true },
    }),
  /** What became of a checkout; asked every few seconds until that is certain. */
  checkout: (id: string) =>
    queryOptions({
      queryKey: ['subscription', 'checkout', id],
      queryFn: ({ signal }) => call(subscriptionEndpoints.checkoutStatus, { params: { id } }, { signal }),
      staleTime: 0,
      refetchInterval: ({ state: { data, error } }) => (isSettled(data) || isNotFound(error) ? false : 3000),
      meta: { silent: true },
    }),
}

const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/** Whether nothing more will become of a checkout by itself. */
export const isSettled = (checkout: CheckoutStatus | undefined): boolean =>
  checkout?.status === 'expired' ||
  (checkout?.status === 'complete' &&
    checkout.subscriptionStatus !== null &&
    checkout.subscriptionStatus !== 'incomplete')
