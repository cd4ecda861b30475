import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueEndpoints } from '../contract.ts'

const freshMs = 5 * 60_000

export interface InventoryFilter {
  page: number
  size: number
  search: string
  /** These products alone, whatever else is listed. */
  asins?: readonly string[]
}

/** The products of one shop, which is part of the key, since the server answers for the current one. */
export const catalogueQueries = {
  all: ['catalogue'] as const,
  /** One page, by itself. */
  inventoryPage: (shop: Shop, { page, size, search, asins }: InventoryFilter) =>
    queryOptions({
      queryKey: [...catalogueQueries.all, 'inventory', shop, page, size, search, ...(asins ?? [])],
      queryFn: ({ signal }) =>
        call(
          catalogueEndpoints.inventory,
          { query: { page, size, ...(search && { search }), ...(asins && { asins: asins.join(',') }) } },
          { signal, shapeError: 'Invalid inventory response' },
        ),
      staleTime: freshMs,
      // Elsewhere nothing is fetched again on a visit; here a list older than its five minutes is.
      refetchOnMount: true,
      meta: { persist: 'idb', figures: true, silent: true },
    }),
  /** The page in sight; the one before stays until it has come. */
  inventory: (shop: Shop, filter: InventoryFilter) =>
    queryOptions({ ...catalogueQueries.inventoryPage(shop, filter), placeholderData: keepPreviousData }),
}
