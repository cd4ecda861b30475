import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { isNotFound, ShapeError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { forGuards } from '#client/api/memory/persist-answers.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { mayRetry } from '#client/api/query-client.ts'
import { type Marketplace, marketplaceSchema, type Merchant, profileEndpoints } from '../contract.ts'

async function orNull<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

async function fetchMarketplace(signal?: AbortSignal): Promise<Marketplace> {
  // Parsed late, so that a text in place of the object can be reported as it is.
  const answer = await call({ ...profileEndpoints.currentMarketplace, response: v.unknown() }, {}, { signal })
  if (typeof answer === 'string') throw new ShapeError(`API returned error: ${answer}`)
  const parsed = v.safeParse(marketplaceSchema, answer)
  if (!parsed.success) throw new ShapeError('Invalid current marketplace response', parsed.issues)
  return parsed.output
}

export function askCurrentMerchant(signal?: AbortSignal): Promise<Merchant | null> {
  return orNull(call(profileEndpoints.currentMerchant, {}, { signal, shapeError: 'Invalid merchants response' }))
}

export function askCurrentMarketplace(signal?: AbortSignal): Promise<Marketplace | null> {
  return orNull(fetchMarketplace(signal))
}

const key = 'accounts'

export const accountQueries = {
  all: [key] as const,
  regions: () =>
    queryOptions({
      queryKey: [key, 'regions'],
      queryFn: ({ signal }) => call(profileEndpoints.regions, {}, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      meta: forOffline,
    }),
  merchants: () =>
    queryOptions({
      ...forGuards,
      queryKey: [key, 'merchants'],
      queryFn: ({ signal }): Promise<Merchant[]> =>
        call(profileEndpoints.merchants, {}, { signal, shapeError: 'Invalid merchants response' }),
      meta: { ...forGuards.meta, errorTitle: 'Failed to fetch merchants' },
    }),
  merchant: (id: number) =>
    queryOptions({
      queryKey: [key, 'merchant', id],
      queryFn: ({ signal }) =>
        call(profileEndpoints.merchant, { params: { id } }, { signal, shapeError: 'Invalid merchants response' }),
      meta: { ...forOffline, errorTitle: 'Failed to fetch merchants' },
    }),
  marketplacesOf: (merchantId: number) =>
    queryOptions({
      queryKey: [key, 'marketplaces', merchantId],
      queryFn: ({ signal }) =>
        call(profileEndpoints.marketplacesOfMerchant, { params: { id: merchantId } }, { signal }),
      meta: forOffline,
    }),
  /** Null when none is chosen. */
  currentMerchant: () =>
    queryOptions({
      ...forGuards,
      queryKey: [key, 'current-merchant'],
      queryFn: ({ signal }) => askCurrentMerchant(signal),
      meta: { ...forGuards.meta, errorTitle: 'Failed to fetch current merchant' },
    }),
  /** Null when none is chosen. */
  currentMarketplace: () =>
    queryOptions({
      ...forGuards,
      queryKey: [key, 'current-marketplace'],
      queryFn: ({ signal }) => askCurrentMarketplace(signal),
      retry: (failures, error) => failures < 2 && mayRetry(failures, error),
      meta: { ...forGuards.meta, errorTitle: 'Failed to fetch current marketplace' },
    }),
}
