import { mutationOptions, type QueryClient, notifyManager } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { connectEndpoints } from '../connect-contract.ts'
import { type ConnectionKind, profileEndpoints } from '../contract.ts'
import { accountQueries, askCurrentMarketplace, askCurrentMerchant } from './queries.ts'
import { isOfShop } from './shop/shop.ts'

export function chooseMerchant(client: QueryClient) {
  return mutationOptions({
    mutationFn: (merchantId: number) => call(profileEndpoints.chooseMerchant, { query: { merchantId } }),
    onSuccess: () => followShop(client),
    meta: { errorTitle: 'Failed to update current merchant' },
  })
}

export function chooseMarketplace(client: QueryClient) {
  return mutationOptions({
    mutationFn: (marketplaceId: number) => call(profileEndpoints.chooseMarketplace, { query: { marketplaceId } }),
    onSuccess: () => followShop(client),
    meta: { errorTitle: 'Failed to update current marketplace' },
  })
}

export function connectProfiles(client: QueryClient) {
  return mutationOptions({
    mutationFn: async (chosen: readonly { merchantId: number; amazonProfileIds: number[] }[]) => {
      for (const body of chosen) await call(connectEndpoints.connectProfiles, { body })
    },
    onSuccess: () => followShop(client),
    meta: { errorTitle: 'The accounts could not be connected' },
  })
}

export function disconnectMerchant(client: QueryClient) {
  return mutationOptions({
    mutationFn: (id: number) => call(profileEndpoints.disconnectMerchant, { params: { id } }),
    onSuccess: () => followShop(client),
    meta: { errorTitle: 'The seller could not be disconnected' },
  })
}

/** What the consent is for: a new connection in a region, or an existing one again. */
export type ConsentWanted =
  | { kind: ConnectionKind; regionId: number; merchantId?: number | undefined; marketplaceId?: number | undefined }
  | { connectionId: number }

/** Asks where to go for a consent and leaves for there. */
export function leaveForConsent() {
  return mutationOptions({
    mutationFn: async (consent: ConsentWanted) => {
      const { url } = await askForAddress(consent)
      location.assign(url)
    },
    meta: { errorTitle: 'The marketplace could not be opened' },
  })
}

function askForAddress(consent: ConsentWanted) {
  if ('connectionId' in consent) return call(connectEndpoints.reconnect, { params: { id: consent.connectionId } })
  const { kind, regionId, merchantId, marketplaceId } = consent
  const query = { regionId, ...(merchantId && { merchantId }), ...(marketplaceId && { marketplaceId }) }
  return call(kind === 'AMAZON_ADS' ? connectEndpoints.adsLogin : connectEndpoints.sellerLogin, { query })
}

/** Asks again who is connected and what is chosen, after a consent was completed. */
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
