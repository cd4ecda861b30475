import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'
import { type Launch, launchEndpoints } from '../contract.ts'

export function isUnderWay(launch: Pick<Launch, 'status' | 'undo'>): boolean {
  return launch.status === 'PENDING' || launch.status === 'IN_PROGRESS' || launch.undo === 'PENDING'
}

export function useLaunchEvents(refetch: () => void, enabled = true): void {
  useEvents('/events', ({ event }) => event === 'launch' && refetch(), { enabled, poll: refetch, onReconnect: refetch })
}

export const launchQueries = {
  all: ['launches'] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ['launches', 'detail', id],
      queryFn: ({ signal }) => call(launchEndpoints.get, { params: { id }, query: {} }, { signal }),
      // Events announce each step; polling covers an event stream that is silent but not broken.
      refetchInterval: query => (query.state.data && !isUnderWay(query.state.data) ? false : 10_000),
      refetchOnMount: true,
      meta: { persist: 'idb', silent: true },
    }),
  calls: (id: number, page: number) =>
    queryOptions({
      queryKey: ['launches', 'calls', id, page],
      queryFn: ({ signal }) => call(launchEndpoints.calls, { params: { id }, query: { page, size: 20 } }, { signal }),
      refetchOnMount: true,
      placeholderData: keepPreviousData,
      meta: { persist: 'idb', silent: true },
    }),
  log: (shop: Shop, page: number, size: number) =>
    queryOptions({
      queryKey: ['launches', 'log', shop, page, size],
      queryFn: ({ signal }) => call(launchEndpoints.log, { query: { page, size } }, { signal }),
      refetchOnMount: true,
      placeholderData: keepPreviousData,
      meta: { persist: 'idb', silent: true },
    }),
  margins: (shop: Shop, skus: string[]) =>
    queryOptions({
      queryKey: ['launches', 'margins', shop, skus],
      queryFn: ({ signal }) => call(launchEndpoints.margins, { body: { skus } }, { signal }),
      // A user who returns from the inventory has just entered the missing COGS.
      refetchOnMount: 'always',
      meta: { silent: true },
    }),
  /** What a launch of this payload would create. The server may have to ask the marketplace first. */
  preview: (shop: Shop, payload: CreatePayloadInput) =>
    queryOptions({
      queryKey: ['launches', 'preview', shop, payload],
      queryFn: ({ signal }) =>
        call(launchEndpoints.preview, { body: payload }, { signal, shop: shopText(shop), timeoutMs: 60_000 }),
      // Stock, names and running campaigns must be current, or the launch would differ from its preview.
      refetchOnMount: 'always',
      retry: 1,
      meta: { silent: true },
    }),
}
