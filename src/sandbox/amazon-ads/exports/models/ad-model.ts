import type { BrandAd } from '../../../core/model/brands.ts'
import type { DisplayAd } from '../../../core/model/display.ts'
import type { EntityState, ProductAd } from '../../../core/model/store.ts'
import type { AdProduct } from '../../../market/market.ts'
import { type CommonModel, dates, delivery, type ModelContext, stateReasons } from './export-context.ts'

const groupState = ({ world: { store } }: ModelContext, adGroupId: string): EntityState =>
  (store.adGroups.get(adGroupId) ?? store.brandAdGroups.get(adGroupId) ?? store.displayAdGroups.get(adGroupId))
    ?.state ?? 'ENABLED'

/** Why a thing in an ad group does not serve, the campaign's reasons first. */
export function parentReasons(context: ModelContext, campaignId: string, adGroupId: string | null): string[] {
  return [
    ...context.campaignReasons(campaignId),
    ...(adGroupId ? stateReasons('AD_GROUP', groupState(context, adGroupId)) : []),
  ]
}

function common(
  adProduct: AdProduct,
  ad: ProductAd | BrandAd | DisplayAd,
  adType: string,
  products: object[],
  context: ModelContext,
): CommonModel {
  return {
    adId: ad.adId,
    adGroupId: ad.adGroupId,
    campaignId: ad.campaignId,
    adProduct,
    state: ad.state,
    ...delivery([...parentReasons(context, ad.campaignId, ad.adGroupId), ...stateReasons('AD', ad.state)]),
    ...dates(ad),
    adType,
    creative: { products },
  }
}

const productsOf = ({ asin, sku }: { asin: string; sku: string | null }): object[] => [
  sku === null ? { productIdType: 'ASIN', productId: asin } : { productIdType: 'SKU', productId: sku },
]

function brandAd(ad: BrandAd, context: ModelContext): CommonModel {
  const products = ad.asins.map(productId => ({ productIdType: 'ASIN', productId }))
  const { pageType, url } = ad.landingPage
  return {
    ...common('SPONSORED_BRANDS', ad, ad.format === 'BRAND_VIDEO' ? 'VIDEO' : ad.format, products, context),
    name: ad.name,
    creative: { products, landingPage: { landingPageType: pageType, ...(url && { landingPageUrl: url }) } },
  }
}

/** Ads of the profile, of all ad products, in the common model. */
export function adModels(context: ModelContext): CommonModel[] {
  const { store } = context.world
  const own = <T extends { profileId: number }>(map: ReadonlyMap<string, T>): T[] =>
    [...map.values()].filter(one => one.profileId === context.profile.profileId)
  return [
    ...own(store.productAds).map(ad => common('SPONSORED_PRODUCTS', ad, 'PRODUCT_AD', productsOf(ad), context)),
    ...own(store.brandAds).map(ad => brandAd(ad, context)),
    ...own(store.displayAds).map(ad => ({
      ...common('SPONSORED_DISPLAY', ad, 'PRODUCT_AD', productsOf(ad), context),
      ...(ad.adName && { name: ad.adName }),
    })),
  ]
}
