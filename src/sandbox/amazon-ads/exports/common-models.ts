import { fromMicros } from '#shared/money.ts'
import { adProducts, type AdProduct } from '../../market/market.ts'
import { type AnyEntity, entitiesOf, findEntity, type Role } from '../../core/model/ad-products.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { campaignReasons } from '../entities/serving-status.ts'
import { expressionDetails } from './target-details.ts'
import { getOrMake } from '../../market/get-or-make.ts'

/** An entity in the vendor's common model, with what exports filter by. Undefined fields are not written. */
export interface CommonModel {
  adProduct: AdProduct
  state: string
  [field: string]: unknown
}

interface ModelContext extends AdsCaller {
  adProduct: AdProduct
  /** Why the campaign with this id does not serve, as the common models name it; empty when it does. */
  campaignReasons(campaignId: string): readonly string[]
}

// Serving statuses that have another name in the common models.
const commonReasons: Record<string, string> = {
  PENDING_START_DATE: 'CAMPAIGN_PENDING_START_DATE',
  ENDED: 'CAMPAIGN_END_DATE_REACHED',
}

function reasonsByCampaign(caller: AdsCaller): ModelContext['campaignReasons'] {
  const cached = new Map<string, readonly string[]>()
  const reasonsOf = (campaignId: string): string[] => {
    const campaign = findEntity(caller.world.store, 'campaigns', campaignId)?.entity
    return campaign ? campaignReasons(campaign, caller).map(reason => commonReasons[reason] ?? reason) : []
  }
  return campaignId => getOrMake(cached, campaignId, reasonsOf)
}

const stateReasons = (kind: string, state: string | undefined): string[] =>
  state === 'PAUSED' || state === 'ARCHIVED' ? [`${kind}_${state}`] : []

/** Why it does not serve: its campaign's reasons, its ad group's, its own. */
function delivery({ campaignId, adGroupId, state }: AnyEntity, kind: string, context: ModelContext): object {
  const adGroup = adGroupId && kind !== 'AD_GROUP' && findEntity(context.world.store, 'adGroups', adGroupId)?.entity
  const reasons = [
    ...context.campaignReasons(campaignId),
    ...(adGroup ? stateReasons('AD_GROUP', adGroup.state) : []),
    ...(kind === 'CAMPAIGN' ? [] : stateReasons(kind, state)),
  ]
  return reasons.length > 0
    ? { deliveryStatus: 'NOT_DELIVERING', deliveryReasons: reasons }
    : { deliveryStatus: 'DELIVERING' }
}

function dates({ createdAt, updatedAt }: AnyEntity): object {
  return {
    creationDateTime: new Date(createdAt).toISOString(),
    lastUpdatedDateTime: new Date(updatedAt).toISOString(),
  }
}

function bidIn({ profile }: ModelContext, name: string, bidMicros: number | null | undefined): object {
  return typeof bidMicros === 'number' ? { bid: { currencyCode: profile.currency, [name]: fromMicros(bidMicros) } } : {}
}

const strategies: Record<string, string> = {
  LEGACY_FOR_SALES: 'SALES_DOWN_ONLY',
  AUTO_FOR_SALES: 'SALES',
  RULE_BASED: 'RULE_BASED',
}
const placementNames: Record<string, string> = {
  PLACEMENT_TOP: 'TOP_OF_SEARCH',
  PLACEMENT_PRODUCT_PAGE: 'PRODUCT_PAGE',
  PLACEMENT_REST_OF_SEARCH: 'REST_OF_SEARCH',
  HOME: 'HOME_PAGE',
  DETAIL_PAGE: 'PRODUCT_PAGE',
}

function campaignModel(campaign: AnyEntity, context: ModelContext): CommonModel {
  const { placements, strategy = '', tags, budgetMicros = 0, state } = campaign
  const placementBidAdjustments = placements?.map(({ placement, percentage }) => ({
    placement: placementNames[placement] ?? placement,
    percentage,
  }))
  const monetaryBudget = { currencyCode: context.profile.currency, amount: fromMicros(budgetMicros) }
  return {
    campaignId: campaign.campaignId,
    portfolioId: campaign.portfolioId ?? undefined,
    adProduct: context.adProduct,
    name: campaign.name,
    startDate: campaign.startDate,
    endDate: campaign.endDate ?? undefined,
    state,
    ...delivery(campaign, 'CAMPAIGN', context),
    budgetCaps: {
      recurrenceTimePeriod: campaign.budgetType ?? 'DAILY',
      budgetType: 'MONETARY',
      budgetValue: { monetaryBudget },
    },
    ...dates(campaign),
    brandEntityId: campaign.brandEntityId ?? undefined,
    costType: campaign.costType,
    optimization: placementBidAdjustments && {
      bidStrategy: strategies[strategy],
      ...(placementBidAdjustments.length > 0 && { placementBidAdjustments }),
    },
    targetingSettings: campaign.targetingType ?? campaign.tactic,
    tags: tags && Object.entries(tags).map(([key, value]) => ({ key, value })),
  }
}

const goals: Record<string, string> = { REACH: 'AWARENESS', CLICKS: 'CONSIDERATION', CONVERSIONS: 'CONVERSIONS' }

function adGroupModel(adGroup: AnyEntity, context: ModelContext): CommonModel {
  const { bidOptimization } = adGroup
  return {
    adGroupId: adGroup.adGroupId,
    campaignId: adGroup.campaignId,
    adProduct: context.adProduct,
    name: adGroup.name,
    state: adGroup.state,
    ...delivery(adGroup, 'AD_GROUP', context),
    ...dates(adGroup),
    ...bidIn(context, 'defaultBid', adGroup.defaultBidMicros),
    creativeType: adGroup.creativeType ?? undefined,
    optimization:
      typeof bidOptimization === 'string'
        ? { goalSettings: { goal: goals[bidOptimization], kpi: 'CLICKS' } }
        : undefined,
  }
}

function adModel(ad: AnyEntity, context: ModelContext): CommonModel {
  const { asin, sku, asins, landingPage, format = 'PRODUCT_AD' } = ad
  const products = sku
    ? [{ productIdType: 'SKU', productId: sku }]
    : (asins ?? [asin]).map(productId => ({ productIdType: 'ASIN', productId }))
  return {
    adId: ad.adId,
    adGroupId: ad.adGroupId,
    campaignId: ad.campaignId,
    adProduct: context.adProduct,
    state: ad.state,
    ...delivery(ad, 'AD', context),
    ...dates(ad),
    adType: format === 'BRAND_VIDEO' ? 'VIDEO' : format,
    creative: {
      products,
      landingPage: landingPage && {
        landingPageType: landingPage.pageType,
        ...(landingPage.url && { landingPageUrl: landingPage.url }),
      },
    },
    name: ad.name ?? (ad.adName || undefined),
  }
}

function targetModel(target: AnyEntity, context: ModelContext): CommonModel {
  const { campaignId, adGroupId, bidMicros, keywordText, matchType = '', expression = [] } = target
  const { targetType, targetDetails } =
    keywordText === undefined
      ? expressionDetails(context.world.store, expression)
      : {
          targetType: 'KEYWORD',
          targetDetails: { matchType: matchType.replace('NEGATIVE_', ''), keyword: keywordText },
        }
  return {
    targetId: target.keywordId ?? target.targetId,
    // The campaign is named only where a target belongs to the whole of it.
    ...(adGroupId ? { adGroupId } : { campaignId }),
    adProduct: context.adProduct,
    state: target.state,
    negative: bidMicros === undefined,
    ...bidIn(context, 'bid', bidMicros),
    targetType,
    targetDetails,
    ...delivery(target, 'TARGET', context),
    ...dates(target),
  }
}

const models = { campaigns: campaignModel, adGroups: adGroupModel, ads: adModel, targets: targetModel }
export type ExportedKind = keyof typeof models
export const exportedKinds = Object.keys(models) as ExportedKind[]

/** Entities of the caller's profile in the common model: all of a kind, those of Sponsored Products first. */
export function modelsOf(caller: AdsCaller, kind: ExportedKind): CommonModel[] {
  const roles: Role[] = kind === 'targets' ? ['keywords', 'targets', 'negativeKeywords', 'negativeTargets'] : [kind]
  const reasons = reasonsByCampaign(caller)
  return adProducts.flatMap(adProduct =>
    roles
      .flatMap(role => entitiesOf(caller.world.store, adProduct, role, caller.profile.profileId))
      .map(entity => models[kind](entity, { ...caller, adProduct, campaignReasons: reasons })),
  )
}
