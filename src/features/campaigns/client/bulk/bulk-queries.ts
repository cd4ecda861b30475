import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { bulkEndpoints, MAX_BULK } from '#features/structure/contract.ts'
import { type BulkChange, bulkPreviewEndpoints } from '../../bulk-contract.ts'
import type { RowKind } from '../form/field-labels.ts'

/** Which rows a bulk change is for: chosen ones, or all that match a list's query. */
export interface BulkScope {
  entity: RowKind
  ids: readonly number[] | null
  filter: object
}

/** The most rows of one bulk change. */
export const MOST_ROWS = 20_000

const minutes = 60_000

export const bulkQueries = {
  portfolios: (shop: Shop) =>
    queryOptions({
      queryKey: ['campaigns', 'portfolios', shop],
      queryFn: ({ signal }) => call(bulkEndpoints.portfolios, {}, { signal }),
      staleTime: 5 * minutes,
      meta: { persist: 'idb', silent: true },
    }),
  /** What a change would do, in pages of 1,000 rows; never from the cache, since it is what will be sent. */
  preview: (shop: Shop, { entity, ids, filter }: BulkScope, change: BulkChange) =>
    infiniteQueryOptions({
      queryKey: ['bulk-preview', shop, entity, ids, filter, change],
      queryFn: ({ signal, pageParam }) => {
        const part = ids?.slice(pageParam * MAX_BULK, (pageParam + 1) * MAX_BULK)
        const which = part ? { ids: [...part], page: 0 } : { filter, page: pageParam }
        // Which filter goes with which kind of rows is the list's concern.
        const body = { entity, change, size: MAX_BULK, ...which } as never
        return call(bulkPreviewEndpoints.preview, { body }, { signal, timeoutMs: 30_000 })
      },
      initialPageParam: 0,
      getNextPageParam: ({ page }, pages) => {
        const total = Math.min(ids ? ids.length : page.totalElements, MOST_ROWS)
        return pages.length * MAX_BULK < total ? pages.length : undefined
      },
      placeholderData: keepPreviousData,
      staleTime: Infinity,
      gcTime: 0,
      meta: { silent: true },
    }),
}
