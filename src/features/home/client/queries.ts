import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeEndpoints } from '../contract.ts'
import type { Granularity } from '../days.ts'
import { homeCardsKey } from './first-cards.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const
const daysOf = ({ from, to }: DateRange) => ({ dateFrom: from, dateTo: to })

export const homeQueries = {
  all: ['home'] as const,
  cards: (shop: Shop, range: DateRange) =>
    queryOptions({
      queryKey: [...homeCardsKey, shop, range.from, range.to],
      queryFn: ({ signal }) => call(homeEndpoints.cards, { query: daysOf(range) }, { signal }),
      ...persisted,
    }),
  breakdown: (shop: Shop, range: DateRange) =>
    queryOptions({
      queryKey: ['home', 'breakdown', shop, range.from, range.to],
      queryFn: ({ signal }) => call(homeEndpoints.breakdown, { query: daysOf(range) }, { signal }),
      ...persisted,
    }),
  why: (shop: Shop, range: DateRange) =>
    queryOptions({
      queryKey: ['home', 'why', shop, range.from, range.to],
      queryFn: ({ signal }) => call(homeEndpoints.why, { query: daysOf(range) }, { signal }),
      ...persisted,
    }),
  budgets: (shop: Shop) =>
    queryOptions({
      queryKey: ['home', 'budgets', shop],
      queryFn: ({ signal }) => call(homeEndpoints.budgets, {}, { signal }),
      ...persisted,
    }),
  performance: (shop: Shop, range: DateRange, granularity: Granularity) =>
    queryOptions({
      queryKey: ['home', 'performance', shop, range.from, range.to, granularity],
      queryFn: ({ signal }) =>
        call(homeEndpoints.performance, { query: { ...daysOf(range), granularity } }, { signal }),
      ...persisted,
    }),
}
