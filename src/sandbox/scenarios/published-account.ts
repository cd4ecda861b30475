import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Store, Seller } from '../core/model/store.ts'
import { PUBLISHED_SELLER_ID, publishedExamples } from '../selling-partner/published/published-examples.ts'
import { profileFor } from './sellers.ts'

interface ListedItem {
  sku: string
  summaries?: { marketplaceId: string; asin?: string; itemName?: string; mainImage?: { link: string } }[]
  fulfillmentAvailability?: { quantity?: number }[]
  offers?: { marketplaceId: string; price: { amount: string } }[]
}

/** Lists what the examples list, so that it can be advertised; what they leave open stays empty. */
function listItem(store: Store, item: ListedItem): void {
  for (const { marketplaceId, asin, itemName, mainImage } of item.summaries ?? []) {
    const price = item.offers?.find(offer => offer.marketplaceId === marketplaceId)?.price.amount
    if (!asin || !marketplaceByAmazonId(marketplaceId)) continue
    store.products.set(`${PUBLISHED_SELLER_ID}|${marketplaceId}|${item.sku}`, {
      sellerId: PUBLISHED_SELLER_ID,
      marketplaceId,
      asin,
      sku: item.sku,
      fnsku: '',
      title: itemName ?? '',
      brand: '',
      categoryId: '15743161',
      categoryName: 'Luggage',
      priceMicros: toMicros(price ?? '0'),
      imageUrl: mainImage?.link ?? '',
      condition: 'NewItem',
      bestSellerRank: null,
      fulfillable: item.fulfillmentAvailability?.[0]?.quantity ?? 0,
      reserved: 0,
      unfulfillable: 0,
      inboundWorking: 0,
      inboundShipped: 0,
      inboundReceiving: 0,
      eligibility: 'ELIGIBLE',
      eligibilityMessage: null,
    })
  }
}

/** Adds the account of the published examples with one profile in the country they speak of; nothing without them. */
export function addPublishedAccount(store: Store): void {
  const examples = publishedExamples()
  if (!examples) return
  const participations = examples.find(
    ({ operationId, status }) => operationId === 'getMarketplaceParticipations' && status === 200,
  )
  // The model of these examples defines the shape.
  const payload =
    (participations?.response as { payload?: { marketplace: { id: string }; storeName: string }[] })?.payload ?? []
  const seller: Seller = {
    sellerId: PUBLISHED_SELLER_ID,
    name: payload[0]?.storeName ?? 'Published examples',
    region: 'NA',
    type: 'seller',
    marketplaceIds: payload.map(({ marketplace }) => marketplace.id),
  }
  store.sellers.set(seller.sellerId, seller)
  store.logins.push({ email: 'published@sandbox.test', name: 'Paula Published', sellerIds: [seller.sellerId] })
  const first = marketplaceByAmazonId(seller.marketplaceIds[0] ?? '')
  if (first) store.profiles.set(5100000000000011, profileFor(seller, first.key, 5100000000000011))
  const search = examples.find(({ operationId, status }) => operationId === 'searchListingsItems' && status === 200)
  for (const item of (search?.response as { items?: ListedItem[] })?.items ?? []) listItem(store, item)
}
