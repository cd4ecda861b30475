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

// The marketplace rejects requests for more products.
const few = (asins: readonly string[]): string[] => asins.slice(0, MAX_ASINS)

function recommendation<B extends object, R>(
  kind: string,
  body: B,
  request: (input: { body: B }, options: { signal: AbortSignal; timeoutMs: number }) => Promise<R>,
) {
  return queryOptions({
    queryKey: ['wizard', kind, body],
    queryFn: ({ signal }) => request({ body }, { signal, timeoutMs: 60_000 }),
    meta: { errorTitle: 'Fetch failed', errorDefault: 'Failed to fetch category, keyword or product recommendations' },
  })
}

export const wizardQueries = {
  /** `scope` names the advertising account. */
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
    recommendation('keywords', { asins: few(asins), strategy, matchType }, (input, options) =>
      call(recommendationEndpoints.keywords, input, options),
    ),
  categories: (asins: string[], strategy: Strategy) =>
    recommendation('categories', { asins: few(asins), strategy }, (input, options) =>
      call(recommendationEndpoints.categories, input, options),
    ),
  themes: (asins: string[], strategy: Strategy) =>
    recommendation('themes', { asins: few(asins), strategy }, (input, options) =>
      call(recommendationEndpoints.products, input, options),
    ),
}
