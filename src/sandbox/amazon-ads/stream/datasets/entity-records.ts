import { fromMicros } from '#shared/money.ts'
import { startOfDayIn } from '#shared/time.ts'
import type { CollectionName } from '../../../core/store/collections.ts'
import type { Store, Profile } from '../../../core/model/store.ts'
import { expressionDetails } from '../../exports/models/target-details.ts'
import type { AnyEntity } from '../../history/change-event.ts'
import { expressionText } from '../../reports/rows/clause.ts'
import type { AdProduct } from '../../../market/market.ts'
import { recordOf, type StreamRecord } from './record.ts'

/** Entities of some collections have more fields than the history covers. */
interface StreamedEntity extends AnyEntity {
  targetingType?: string
  tactic?: string
  tags?: Record<string, string>
  bidOptimization?: unknown
  asin?: string
  sku?: string | null
  adName?: string | null
  landingPage?: { pageType: string; url: string }
}

type Fields = Record<string, unknown>

const dayStart = (day: string, profile: Profile): string => startOfDayIn(day, profile.timezone).toISOString()

function campaignFields(entity: StreamedEntity, profile: Profile): Fields {
  return {
    campaignId: entity.campaignId,
    portfolioId: entity.portfolioId ?? '',
    productLocation: 'SOLD_ON_AMAZON',
    name: entity.name,
    startDateTime: dayStart(entity.startDate ?? '', profile),
    ...(entity.endDate && { endDateTime: dayStart(entity.endDate, profile) }),
    tags: entity.tags ?? {},
    targetingSettings: entity.targetingType ?? entity.tactic ?? '',
    budget: {
      budgetCap: {
        monetaryBudget: { amount: fromMicros(entity.budgetMicros ?? 0), currencyCode: profile.currency },
        recurrence: { recurrenceType: entity.budgetType ?? 'DAILY' },
      },
    },
    bidSetting: {
      bidStrategy: entity.strategy ?? '',
      placementBidAdjustment: entity.placements ?? [],
      shopperCohortBidAdjustment: [],
    },
  }
}

function adGroupFields(entity: StreamedEntity, profile: Profile): Fields {
  return {
    adGroupId: entity.adGroupId,
    campaignId: entity.campaignId,
    name: entity.name,
    ...(entity.defaultBidMicros !== undefined && {
      bidValue: { defaultBid: { value: fromMicros(entity.defaultBidMicros), currencyCode: profile.currency } },
    }),
  }
}

function adFields(entity: StreamedEntity): Fields {
  return {
    adId: entity.adId,
    adGroupId: entity.adGroupId,
    campaignId: entity.campaignId,
    name: entity.name ?? entity.adName ?? '',
    ...(entity.asin && { asin: entity.asin }),
    ...(entity.sku && { sku: entity.sku }),
    ...(entity.landingPage && { landingPage: { type: entity.landingPage.pageType, url: entity.landingPage.url } }),
  }
}

// Which field has the clause of each type of target.
const clauseFields: Record<string, string> = {
  AUTO: 'autoTarget',
  PRODUCT: 'productTarget',
  PRODUCT_CATEGORY: 'productCategoryTarget',
  PRODUCT_AUDIENCE: 'productAudienceTarget',
  PRODUCT_CATEGORY_AUDIENCE: 'productCategoryAudienceTarget',
  AUDIENCE: 'audienceTarget',
}

function whatIsTargeted(entity: StreamedEntity, store: Store): Fields {
  if (entity.keywordText !== undefined) {
    const matchType = (entity.matchType ?? '').replace('NEGATIVE_', '')
    return { targetType: 'KEYWORD', keywordTarget: { matchType, keyword: entity.keywordText } }
  }
  const { targetType, targetDetails } = expressionDetails(store, entity.expression ?? [])
  const targetingClause = expressionText(store, entity.expression ?? [])
  const clause = { ...('matchType' in targetDetails && { matchType: targetDetails.matchType }), targetingClause }
  return { targetType, [clauseFields[targetType] ?? 'productTarget']: clause }
}

function targetFields(entity: StreamedEntity, profile: Profile, store: Store): Fields {
  return {
    targetId: entity.keywordId ?? entity.targetId,
    ...(entity.adGroupId && { adGroupId: entity.adGroupId }),
    campaignId: entity.campaignId,
    negative: entity.bidMicros === undefined,
    bid: entity.bidMicros === undefined || entity.bidMicros === null ? null : fromMicros(entity.bidMicros),
    currencyCode: profile.currency,
    ...whatIsTargeted(entity, store),
  }
}

const fieldsOf = {
  campaigns: campaignFields,
  adgroups: adGroupFields,
  ads: adFields,
  targets: targetFields,
}
export type EntityDataset = keyof typeof fieldsOf

const products: readonly (readonly [AdProduct, Partial<Record<CollectionName, EntityDataset>>])[] = [
  [
    'SPONSORED_PRODUCTS',
    {
      campaigns: 'campaigns',
      adGroups: 'adgroups',
      productAds: 'ads',
      keywords: 'targets',
      targets: 'targets',
      negativeKeywords: 'targets',
      negativeTargets: 'targets',
    },
  ],
  [
    'SPONSORED_BRANDS',
    {
      brandCampaigns: 'campaigns',
      brandAdGroups: 'adgroups',
      brandAds: 'ads',
      brandKeywords: 'targets',
      brandTargets: 'targets',
      brandNegativeKeywords: 'targets',
      brandNegativeTargets: 'targets',
    },
  ],
  [
    'SPONSORED_DISPLAY',
    {
      displayCampaigns: 'campaigns',
      displayAdGroups: 'adgroups',
      displayAds: 'ads',
      displayTargets: 'targets',
      displayNegativeTargets: 'targets',
    },
  ],
]

/** The dataset of a collection's entities and their ad product; null where there is none. */
export function datasetOf(collection: CollectionName): { dataset: EntityDataset; adProduct: AdProduct } | null {
  for (const [adProduct, collectionNames] of products) {
    const dataset = collectionNames[collection]
    if (dataset) return { dataset, adProduct }
  }
  return null
}

/** The record of a changed entity as it is now. `version` grows with each change. */
export function entityRecord(
  store: Store,
  profile: Profile,
  { dataset, adProduct }: { dataset: EntityDataset; adProduct: AdProduct },
  entity: AnyEntity,
  version: number,
): StreamRecord {
  return {
    ...recordOf(dataset, profile),
    accountId: String(profile.profileId),
    adProduct,
    version,
    state: entity.state,
    ...fieldsOf[dataset](entity, profile, store),
    audit: {
      creationDateTime: new Date(entity.createdAt).toISOString(),
      lastUpdatedDateTime: new Date(entity.updatedAt).toISOString(),
    },
  }
}
