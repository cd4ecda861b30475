import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type * as v from 'valibot'
import type { Shop } from '#features/accounts/client/public.ts'
import { campaignListEndpoints as lists } from '../contract.ts'
import { structureEndpoints } from '#features/structure/contract.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const
const alone = { meta: { persist: 'idb', figures: true, silent: true } } as const
const pageSize = 50

/** What a list is narrowed to and ordered by; days, filters and columns as the endpoint has them. */
export type ListFilter<K extends keyof typeof lists> = (typeof lists)[K] extends {
  query: infer Q extends v.GenericSchema
}
  ? Omit<v.InferInput<Q>, 'page' | 'size'>
  : never

const days = ({ from, to }: DateRange) => ({ dateFrom: from, dateTo: to })

interface Paged {
  page: { number: number; totalPages: number }
}
const paged = {
  initialPageParam: 0,
  getNextPageParam: ({ page }: Paged) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
}

/** What the screens of campaigns ask, for one shop (part of the key, since the server answers for the current one). */
export const campaignQueries = {
  all: ['campaigns'] as const,
  campaigns: (shop: Shop, filter: ListFilter<'campaigns'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'list', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.campaigns, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  adGroups: (shop: Shop, filter: ListFilter<'adGroups'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'ad-groups', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.adGroups, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  ads: (shop: Shop, filter: ListFilter<'ads'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'ads', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.ads, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  keywords: (shop: Shop, filter: ListFilter<'keywords'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'keywords', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.keywords, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  targets: (shop: Shop, filter: ListFilter<'targets'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'targets', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.targets, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  negatives: (shop: Shop, filter: ListFilter<'negatives'>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'negatives', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(lists.negatives, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
    }),
  /** One campaign with its figures: the list narrowed to it. */
  row: (shop: Shop, campaignId: number, range: DateRange) =>
    queryOptions({
      queryKey: ['campaigns', 'row', shop, campaignId, range.from, range.to],
      queryFn: ({ signal }) => call(lists.campaigns, { query: { campaignId, ...days(range), size: 1 } }, { signal }),
      ...alone,
    }),
  chart: (shop: Shop, campaignId: number, range: DateRange) =>
    queryOptions({
      queryKey: ['campaigns', 'chart', shop, campaignId, range.from, range.to],
      queryFn: ({ signal }) => call(lists.campaignChart, { query: { campaignId, ...days(range) } }, { signal }),
      ...alone,
    }),
  /** One ad group with its figures. */
  adGroup: (shop: Shop, adGroupId: number, range: DateRange) =>
    queryOptions({
      queryKey: ['campaigns', 'ad-group', shop, adGroupId, range.from, range.to],
      queryFn: ({ signal }) => call(lists.adGroups, { query: { adGroupId, ...days(range), size: 1 } }, { signal }),
      ...alone,
    }),
  adGroupChart: (shop: Shop, id: number, range: DateRange) =>
    queryOptions({
      queryKey: ['campaigns', 'ad-group-chart', shop, id, range.from, range.to],
      queryFn: ({ signal }) => call(lists.oneAdGroupChart, { params: { id }, query: days(range) }, { signal }),
      ...alone,
    }),
  one: (shop: Shop, amazonId: string) =>
    queryOptions({
      queryKey: ['campaigns', 'one', shop, amazonId],
      queryFn: ({ signal }) => call(structureEndpoints.get, { params: { id: amazonId } }, { signal }),
      meta: { persist: 'idb', silent: true, errorDefault: 'Failed to fetch campaign' },
    }),
}
