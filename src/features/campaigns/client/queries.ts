import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type * as v from 'valibot'
import type { Shop } from '#features/accounts/client/public.ts'
import type { CampaignRow } from '../contract.ts'
import { campaignListEndpoints as lists } from '../contract.ts'
import { campaignPageEndpoints as page } from '../page-contract.ts'
import { changeEndpoints, structureEndpoints } from '#features/structure/contract.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const
const alone = { meta: { persist: 'idb', figures: true, silent: true } } as const
const pageSize = 50

/** What a list is narrowed to and ordered by; days, filters and columns as the endpoint has them. */
type ListFilter<K extends keyof typeof lists> = (typeof lists)[K] extends {
  query: infer Q extends v.GenericSchema
}
  ? Omit<v.InferInput<Q>, 'page' | 'size'>
  : never

const days = ({ from, to }: DateRange) => ({ dateFrom: from, dateTo: to })

interface Paged {
  page: { number: number; totalPages: number }
}

type ListName = 'campaigns' | 'adGroups' | 'ads' | 'keywords' | 'targets' | 'negatives'

function pages<K extends ListName>(name: K, key: string) {
  return (shop: Shop, filter: ListFilter<K>) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', key, shop, filter],
      queryFn: ({ signal, pageParam }) => {
        const input = { query: { ...filter, page: pageParam, size: pageSize } }
        // Every list has pages; which filter goes with which list is the parameter's type.
        return call(lists[name], input as never, { signal }) as Promise<EndpointOutput<(typeof lists)[K]>>
      },
      initialPageParam: 0,
      getNextPageParam: ({ page }: Paged) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
      ...persisted,
    })
}

/** What the screens of campaigns ask, for one shop (part of the key, since the server answers for the current one). */
export const campaignQueries = {
  all: ['campaigns'] as const,
  campaigns: pages('campaigns', 'list'),
  adGroups: pages('adGroups', 'ad-groups'),
  ads: pages('ads', 'ads'),
  keywords: pages('keywords', 'keywords'),
  targets: pages('targets', 'targets'),
  negatives: pages('negatives', 'negatives'),
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
  /** The figures of all that a list's filter matches, day by day. */
  listChart: (shop: Shop, list: 'campaigns' | 'adGroups', filter: object) =>
    queryOptions({
      queryKey: ['campaigns', 'list-chart', shop, list, filter],
      queryFn: ({ signal }) =>
        // Which filter goes with which list is the page's to know.
        call(list === 'campaigns' ? lists.campaignChart : lists.adGroupChart, { query: filter as never }, { signal }),
      ...persisted,
    }),
  /** The days on which something was changed. */
  changeDays: (shop: Shop, range: DateRange, campaignId?: number) =>
    queryOptions({
      queryKey: ['campaigns', 'change-days', shop, range.from, range.to, campaignId],
      queryFn: ({ signal }) =>
        call(changeEndpoints.days, { query: { ...days(range), ...(campaignId && { campaignId }) } }, { signal }),
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
  /** How a campaign uses its budget by the hour. */
  budgetUse: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['campaigns', 'budget-use', shop, id],
      queryFn: ({ signal }) => call(page.budgetUse, { params: { id } }, { signal }),
      ...alone,
    }),
  /** What a campaign brought in each place of its ads. */
  places: (shop: Shop, id: number, range: DateRange) =>
    queryOptions({
      queryKey: ['campaigns', 'places', shop, id, range.from, range.to],
      queryFn: ({ signal }) => call(page.places, { params: { id }, query: days(range) }, { signal }),
      ...alone,
    }),
  /** Running keywords and targets that only cost, of a campaign or of all. */
  wasting: (shop: Shop, campaignId?: number) =>
    queryOptions({
      queryKey: ['campaigns', 'wasting', shop, campaignId ?? null],
      queryFn: ({ signal }) =>
        call(page.wasting, { query: campaignId === undefined ? {} : { campaignId } }, { signal }),
      ...alone,
    }),
  /** The bid that the marketplace suggests, asked for while somebody looks at it. */
  suggestedBid: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['campaigns', 'suggested-bid', shop, id],
      queryFn: ({ signal }) => call(page.suggestedBid, { params: { id } }, { signal }),
      staleTime: 10 * 60_000,
      retry: false,
      meta: { silent: true },
    }),
  one: (shop: Shop, amazonId: string) =>
    queryOptions({
      queryKey: ['campaigns', 'one', shop, amazonId],
      queryFn: ({ signal }) => call(structureEndpoints.get, { params: { id: amazonId } }, { signal }),
      meta: { persist: 'idb', silent: true, errorDefault: 'Failed to fetch campaign' },
    }),
}

type CampaignPage = EndpointOutput<(typeof lists)['campaigns']>

/**
 * A campaign as the newest list in memory has it, as a page of that row alone, and when that list came (device time): what is
 * shown of one whose own answer never reached this device, until there is a network. Undefined where no list has it.
 */
export function listedCampaign(
  client: QueryClient,
  shop: Shop,
  isMeant: (row: CampaignRow) => boolean,
): { page: CampaignPage; updatedAt: number } | undefined {
  const lists = client.getQueryCache().findAll({ queryKey: [...campaignQueries.all, 'list', shop] })
  const pages = lists.flatMap(({ state: { data, dataUpdatedAt: updatedAt } }) =>
    // The key is that of `campaigns`.
    ((data as { pages: CampaignPage[] } | undefined)?.pages ?? []).map(page => ({ page, updatedAt })),
  )
  const found = pages
    .toSorted((a, b) => (b.page.freshness.asOf ?? '').localeCompare(a.page.freshness.asOf ?? ''))
    .find(({ page }) => page.content.some(isMeant))
  return found && { ...found, page: { ...found.page, content: found.page.content.filter(isMeant) } }
}
