import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeEndpoints } from '../contract.ts'
import type { Granularity } from '../days.ts'
import { homeCardsKey } from './first-cards.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const

/** Home's queries for one shop, which is part of the key because the server answers for the current one. */
export const homeQueries = {
  all: ['home'] as const,
  cards: (shop: Shop, { from, to }: DateRange) =>
    queryOptions({
      queryKey: [...homeCardsKey, shop, from, to],
      queryFn: ({ signal }) => call(homeEndpoints.cards, { query: { dateFrom: from, dateTo: to } }, { signal }),
      ...persisted,
    }),
  breakdown: (shop: Shop, { from, to }: DateRange) =>
    queryOptions({
      queryKey: ['home', 'breakdown', shop, from, to],
      queryFn: ({ signal }) => call(homeEndpoints.breakdown, { query: { dateFrom: from, dateTo: to } }, { signal }),
      ...persisted,
    }),
  performance: (shop: Shop, { from, to }: DateRange, granularity: Granularity) =>
    queryOptions({
      queryKey: ['home', 'performance', shop, from, to, granularity],
      queryFn: ({ signal }) =>
        call(homeEndpoints.performance, { query: { dateFrom: from, dateTo: to, granularity } }, { signal }),
      ...persisted,
    }),
}
