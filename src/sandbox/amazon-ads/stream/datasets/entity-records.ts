import { fromMicros } from '#shared/money.ts'
import { startOfDayIn } from '#shared/time.ts'
import { type AnyEntity, placeOf, type Role } from '../../../core/model/ad-products.ts'
import type { Store, Profile } from '../../../core/model/store.ts'
import { expressionDetails } from '../../exports/target-details.ts'
import { expressionText } from '../../reports/subject.ts'
import { recordOf, type StreamRecord } from './record.ts'

type Fields = Record<string, unknown>

function campaignFields(entity: AnyEntity, { timezone, currency }: Profile): Fields {
  const dayStart = (day: string): string => startOfDayIn(day, timezone).toISOString()
  return {
    campaignId: entity.campaignId,
    portfolioId: entity.portfolioId ?? '',
    productLocation: 'SOLD_ON_AMAZON',
    name: entity.name,
    startDateTime: dayStart(entity.startDate ?? ''),
    ...(entity.endDate && { endDateTime: dayStart(entity.endDate) }),
    tags: entity.tags ?? {},
    targetingSettings: entity.targetingType ?? entity.tactic ?? '',
    budget: {
      budgetCap: {
        monetaryBudget: { amount: fromMicros(entity.budgetMicros ?? 0), currencyCode: currency },
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

function adGroupFields({ adGroupId, campaignId, name, defaultBidMicros }: AnyEntity, { currency }: Profile): Fields {
  const bid = defaultBidMicros !== undefined && { value: fromMicros(defaultBidMicros), currencyCode: currency }
  return { adGroupId, campaignId, name, ...(bid && { bidValue: { defaultBid: bid } }) }
}

function adFields({ adId, adGroupId, campaignId, asin, sku, landingPage, ...ad }: AnyEntity): Fields {
  return {
    adId,
    adGroupId,
    campaignId,
    name: ad.name ?? ad.adName ?? '',
    ...(asin && { asin }),
    ...(sku && { sku }),
    ...(landingPage && { landingPage: { type: landingPage.pageType, url: landingPage.url } }),
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

function whatIsTargeted({ keywordText, matchType, expression = [] }: AnyEntity, store: Store): Fields {
  if (keywordText !== undefined)
    return {
      targetType: 'KEYWORD',
      keywordTarget: { matchType: matchType?.replace('NEGATIVE_', ''), keyword: keywordText },
    }
  const { targetType, targetDetails } = expressionDetails(store, expression)
  const { matchType: type } = targetDetails
  const clause = { ...(type !== undefined && { matchType: type }), targetingClause: expressionText(store, expression) }
  return { targetType, [clauseFields[targetType] ?? 'productTarget']: clause }
}

function targetFields(entity: AnyEntity, { currency }: Profile, store: Store): Fields {
  const { bidMicros } = entity
  return {
    targetId: entity.keywordId ?? entity.targetId,
    ...(entity.adGroupId && { adGroupId: entity.adGroupId }),
    campaignId: entity.campaignId,
    negative: bidMicros === undefined,
    bid: typeof bidMicros === 'number' ? fromMicros(bidMicros) : null,
    currencyCode: currency,
    ...whatIsTargeted(entity, store),
  }
}

const fieldsOf = { campaigns: campaignFields, adgroups: adGroupFields, ads: adFields, targets: targetFields }
const datasets: Partial<Record<Role, keyof typeof fieldsOf>> = {
  campaigns: 'campaigns',
  adGroups: 'adgroups',
  ads: 'ads',
}

/** The dataset of a collection's entities and their ad product; undefined where there is none. */
export function datasetOf(collection: string) {
  const place = placeOf(collection)
  return place && { dataset: datasets[place.role] ?? ('targets' as const), adProduct: place.adProduct }
}

/** The record of a changed entity as it is now. `version` grows with each change. */
export function entityRecord(
  store: Store,
  profile: Profile,
  { dataset, adProduct }: NonNullable<ReturnType<typeof datasetOf>>,
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
