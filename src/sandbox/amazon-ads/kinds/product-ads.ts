import type { Product, ProductAd } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type EntityKind, parentAdGroup } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, optionalState, requiredState, requiredText } from '../entities/read-fields.ts'
import { adStatus } from '../entities/serving-status.ts'
import { refuseSameProduct } from '../entities/refuse-duplicates.ts'

/** The product an ad is for: sellers name it by SKU, vendors by ASIN. */
export const readProduct = ({ world, profile }: AdsCaller, item: Item): Product => {
  const { store } = world
  const isVendor = store.sellers.get(profile.sellerId)?.type === 'vendor'
  const field = isVendor ? 'asin' : 'sku'
  const id = requiredText(item, field)
  const product = isVendor
    ? [...store.products.values()].find(one => one.asin === id && one.marketplaceId === profile.marketplaceId)
    : store.products.get(`${profile.sellerId}|${profile.marketplaceId}|${id}`)
  if (!product)
    throw itemError('productIdentifierError', isVendor ? 'INVALID_ASIN' : 'INVALID_SKU', {
      message: `The ${field} is not among the advertiser's products`,
      field,
      trigger: id,
    })
  if (product.eligibility === 'INELIGIBLE')
    throw itemError('adEligibilityError', 'AD_INELIGIBLE', {
      message: product.eligibilityMessage ?? 'The product is not eligible for advertising',
      field,
      trigger: id,
    })
  return product
}

/** Product ads; one product stands in an ad group at most once. */
export const productAds: EntityKind<ProductAd> = {
  path: '/sp/productAds',
  mediaType: 'application/vnd.spProductAd.v3+json',
  key: 'productAds',
  successId: 'adId',
  itemId: 'adId',
  successObject: 'productAd',
  deleteFilter: 'adIdFilter',
  all: store => store.productAds.values(),
  find: (store, id) => store.productAds.get(id),
  idOf: ad => ad.adId,
  put: (store, ad) => store.productAds.set(ad.adId, ad),

  create(caller, item) {
    const state = requiredState(item)
    const { campaign, adGroup } = parentAdGroup(
      caller,
      requiredText(item, 'campaignId'),
      requiredText(item, 'adGroupId'),
    )
    const product = readProduct(caller, item)
    refuseSameProduct(entriesBy(caller.world.store.productAds, 'adGroupId', adGroup.adGroupId).values(), product.sku)
    return {
      adId: newEntityId(),
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      asin: product.asin,
      sku: product.sku,
      state,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (_caller, ad, item) => ({ ...ad, state: optionalState(item) ?? ad.state }),

  toWire: ad => ({
    adId: ad.adId,
    adGroupId: ad.adGroupId,
    campaignId: ad.campaignId,
    asin: ad.asin,
    ...(ad.sku !== null && { sku: ad.sku }),
    state: ad.state,
  }),
  servingStatus: adStatus,
}
