import type { Product, ProductAd } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type Entity, type Field, siblingsOf } from '../entities/entity-kind.ts'
import { state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, requiredText } from '../entities/read-fields.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { servingStatus } from '../entities/serving-status.ts'
import { inNamedAdGroup, names, sponsoredProducts } from './family.ts'

/** The product an ad is for: sellers name it by SKU, vendors by ASIN. */
function readProduct({ world, profile }: AdsCaller, item: Item): Product {
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

/** The product of an ad; an ad group advertises a product once at most. */
export const product: Field<Entity & { asin: string; sku: string | null }> = {
  read(scope) {
    const { caller, item, before } = scope
    if (before) return undefined
    const { asin, sku } = readProduct(caller, item)
    for (const other of siblingsOf(scope, 'adGroupId'))
      if (other.sku === sku && other.state !== 'ARCHIVED')
        throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
          message: 'The product is advertised in this ad group already',
          field: 'sku',
          trigger: sku,
        })
    return { asin, sku }
  },
  write: ({ asin, sku }) => ({ asin, ...(sku !== null && { sku }) }),
}

export const productOf = ({ world, profile }: AdsCaller, { sku }: { sku: string | null }): Product | undefined =>
  world.store.products.get(`${profile.sellerId}|${profile.marketplaceId}|${sku}`)

export const productAds: BatchKind<ProductAd> = {
  ...names('productAd', { successId: 'adId', deleteFilter: 'adIdFilter' }),
  collection: 'productAds',
  id: 'adId',
  fields: [state, inNamedAdGroup, product],
  servingStatus: servingStatus({
    product: sponsoredProducts,
    prefix: 'AD',
    live: 'AD_STATUS_LIVE',
    campaignFirst: true,
    ownReason(ad, caller) {
      const advertised = productOf(caller, ad)
      if (advertised?.eligibility === 'INELIGIBLE') return 'AD_INELIGIBLE'
      return advertised?.fulfillable === 0 ? 'AD_OUT_OF_STOCK' : undefined
    },
  }),
}
