import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import {
  type KeywordMatchType,
  MAX_ASINS,
  recommendationEndpoints,
  type Strategy,
} from '#features/recommendations/contract.ts'
import { draftEndpoints } from '../../draft-contract.ts'
import { shopOfScope } from '../draft/draft-keys.ts'

const failed = {
  errorTitle: 'Fetch failed',
  errorDefault: 'Failed to fetch category, keyword or product recommendations',
}
// The marketplace rejects requests for more products.
const few = (asins: readonly string[]): string[] => asins.slice(0, MAX_ASINS)

/** `scope` names the advertising account. */
export const wizardQueries = {
  draft: (scope: string) =>
    queryOptions({
      queryKey: ['wizard', 'draft', scope],
      queryFn: ({ signal }) => call(draftEndpoints.get, {}, { signal, shop: shopOfScope(scope), timeoutMs: 5000 }),
      // A visit must not wait long, and the next visit asks again.
      retry: false,
      staleTime: 0,
      gcTime: 0,
      meta: { silent: true },
    }),
  keywords: (asins: string[], strategy: Strategy, matchType: KeywordMatchType) =>
    queryOptions({
      queryKey: ['wizard', 'keywords', few(asins), strategy, matchType],
      queryFn: ({ signal }) =>
        call(
          recommendationEndpoints.keywords,
          { body: { asins: few(asins), strategy, matchType } },
          { signal, timeoutMs: 60_000 },
        ),
      meta: failed,
    }),
  categories: (asins: string[], strategy: Strategy) =>
    queryOptions({
      queryKey: ['wizard', 'categories', few(asins), strategy],
      queryFn: ({ signal }) =>
        call(
          recommendationEndpoints.categories,
          { body: { asins: few(asins), strategy } },
          { signal, timeoutMs: 60_000 },
        ),
      meta: failed,
    }),
  themes: (asins: string[], strategy: Strategy) =>
    queryOptions({
      queryKey: ['wizard', 'themes', few(asins), strategy],
      queryFn: ({ signal }) =>
        call(
          recommendationEndpoints.products,
          { body: { asins: few(asins), strategy } },
          { signal, timeoutMs: 60_000 },
        ),
      meta: failed,
    }),
}
