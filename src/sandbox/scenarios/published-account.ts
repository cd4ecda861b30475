import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Store } from '../core/model/store.ts'
import { newListing } from '../selling-partner/operations/product-fields.ts'
import { PUBLISHED_SELLER_ID as sellerId, publishedExamples } from '../selling-partner/published/published-examples.ts'
import { addLogin, type ScenarioDraft } from './scenario-draft.ts'
import { profileFor } from './sellers.ts'

// The model of these examples defines the shapes.
interface ListedItem {
  sku: string
  summaries?: { marketplaceId: string; asin?: string; itemName?: string; mainImage?: { link: string } }[]
  fulfillmentAvailability?: { quantity?: number }[]
  offers?: { marketplaceId: string; price: { amount: string } }[]
}
interface Responses {
  getMarketplaceParticipations: { payload?: { marketplace: { id: string }; storeName: string }[] }
  searchListingsItems: { items?: ListedItem[] }
}

/** Lists what the examples list, so that it can be advertised; what they leave open stays empty. */
function listItem(store: Store, item: ListedItem): void {
  for (const { marketplaceId, asin, itemName, mainImage } of item.summaries ?? []) {
    const price = item.offers?.find(offer => offer.marketplaceId === marketplaceId)?.price.amount
    if (!asin || !marketplaceByAmazonId(marketplaceId)) continue
    store.products.set(`${sellerId}|${marketplaceId}|${item.sku}`, {
      sellerId,
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
      ...newListing,
      fulfillable: item.fulfillmentAvailability?.[0]?.quantity ?? 0,
    })
  }
}

/** Adds the account of the published examples with one profile in the country they speak of; nothing without them. */
export function addPublishedAccount(draft: ScenarioDraft): void {
  const examples = publishedExamples()
  if (!examples) return
  const responseOf = <Id extends keyof Responses>(id: Id): Responses[Id] | undefined =>
    examples.find(({ operationId, status }) => operationId === id && status === 200)?.response as Responses[Id]
  const payload = responseOf('getMarketplaceParticipations')?.payload ?? []
  const name = payload[0]?.storeName ?? 'Published examples'
  const marketplaceIds = payload.map(({ marketplace }) => marketplace.id)
  const seller = { sellerId, name, region: 'NA', type: 'seller', marketplaceIds } as const
  addLogin(draft, 'published@sandbox.test', 'Paula Published', [seller])
  const first = marketplaceByAmazonId(marketplaceIds[0] ?? '')
  if (first) draft.store.profiles.set(5100000000000011, profileFor(seller, first.key, 5100000000000011))
  for (const item of responseOf('searchListingsItems')?.items ?? []) listItem(draft.store, item)
}
