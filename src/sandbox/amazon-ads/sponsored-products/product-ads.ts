import type { Product, ProductAd } from '../../core/model/store.ts'
import { type AdsCaller, isVendor } from '../ads-caller.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { type Entity, type Field, findSibling } from '../entities/entity-kind.ts'
import { state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { requiredText } from '../entities/read-fields.ts'
import { inNamedAdGroup, names } from './family.ts'

export function checkEligible({ eligibility, eligibilityMessage }: Product, at: Record<string, unknown>): void {
  if (eligibility === 'INELIGIBLE')
    throw itemError('AD_INELIGIBLE', eligibilityMessage ?? 'The product is not eligible for advertising', at)
}

/** The product of an ad, which sellers name by SKU and vendors by ASIN; an ad group advertises a product once at most. */
export const product: Field<Entity & { asin: string; sku: string | null }> = {
  once: true,
  read(scope) {
    const { world, profile } = scope.caller
    const byAsin = isVendor(scope.caller)
    const field = byAsin ? 'asin' : 'sku'
    const id = requiredText(scope.item, field)
    const found = byAsin
      ? [...world.store.products.values()].find(one => one.asin === id && one.marketplaceId === profile.marketplaceId)
      : productOf(scope.caller, { sku: id })
    if (!found)
      throw itemError(byAsin ? 'INVALID_ASIN' : 'INVALID_SKU', `The ${field} is not among the advertiser's products`, {
        [field]: id,
      })
    checkEligible(found, { [field]: id })
    const { asin, sku } = found
    if (findSibling(scope, 'adGroupId', other => other.sku === sku))
      throw itemError('DUPLICATE_VALUE', 'The product is advertised in this ad group already', { sku })
    return { asin, sku }
  },
  write: ({ asin, sku }) => ({ asin, ...(sku !== null && { sku }) }),
}

export const productOf = ({ world, profile }: AdsCaller, { sku }: { sku: string | null }): Product | undefined =>
  world.store.products.get(`${profile.sellerId}|${profile.marketplaceId}|${sku}`)

const productAds: BatchKind<ProductAd> = {
  ...names('productAd', { successId: 'adId', idFilter: 'adIdFilter' }),
  collection: 'productAds',
  id: 'adId',
  fields: [state, inNamedAdGroup, product],
  status: {
    prefix: 'AD',
    live: 'AD_STATUS_LIVE',
    campaignFirst: true,
    ownReason(ad, caller) {
      const advertised = productOf(caller, ad)
      if (advertised?.eligibility === 'INELIGIBLE') return 'AD_INELIGIBLE'
      return advertised?.fulfillable === 0 ? 'AD_OUT_OF_STOCK' : undefined
    },
  },
}

export const productAdCalls = batchCalls(productAds)
