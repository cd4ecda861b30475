import { mutationOptions, type QueryClient, notifyManager } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { connectEndpoints } from '../connect-contract.ts'
import { type ConnectionKind, profileEndpoints } from '../contract.ts'
import { accountQueries, askCurrentMarketplace, askCurrentMerchant } from './queries.ts'
import { isOfShop, type Shop } from './shop/shop.ts'

type ChosenShop = Pick<Shop, 'merchantId'> & { marketplaceId: number | null }

function changeOfShop<V, T>(client: QueryClient, errorTitle: string, mutationFn: (values: V) => Promise<T>) {
  return mutationOptions({ mutationFn, onSuccess: () => followShop(client), meta: { errorTitle } })
}

export const chooseMerchant = (client: QueryClient) =>
  changeOfShop(client, 'Failed to update current merchant', (merchantId: number) =>
    call(profileEndpoints.chooseMerchant, { query: { merchantId } }),
  )

export const chooseMarketplace = (client: QueryClient) =>
  changeOfShop(client, 'Failed to update current marketplace', (marketplaceId: number) =>
    call(profileEndpoints.chooseMarketplace, { query: { marketplaceId } }),
  )

/** Works in another shop from now on: a marketplace of any merchant of the user; null for the merchant’s own choice. */
export const chooseShop = (client: QueryClient) =>
  changeOfShop(client, 'Failed to update current marketplace', async ({ merchantId, marketplaceId }: ChosenShop) => {
    await call(profileEndpoints.chooseMerchant, { query: { merchantId } })
    if (marketplaceId !== null) await call(profileEndpoints.chooseMarketplace, { query: { marketplaceId } })
  })

export const connectProfiles = (client: QueryClient) =>
  changeOfShop(
    client,
    'The accounts could not be connected',
    async (chosen: readonly { merchantId: number; amazonProfileIds: number[] }[]) => {
      for (const body of chosen) await call(connectEndpoints.connectProfiles, { body })
    },
  )

export const disconnectMerchant = (client: QueryClient) =>
  changeOfShop(client, 'The seller could not be disconnected', (id: number) =>
    call(profileEndpoints.disconnectMerchant, { params: { id } }),
  )

/** What the consent is for: a new connection in a region, or an existing one again. */
type RequestedConsent =
  | { kind: ConnectionKind; regionId: number; merchantId?: number | undefined; marketplaceId?: number | undefined }
  | { connectionId: number }

export function leaveForConsent() {
  return mutationOptions({
    mutationFn: async (consent: RequestedConsent) => location.assign((await addressFor(consent)).url),
    meta: { errorTitle: 'The marketplace could not be opened' },
  })
}

function addressFor(consent: RequestedConsent) {
  if ('connectionId' in consent) return call(connectEndpoints.reconnect, { params: { id: consent.connectionId } })
  const { kind, ...query } = consent
  return call(kind === 'AMAZON_ADS' ? connectEndpoints.adsLogin : connectEndpoints.sellerLogin, { query })
}

export function refreshConnections(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    queryKey: accountQueries.all,
    predicate: query => query.queryKey[1] !== 'callback',
  })
}

/**
 * Takes over what is worked with after it changed at the server. Nothing is fetched again under a key of the shop before,
 * for the server answers for the new one already; merchant and marketplace change together, so that no screen asks for a
 * pair that never was. Cached data of any shop is fetched again once it is shown.
 */
async function followShop(client: QueryClient): Promise<void> {
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
