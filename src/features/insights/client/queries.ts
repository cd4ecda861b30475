import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as v from 'valibot'
import { call } from '#client/api/call.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { campaignListEndpoints } from '#features/campaigns/contract.ts'
import { asinEndpoints } from '../asin-contract.ts'
import { hourlyEndpoints } from '../hourly-contract.ts'
import { keywordEndpoints as keywords } from '../keyword-contract.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const

export type HourlyFilter = v.InferInput<typeof hourlyEndpoints.heatmap.query>

type AsinFilter = v.InferInput<typeof asinEndpoints.list.query>
type AsinChartFilter = v.InferInput<typeof asinEndpoints.chart.query>

type Lists = Pick<typeof keywords, 'topKeywords' | 'underperforming' | 'negativeImpact'>
export type KeywordFilter<K extends keyof Lists> = Omit<v.InferInput<Lists[K]['query']>, 'page' | 'size'>

const pageSize = 50
interface Paged {
  page: { number: number; totalPages: number }
}

function pages<K extends keyof Lists>(name: K) {
  return (shop: Shop, filter: KeywordFilter<K>) =>
    infiniteQueryOptions({
      queryKey: ['insights', name, shop, filter],
      queryFn: ({ signal, pageParam }) => {
        const input = { query: { ...filter, page: pageParam, size: pageSize } }
        // Which filter goes with which list is the parameter's type.
        return call(keywords[name], input as never, { signal }) as Promise<EndpointOutput<Lists[K]>>
      },
      initialPageParam: 0,
      getNextPageParam: ({ page }: Paged) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
      ...persisted,
    })
}

/** What the pages of insights ask, for one shop (part of the key, since the server answers for the current one). */
export const insightQueries = {
  all: ['insights'] as const,
  hours: (shop: Shop, filter: HourlyFilter) =>
    queryOptions({
      queryKey: ['insights', 'hours', shop, filter],
      queryFn: ({ signal }) => call(hourlyEndpoints.heatmap, { query: filter }, { signal }),
      ...persisted,
    }),
  asins: (shop: Shop, filter: AsinFilter) =>
    queryOptions({
      queryKey: ['insights', 'asins', shop, filter],
      queryFn: ({ signal }) => call(asinEndpoints.list, { query: filter }, { signal }),
      ...persisted,
    }),
  asinChart: (shop: Shop, filter: AsinChartFilter) =>
    queryOptions({
      queryKey: ['insights', 'asin-chart', shop, filter],
      queryFn: ({ signal }) => call(asinEndpoints.chart, { query: filter }, { signal }),
      ...persisted,
    }),
  /** How many search terms brought orders: the list itself is the campaign manager's. */
  topTerms: (shop: Shop, filter: Omit<v.InferInput<(typeof keywords)['topTerms']['query']>, 'page' | 'size'>) =>
    queryOptions({
      queryKey: ['insights', 'topTerms', shop, filter],
      queryFn: ({ signal }) => call(keywords.topTerms, { query: { ...filter, size: 1 } }, { signal }),
      ...persisted,
    }),
  topKeywords: pages('topKeywords'),
  underperforming: pages('underperforming'),
  negativeImpact: pages('negativeImpact'),
  /** The campaigns that spent most in these days, to choose one of. */
  campaigns: (shop: Shop, dateFrom: string, dateTo: string) =>
    queryOptions({
      queryKey: ['insights', 'campaigns', shop, dateFrom, dateTo],
      queryFn: ({ signal }) =>
        call(campaignListEndpoints.campaigns, { query: { dateFrom, dateTo, size: 50 } }, { signal }),
      ...persisted,
    }),
}
