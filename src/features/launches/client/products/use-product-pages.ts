import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListRange } from '#client/ui/lists/scroll-list.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'

const soonRows = 5

export interface ProductSearch {
  size: number
  search: string
}

/**
 * The seller's products as one list. Fetches only the visible pages: not those that a fast scroll passes, and the next page
 * a little before it becomes visible.
 */
export function useProductPages(shop: Shop, { size, search }: ProductSearch) {
  const client = useQueryClient()
  const [visiblePages, setVisiblePages] = useState<readonly number[]>([0])
  const [shown, setShown] = useState({ first: 0, last: 0 })
  const [total, setTotal] = useState<number | null>(null)
  const pageOf = (page: number) => catalogueQueries.inventoryPage(shop, { page, size, search })
  const queries = useQueries({ queries: visiblePages.map(pageOf) })
  const loaded = (page: number) => client.getQueryData(pageOf(page).queryKey)
  const latestTotal = queries.find(query => query.data)?.data?.page.totalElements
  if (latestTotal !== undefined && latestTotal !== total) setTotal(latestTotal)
  const failed = queries.filter(query => query.error)
  const onRange = ({ first, last, settled }: ListRange): void => {
    setShown({ first, last })
    const [from, to] = [pageWith(first, size), pageWith(Math.min(last + soonRows, (total ?? 1) - 1), size)]
    const pages = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const near = pages.every(page => loaded(page) ?? loaded(page - 1))
    if ((settled || near) && pages.join() !== visiblePages.join()) setVisiblePages(pages)
  }
  return {
    /** Null until the first answer. */
    total,
    /** Undefined while its page loads. */
    productAt: (index: number): InventoryProduct | undefined => loaded(pageWith(index, size))?.content[index % size],
    /** The page at the top, or the last page when the end is visible. */
    page: pageWith(total !== null && shown.last === total - 1 ? shown.last : shown.first, size),
    onRange,
    error: failed[0]?.error ?? null,
    /** True while visible rows wait for the network. */
    isPaused: queries.some(query => query.fetchStatus === 'paused' && !query.data),
    isFetching: queries.some(query => query.isFetching),
    retry: () => void Promise.all(failed.map(query => query.refetch())),
  }
}

const pageWith = (index: number, size: number): number => Math.max(0, Math.floor(index / size))
