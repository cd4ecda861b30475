import type { DisplayAdGroup } from '../../../core/model/display.ts'
import type { AdGroup } from '../../../core/model/store.ts'
import type { BrandAdGroup } from '../../../core/model/brands.ts'
import type { AdProduct } from '../../../market/market.ts'
import { bidIn, type CommonModel, dates, delivery, type ModelContext, stateReasons } from './export-context.ts'

const goals: Record<DisplayAdGroup['bidOptimization'], string> = {
  REACH: 'AWARENESS',
  CLICKS: 'CONSIDERATION',
  CONVERSIONS: 'CONVERSIONS',
}

function common(
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
    ...common('SPONSORED_DISPLAY', adGroup, context),
    ...(adGroup.creativeType && { creativeType: adGroup.creativeType }),
    optimization: { goalSettings: { goal: goals[adGroup.bidOptimization], kpi: 'CLICKS' } },
  }
}

/** Ad groups of the profile, of all ad products, in the common model. */
export function adGroupModels(context: ModelContext): CommonModel[] {
  const { store } = context.world
  const own = <T extends { profileId: number }>(map: ReadonlyMap<string, T>): T[] =>
    [...map.values()].filter(one => one.profileId === context.profile.profileId)
  return [
    ...own(store.adGroups).map(adGroup => common('SPONSORED_PRODUCTS', adGroup, context)),
    ...own(store.brandAdGroups).map(adGroup => common('SPONSORED_BRANDS', adGroup, context)),
    ...own(store.displayAdGroups).map(adGroup => displayAdGroup(adGroup, context)),
  ]
}
