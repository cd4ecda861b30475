import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
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

/** Where searches with some words were shown: a campaign, of Sponsored Brands an ad group, with what they cost. */
export interface WordPlace
  extends Pick<SearchTerm, 'adType' | 'campaignId' | 'campaignName' | 'currency' | 'cost' | 'orders'> {
  /** Null for a whole campaign: Sponsored Brands has negatives on ad groups alone. */
  adGroupId: number | null
  adGroupName: string | null
  /** How many different searches. */
  terms: number
}

const mostPages = 5
const widePage = 200

// The dearest thousand searches say where the money goes.
async function readWordPlaces(filter: TermsFilter, words: string, signal: AbortSignal): Promise<WordPlace[]> {
  const rows: SearchTerm[] = []
  for (let number = 0; number < mostPages; number += 1) {
    const query = { ...filter, words, sortBy: 'cost', sortDir: 'desc', page: number, size: widePage } as const
    const { content, page } = await call(endpoints.ofAccount, { query }, { signal })
    rows.push(...content)
    if (number + 1 >= page.totalPages) break
  }
  return placesOf(rows)
}

/** Of the terms on this device those with these words in a row, as the server finds them. */
export const withWords = <T extends Pick<SearchTerm, 'term'>>(rows: readonly T[], words: string): T[] =>
  rows.filter(({ term }) => ` ${term} `.includes(` ${words.toLowerCase()} `))

/** Where these terms were shown. */
export function placesOf(rows: readonly SearchTerm[]): WordPlace[] {
  const places = Map.groupBy(rows, row => `${row.campaignId} ${row.adType === 'SPONSORED_BRANDS' ? row.adGroupId : ''}`)
  const all = [...places.values()].flatMap(([first, ...rest]): WordPlace[] => {
    if (!first) return []
    const { adType, campaignId, campaignName, adGroupId, adGroupName, currency } = first
    const isBrands = adType === 'SPONSORED_BRANDS'
    const sum = (of: (row: SearchTerm) => number): number => [first, ...rest].reduce((all, row) => all + of(row), 0)
    const place = {
      adType,
      campaignId,
      campaignName,
      currency,
      adGroupId: isBrands ? adGroupId : null,
      adGroupName: isBrands ? adGroupName : null,
      cost: sum(row => row.cost),
      orders: sum(row => row.orders),
      terms: rest.length + 1,
    }
    return [place]
  })
  // Those that sold nothing first: they are the ones to negate.
  return all.toSorted((a, b) => Math.sign(a.orders) - Math.sign(b.orders) || b.cost - a.cost)
}

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
  wordPlaces: (shop: Shop, filter: TermsFilter, words: string) =>
    queryOptions({
      queryKey: ['campaigns', 'search-terms', 'word-places', shop, filter, words],
      queryFn: ({ signal }) => readWordPlaces(filter, words, signal),
      meta: { silent: true },
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
