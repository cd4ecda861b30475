import { infiniteQueryOptions, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { structureEndpoints } from '#features/structure/contract.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'
import { logEndpoints, optimizerEndpoints, proofEndpoints } from '../contract.ts'

/** What the log is narrowed to. */
export type LogFilter = Omit<NonNullable<EndpointInput<typeof logEndpoints.list>['query']>, 'page' | 'size'>

const pageSize = 50
const meta = { persist: 'idb', silent: true } as const

/** What the screens of the optimizer ask, for one shop. */
export const optimizerQueries = {
  all: ['optimizer'] as const,
  groups: (shop: Shop) =>
    queryOptions({
      queryKey: ['optimizer', 'groups', shop],
      queryFn: ({ signal }) => call(optimizerEndpoints.groups, {}, { signal }),
      staleTime: 30_000,
      meta,
    }),
  group: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['optimizer', 'group', shop, id],
      queryFn: ({ signal }) => call(optimizerEndpoints.group, { params: { id } }, { signal }),
      meta,
    }),
  proof: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['optimizer', 'proof', shop, id],
      queryFn: ({ signal }) => call(proofEndpoints.ofGroup, { params: { id } }, { signal }),
      meta,
    }),
  restore: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['optimizer', 'restore', shop, id],
      queryFn: ({ signal }) => call(optimizerEndpoints.restorePreview, { params: { id } }, { signal }),
      meta: { silent: true },
    }),
  check: (shop: Shop, campaignIds: readonly number[]) =>
    queryOptions({
      queryKey: ['optimizer', 'check', shop, campaignIds],
      queryFn: ({ signal }) =>
        call(optimizerEndpoints.check, { query: { campaignIds: campaignIds.join(',') } }, { signal }),
      enabled: campaignIds.length > 0,
      staleTime: 60_000,
      meta: { silent: true },
    }),
  log: (shop: Shop, filter: LogFilter, size = pageSize) =>
    infiniteQueryOptions({
      queryKey: ['optimizer', 'log', shop, filter, size],
      queryFn: ({ signal, pageParam }) =>
        call(logEndpoints.list, { query: { ...filter, page: pageParam, size } }, { signal }),
      initialPageParam: 0,
      getNextPageParam: ({ page }) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
      meta,
    }),
  row: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['optimizer', 'row', shop, id],
      queryFn: ({ signal }) => call(logEndpoints.get, { params: { id } }, { signal }),
      meta,
    }),
  /** Every campaign in short, to choose from. */
  campaigns: (shop: Shop) =>
    queryOptions({
      queryKey: ['optimizer', 'campaigns', shop],
      queryFn: ({ signal }) => call(structureEndpoints.pick, {}, { signal }),
      meta,
    }),
}

/** Everything of the optimizer that is on screen follows what the server reports; returns what a pull refreshes. */
export function useOptimizerRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  const refresh = (): Promise<unknown> => client.invalidateQueries({ queryKey: optimizerQueries.all })
  useEvents('/events', ({ event }) => ['optimizer', 'campaigns'].includes(event) && void refresh(), {
    onReconnect: () => void refresh(),
  })
  return refresh
}

/** The group that a campaign is in; undefined where it is in none, or nothing is known of it yet. */
export function useGroupOf(shop: Shop, campaignId: number) {
  const { data } = useQuery(optimizerQueries.groups(shop))
  const group = data?.content.find(
    one => one.state !== 'STOPPED' && one.campaigns.some(member => member.id === campaignId),
  )
  return { group, isAnswered: data !== undefined }
}
