import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueEndpoints } from '../contract.ts'
import type { InventorySort } from '../inventory-sorts.ts'
import { costImportEndpoints } from '../cost-import-contract.ts'

const freshMs = 5 * 60_000

export interface InventoryFilter {
  page: number
  size: number
  search: string
  /** These products alone, whatever else is listed. */
  asins?: readonly string[]
  sortBy?: InventorySort | undefined
  sortDir?: 'asc' | 'desc' | undefined
  /** As it was on that day. */
  snapshotDate?: string | undefined
}

/** What a list is narrowed to and ordered by, as the call takes it. */
export const inventoryFilterOf = ({
  search,
  asins,
  sortBy,
  sortDir,
  snapshotDate,
}: Omit<InventoryFilter, 'page' | 'size'>) => ({
  ...(search && { search }),
  ...(asins && { asins: asins.join(',') }),
  ...(sortBy && { sortBy }),
  ...(sortDir && { sortDir }),
  ...(snapshotDate && { snapshotDate }),
})

/** The products of one shop, which is part of the key, since the server answers for the current one. */
export const catalogueQueries = {
  all: ['catalogue'] as const,
  /** One page, by itself. */
  inventoryPage: (shop: Shop, { page, size, ...filter }: InventoryFilter) =>
    queryOptions({
      queryKey: [...catalogueQueries.all, 'inventory', shop, page, size, inventoryFilterOf(filter)],
      queryFn: ({ signal }) =>
        call(
          catalogueEndpoints.inventory,
          { query: { page, size, ...inventoryFilterOf(filter) } },
          { signal, shapeError: 'Invalid inventory response' },
        ),
      staleTime: freshMs,
      // Elsewhere nothing is fetched again on a visit; here a list older than its five minutes is.
      refetchOnMount: true,
      meta: { persist: 'idb', figures: true, silent: true },
    }),
  /** What one unit of a product cost, and from which day on. */
  costs: (shop: Shop, productId: number) =>
    queryOptions({
      queryKey: [...catalogueQueries.all, 'costs', shop, productId],
      queryFn: ({ signal }) => call(catalogueEndpoints.cogsHistory, { params: { productId } }, { signal }),
      meta: { persist: 'idb', figures: true, silent: true },
    }),
  /** The last imports of costs. */
  costImports: (shop: Shop) =>
    queryOptions({
      queryKey: [...catalogueQueries.all, 'cost-imports', shop],
      queryFn: ({ signal }) => call(costImportEndpoints.costImports, {}, { signal }),
      meta: { persist: 'idb', figures: true, silent: true },
    }),
  /** The page in sight; the one before stays until it has come. */
  inventory: (shop: Shop, filter: InventoryFilter) =>
    queryOptions({ ...catalogueQueries.inventoryPage(shop, filter), placeholderData: keepPreviousData }),
}
