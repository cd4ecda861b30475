import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { accountQueries, askCurrentMarketplace, askCurrentMerchant } from '../queries.ts'
import { isOfShop } from './shop.ts'

/**
 * Takes over what is worked with after it changed at the server. Nothing is fetched again under a key of the shop before,
 * for the server answers for the new one already; merchant and marketplace change together, so that no screen asks for a
 * pair that never was. Whatever is remembered of any shop is asked anew once it is shown.
 */
export async function followShop(client: QueryClient): Promise<void> {
  await client.cancelQueries({ predicate: isOfShop })
  const [merchant, marketplace] = await Promise.all([askCurrentMerchant(), askCurrentMarketplace()]).catch(() => [])
  if (merchant !== undefined && marketplace !== undefined)
    notifyManager.batch(() => {
      client.setQueryData(accountQueries.currentMerchant().queryKey, merchant)
      client.setQueryData(accountQueries.currentMarketplace().queryKey, marketplace)
    })
  await client.invalidateQueries({ predicate: isOfShop, refetchType: 'none' })
  await client.invalidateQueries({ predicate: query => !isOfShop(query) && query.queryKey[1] !== 'callback' })
}
