import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type * as v from 'valibot'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { type SearchTerm, searchTermEndpoints as endpoints } from '#features/search-terms/contract.ts'

const persisted = { meta: { persist: 'idb', figures: true, silent: true }, placeholderData: keepPreviousData } as const
const pageSize = 50

export type TermsFilter = Omit<v.InferInput<typeof endpoints.ofAccount.query>, 'page' | 'size'>
export type WordsFilter = Omit<v.InferInput<typeof endpoints.words.query>, 'page' | 'size'>

interface Paged {
  page: { number: number; totalPages: number }
}
const paged = {
  initialPageParam: 0,
  getNextPageParam: ({ page }: Paged) => (page.number + 1 < page.totalPages ? page.number + 1 : undefined),
}

/** A term of one ad group, which has no id of its own. */
const termKey = ({ adGroupId, term }: SearchTerm): string => `${adGroupId} ${term}`
export type TermRow = SearchTerm & { id: string }

/** Search terms and their words for one shop; what changes a campaign makes them stale too. */
export const termQueries = {
  all: ['campaigns', 'search-terms'] as const,
  /** Of one ad group by its own call, which says when there is no such ad group. */
  terms: (shop: Shop, { adGroupId, ...filter }: TermsFilter) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'search-terms', shop, { adGroupId, ...filter }],
      queryFn: ({ signal, pageParam }) => {
        const query = { ...filter, page: pageParam, size: pageSize }
        return adGroupId === undefined
          ? call(endpoints.ofAccount, { query }, { signal })
          : call(endpoints.ofAdGroup, { params: { adGroupId }, query }, { signal })
      },
      ...paged,
      ...persisted,
      select: ({ pages, pageParams }) => ({
        pages: pages.map(page => ({ ...page, content: page.content.map(row => ({ ...row, id: termKey(row) })) })),
        pageParams,
      }),
    }),
  words: (shop: Shop, filter: WordsFilter) =>
    infiniteQueryOptions({
      queryKey: ['campaigns', 'search-terms', 'words', shop, filter],
      queryFn: ({ signal, pageParam }) =>
        call(endpoints.words, { query: { ...filter, page: pageParam, size: pageSize } }, { signal }),
      ...paged,
      ...persisted,
      select: ({ pages, pageParams }) => ({
        pages: pages.map(page => ({ ...page, content: page.content.map(row => ({ ...row, id: row.words })) })),
        pageParams,
      }),
    }),
}
