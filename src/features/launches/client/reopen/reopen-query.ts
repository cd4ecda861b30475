import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { launchQueries } from '../public.ts'

// An ASIN may be listed under several skus, each a row.
const pageSize = 200

const listedNow = async (client: QueryClient, shop: Shop, asins: readonly string[]): Promise<InventoryProduct[]> => {
  const listed: InventoryProduct[] = []
  for (let page = 0, pages = asins.length ? 1 : 0; page < pages; page += 1) {
    const filter = { page, size: pageSize, search: '', asins }
    const answer = await client.fetchQuery({ ...catalogueQueries.inventoryPage(shop, filter), staleTime: 0 })
    listed.push(...answer.content)
    pages = answer.page.totalPages
  }
  return listed
}

/** A launch with what it was asked for, and those of its products that are listed now; none for another marketplace's. */
export const reopenQuery = (client: QueryClient, shop: Shop, launchId: number) =>
  queryOptions({
    queryKey: ['wizard', 'reopen', shop, launchId],
    queryFn: async () => {
      const launch = await client.fetchQuery(launchQueries.asked(launchId))
      const isHere = launch.asked?.marketplaceId === shop.marketplaceId
      const products = (isHere && launch.asked?.payload?.products) || []
      return { launch, listed: await listedNow(client, shop, [...new Set(products.map(p => p.asin))]) }
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { silent: true },
  })
