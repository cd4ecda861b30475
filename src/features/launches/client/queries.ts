import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { type CreatePayloadInput, type Launch, launchEndpoints } from '../contract.ts'

/** True while a launch goes on, or its undo does. */
export function isUnderWay(launch: Pick<Launch, 'status' | 'undo'>): boolean {
  return launch.status === 'PENDING' || launch.status === 'IN_PROGRESS' || launch.undo === 'PENDING'
}

/** Calls on one page of a launch's log. */
export const callPageSize = 20

export const launchQueries = {
  all: ['launches'] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ['launches', 'detail', id],
      queryFn: ({ signal }) => call(launchEndpoints.get, { params: { id }, query: {} }, { signal }),
      // Events tell of each step; this is for a stream that is silent without being broken.
      refetchInterval: query => (query.state.data && !isUnderWay(query.state.data) ? false : 10_000),
      refetchOnMount: true,
      meta: { silent: true },
    }),
  /** A launch with what it was asked for, as it is at this moment. */
  asked: (id: number) =>
    queryOptions({
      queryKey: ['launches', 'asked', id],
      queryFn: ({ signal }) => call(launchEndpoints.get, { params: { id }, query: { asked: true } }, { signal }),
      staleTime: 0,
      gcTime: 0,
      meta: { silent: true },
    }),
  /** The calls of a launch, in their order. */
  calls: (id: number, page: number) =>
    queryOptions({
      queryKey: ['launches', 'calls', id, page],
      queryFn: ({ signal }) =>
        call(launchEndpoints.calls, { params: { id }, query: { page, size: callPageSize } }, { signal }),
      refetchOnMount: true,
      placeholderData: keepPreviousData,
      meta: { silent: true },
    }),
  log: (shop: Shop, page: number, size: number) =>
    queryOptions({
      queryKey: ['launches', 'log', shop, page, size],
      queryFn: ({ signal }) => call(launchEndpoints.log, { query: { page, size } }, { signal }),
      refetchOnMount: true,
      placeholderData: keepPreviousData,
      meta: { persist: 'idb', silent: true },
    }),
  /** The break-even ACOS of products. */
  margins: (shop: Shop, skus: string[]) =>
    queryOptions({
      queryKey: ['launches', 'margins', shop, skus],
      queryFn: ({ signal }) => call(launchEndpoints.margins, { body: { skus } }, { signal }),
      // Whoever comes back from the inventory has just entered what was missing.
      refetchOnMount: 'always',
      meta: { silent: true },
    }),
  /** What a launch of this payload would make in a shop. The server may have to ask the marketplace first. */
  preview: (shop: Shop, payload: CreatePayloadInput) =>
    queryOptions({
      queryKey: ['launches', 'preview', shop, payload],
      queryFn: ({ signal }) =>
        call(launchEndpoints.preview, { body: payload }, { signal, shop: shopText(shop), timeoutMs: 60_000 }),
      // Stock, names in use and running campaigns are those of now, or the launch would tell otherwise.
      refetchOnMount: 'always',
      retry: 1,
      meta: { silent: true },
    }),
}
