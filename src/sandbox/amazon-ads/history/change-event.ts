import { fromMicros } from '#shared/money.ts'
import { startOfDayIn } from '#shared/time.ts'
import type { Dated, EntityState, Expression } from '../../core/model/entity.ts'
import type { CollectionName } from '../../core/store/collections.ts'
import type { Store, Profile } from '../../core/model/store.ts'
import { expressionText } from '../reports/rows/clause.ts'

export const entityTypes = ['CAMPAIGN', 'AD_GROUP', 'AD', 'KEYWORD', 'PRODUCT_TARGETING', 'NEGATIVE_KEYWORD'] as const
export type EntityType = (typeof entityTypes)[number]

/** One change of one entity, as the change history reports it. */
export interface ChangeEvent {
  /** Epoch milliseconds. */
  timestamp: number
  profileId: number
  entityType: EntityType
  entityId: string
  changeType: string
  previousValue: string
  newValue: string
  campaignId: string
  adGroupId: string | null
  metadata: Record<string, string>
}

/** The fields that entities may have; undefined where an entity has no such field. */
export interface AnyEntity extends Dated {
  profileId: number
  campaignId: string
  adGroupId?: string | null
  adId?: string
  keywordId?: string
  targetId?: string
  state: EntityState
  name?: string
  budgetMicros?: number
  budgetType?: string
  startDate?: string
  endDate?: string | null
  strategy?: string
  portfolioId?: string | null
  placements?: { placement: string; percentage: number }[]
  defaultBidMicros?: number
  bidMicros?: number | null
  keywordText?: string
  matchType?: string
  expression?: { type: string; value?: string | Expression[] }[]
  expressionType?: string
}

type IdField = 'campaignId' | 'adGroupId' | 'adId' | 'keywordId' | 'targetId'

/** The collections that the history covers; negative targets are not among its types. */
export const collectionTypes: Partial<Record<CollectionName, { type: EntityType; id: IdField }>> = {
  campaigns: { type: 'CAMPAIGN', id: 'campaignId' },
  brandCampaigns: { type: 'CAMPAIGN', id: 'campaignId' },
  displayCampaigns: { type: 'CAMPAIGN', id: 'campaignId' },
  adGroups: { type: 'AD_GROUP', id: 'adGroupId' },
  brandAdGroups: { type: 'AD_GROUP', id: 'adGroupId' },
  displayAdGroups: { type: 'AD_GROUP', id: 'adGroupId' },
  productAds: { type: 'AD', id: 'adId' },
  brandAds: { type: 'AD', id: 'adId' },
  displayAds: { type: 'AD', id: 'adId' },
  keywords: { type: 'KEYWORD', id: 'keywordId' },
  brandKeywords: { type: 'KEYWORD', id: 'keywordId' },
  targets: { type: 'PRODUCT_TARGETING', id: 'targetId' },
  brandTargets: { type: 'PRODUCT_TARGETING', id: 'targetId' },
  displayTargets: { type: 'PRODUCT_TARGETING', id: 'targetId' },
  negativeKeywords: { type: 'NEGATIVE_KEYWORD', id: 'keywordId' },
  brandNegativeKeywords: { type: 'NEGATIVE_KEYWORD', id: 'keywordId' },
}

const strategies: Record<string, string> = {
  LEGACY_FOR_SALES: 'LEGACY',
  AUTO_FOR_SALES: 'OPTIMIZE_FOR_SALES',
}
const placementGroups: Record<string, string> = {
  PLACEMENT_TOP: 'TOP_OF_SEARCH',
  TOP_OF_SEARCH: 'TOP_OF_SEARCH',
  PLACEMENT_PRODUCT_PAGE: 'DETAIL_PAGE',
  DETAIL_PAGE: 'DETAIL_PAGE',
}

const money = (micros: number | null | undefined): string =>
  micros === undefined || micros === null ? '' : String(fromMicros(micros))

/** What is reported of a type, by change type: the value as text. */
const values: Record<EntityType, Record<string, (entity: AnyEntity, timezone: string) => string>> = {
  CAMPAIGN: {
    STATUS: entity => entity.state,
    NAME: entity => entity.name ?? '',
    BUDGET_AMOUNT: entity => money(entity.budgetMicros),
    START_DATE: (entity, timezone) => dayStart(entity.startDate, timezone),
    END_DATE: (entity, timezone) => dayStart(entity.endDate, timezone),
    SMART_BIDDING_STRATEGY: entity => strategies[entity.strategy ?? ''] ?? entity.strategy ?? '',
    PORTFOLIO: entity => entity.portfolioId ?? '',
  },
  AD_GROUP: {
    STATUS: entity => entity.state,
    NAME: entity => entity.name ?? '',
    DEFAULT_BID_AMOUNT: entity => money(entity.defaultBidMicros),
  },
  AD: { STATUS: entity => entity.state },
  KEYWORD: { STATUS: entity => entity.state, BID_AMOUNT: entity => money(entity.bidMicros) },
  PRODUCT_TARGETING: { STATUS: entity => entity.state, BID_AMOUNT: entity => money(entity.bidMicros) },
  NEGATIVE_KEYWORD: { STATUS: entity => entity.state },
}

const dayStart = (day: string | null | undefined, timezone: string): string =>
  day ? String(startOfDayIn(day, timezone).getTime()) : ''

function metadataOf(type: EntityType, entity: AnyEntity, store: Store): Record<string, string> {
  const { campaignId, adGroupId, keywordText = '', matchType = '' } = entity
  const place = { campaignId, ...(adGroupId && { adGroupId }) }
  if (type === 'CAMPAIGN')
    return { ...place, campaignBudgetType: entity.budgetType === 'LIFETIME' ? 'LIFETIME_BUDGET' : 'DAILY' }
  if (type === 'KEYWORD') return { ...place, keyword: keywordText, keywordType: `KEYWORD_${matchType}` }
  if (type === 'NEGATIVE_KEYWORD')
    return {
      ...place,
      keyword: keywordText,
      negativeTargetingType: matchType.replace('NEGATIVE_', 'NEGATIVE_KEYWORD_'),
    }
  if (type !== 'PRODUCT_TARGETING') return place
  const text = expressionText(store, entity.expression ?? [])
  return entity.expressionType === 'AUTO'
    ? { ...place, productTargetingType: 'PREDEFINED', predefinedTarget: text.toUpperCase() }
    : { ...place, productTargetingType: 'EXPRESSION', targetingExpression: text }
}

const percentageOf = (entity: AnyEntity, group: string): number =>
  entity.placements?.find(({ placement }) => placementGroups[placement] === group)?.percentage ?? 0

/** Every event of one change. A new entity has none: its own date reports its creation. */
export function eventsOfChange(
  store: Store,
  profile: Profile,
  collection: CollectionName,
  [before, after]: readonly [AnyEntity, AnyEntity],
  timestamp: number,
): ChangeEvent[] {
  const kind = collectionTypes[collection]
  if (!kind) return []
  const event = statusEvent(store, collection, after, timestamp)
  const events: ChangeEvent[] = []
  for (const [changeType, valueOf] of Object.entries(values[kind.type])) {
    const [previousValue, newValue] = [valueOf(before, profile.timezone), valueOf(after, profile.timezone)]
    if (event && previousValue !== newValue) events.push({ ...event, changeType, previousValue, newValue })
  }
  for (const group of kind.type === 'CAMPAIGN' ? ['TOP_OF_SEARCH', 'DETAIL_PAGE'] : []) {
    const [from, to] = [percentageOf(before, group), percentageOf(after, group)]
    if (!event || from === to) continue
    const metadata = { ...event.metadata, placementGroupPosition: group }
    events.push({ ...event, changeType: 'PLACEMENT_GROUP', previousValue: `${from}`, newValue: `${to}`, metadata })
  }
  return events
}

/** An event of an entity's state: as if it had been created at `timestamp`. Null when the history does not cover it. */
export function statusEvent(
  store: Store,
  collection: CollectionName,
  entity: AnyEntity,
  timestamp: number,
): ChangeEvent | null {
  const kind = collectionTypes[collection]
  if (!kind) return null
  return {
    timestamp,
    profileId: entity.profileId,
    entityType: kind.type,
    entityId: entity[kind.id] ?? '',
    changeType: 'STATUS',
    previousValue: '',
    newValue: 'CREATED',
    campaignId: entity.campaignId,
    adGroupId: entity.adGroupId ?? null,
    metadata: metadataOf(kind.type, entity, store),
  }
}
