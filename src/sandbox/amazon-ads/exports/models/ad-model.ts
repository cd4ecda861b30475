import type { BrandAd, BrandAdGroup } from '../../../core/model/brands.ts'
import type { DisplayAd, DisplayAdGroup } from '../../../core/model/display.ts'
import type { AdGroup, EntityState, ProductAd } from '../../../core/model/store.ts'
import type { AdProduct } from '../../../market/market.ts'
import { bidIn, type CommonModel, dates, delivery, type ModelContext, stateReasons } from './export-context.ts'

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
  const {
    own,
    world: { store },
  } = context
  return [
    ...own(store.productAds).map(ad => common('SPONSORED_PRODUCTS', ad, 'PRODUCT_AD', productsOf(ad), context)),
    ...own(store.brandAds).map(ad => brandAd(ad, context)),
    ...own(store.displayAds).map(ad => ({
      ...common('SPONSORED_DISPLAY', ad, 'PRODUCT_AD', productsOf(ad), context),
      ...(ad.adName && { name: ad.adName }),
    })),
  ]
}

const goals: Record<DisplayAdGroup['bidOptimization'], string> = {
  REACH: 'AWARENESS',
  CLICKS: 'CONSIDERATION',
  CONVERSIONS: 'CONVERSIONS',
}

function groupCommon(
  adProduct: AdProduct,
  adGroup: AdGroup | BrandAdGroup | DisplayAdGroup,
  context: ModelContext,
): CommonModel {
  return {
    adGroupId: adGroup.adGroupId,
    campaignId: adGroup.campaignId,
    adProduct,
    name: adGroup.name,
    state: adGroup.state,
    ...delivery([...context.campaignReasons(adGroup.campaignId), ...stateReasons('AD_GROUP', adGroup.state)]),
    ...dates(adGroup),
    ...('defaultBidMicros' in adGroup && bidIn(context.profile, 'defaultBid', adGroup.defaultBidMicros)),
  }
}

function displayAdGroup(adGroup: DisplayAdGroup, context: ModelContext): CommonModel {
  return {
    ...groupCommon('SPONSORED_DISPLAY', adGroup, context),
    ...(adGroup.creativeType && { creativeType: adGroup.creativeType }),
    optimization: { goalSettings: { goal: goals[adGroup.bidOptimization], kpi: 'CLICKS' } },
  }
}

/** Ad groups of the profile, of all ad products, in the common model. */
export function adGroupModels(context: ModelContext): CommonModel[] {
  const {
    own,
    world: { store },
  } = context
  return [
    ...own(store.adGroups).map(adGroup => groupCommon('SPONSORED_PRODUCTS', adGroup, context)),
    ...own(store.brandAdGroups).map(adGroup => groupCommon('SPONSORED_BRANDS', adGroup, context)),
    ...own(store.displayAdGroups).map(adGroup => displayAdGroup(adGroup, context)),
  ]
}
