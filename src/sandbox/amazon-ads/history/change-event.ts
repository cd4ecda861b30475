import { fromMicros } from '#shared/money.ts'
import { startOfDayIn } from '#shared/time.ts'
import { type AnyEntity, placeOf, type Role } from '../../core/model/ad-products.ts'
import type { Store } from '../../core/model/store.ts'
import { expressionText } from '../reports/subject.ts'

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

type Reported = string | number | null | undefined
type Read<T> = (entity: AnyEntity, timezone: string) => T

interface Kind {
  type: EntityType
  id: 'campaignId' | 'adGroupId' | 'adId' | 'keywordId' | 'targetId'
  /** What is reported, by change type; nothing is written as empty text. */
  values: Record<string, Read<Reported>>
  /** Besides campaign and ad group. */
  metadata?: (entity: AnyEntity, store: Store) => Record<string, string>
}

const strategies: Record<string, string> = { LEGACY_FOR_SALES: 'LEGACY', AUTO_FOR_SALES: 'OPTIMIZE_FOR_SALES' }
const money = (micros: number | null | undefined): Reported => micros && fromMicros(micros)
const dayStart = (day: string | null | undefined, timezone: string): Reported =>
  day && startOfDayIn(day, timezone).getTime()

const STATUS: Read<Reported> = entity => entity.state
const NAME: Read<Reported> = entity => entity.name
const BID_AMOUNT: Read<Reported> = entity => money(entity.bidMicros)

/** The roles that the history covers; negative targets are not among its types. */
const kinds: Partial<Record<Role, Kind>> = {
  campaigns: {
    type: 'CAMPAIGN',
    id: 'campaignId',
    values: {
      STATUS,
      NAME,
      BUDGET_AMOUNT: entity => money(entity.budgetMicros),
      START_DATE: (entity, timezone) => dayStart(entity.startDate, timezone),
      END_DATE: (entity, timezone) => dayStart(entity.endDate, timezone),
      SMART_BIDDING_STRATEGY: ({ strategy = '' }) => strategies[strategy] ?? strategy,
      PORTFOLIO: entity => entity.portfolioId,
    },
    metadata: ({ budgetType }) => ({ campaignBudgetType: budgetType === 'LIFETIME' ? 'LIFETIME_BUDGET' : 'DAILY' }),
  },
  adGroups: {
    type: 'AD_GROUP',
    id: 'adGroupId',
    values: { STATUS, NAME, DEFAULT_BID_AMOUNT: entity => money(entity.defaultBidMicros) },
  },
  ads: { type: 'AD', id: 'adId', values: { STATUS } },
  keywords: {
    type: 'KEYWORD',
    id: 'keywordId',
    values: { STATUS, BID_AMOUNT },
    metadata: ({ keywordText = '', matchType }) => ({ keyword: keywordText, keywordType: `KEYWORD_${matchType}` }),
  },
  targets: {
    type: 'PRODUCT_TARGETING',
    id: 'targetId',
    values: { STATUS, BID_AMOUNT },
    metadata({ expression = [], expressionType }, store) {
      const text = expressionText(store, expression)
      return expressionType === 'AUTO'
        ? { productTargetingType: 'PREDEFINED', predefinedTarget: text.toUpperCase() }
        : { productTargetingType: 'EXPRESSION', targetingExpression: text }
    },
  },
  negativeKeywords: {
    type: 'NEGATIVE_KEYWORD',
    id: 'keywordId',
    values: { STATUS },
    metadata: ({ keywordText = '', matchType = '' }) => ({
      keyword: keywordText,
      negativeTargetingType: matchType.replace('NEGATIVE_', 'NEGATIVE_KEYWORD_'),
    }),
  },
}
export const coveredRoles = Object.keys(kinds) as Role[]

const placementGroups: Record<string, readonly string[]> = {
  TOP_OF_SEARCH: ['PLACEMENT_TOP', 'TOP_OF_SEARCH'],
  DETAIL_PAGE: ['PLACEMENT_PRODUCT_PAGE', 'DETAIL_PAGE'],
}

/** Every event of one change of an entity. A new entity has none: its own date reports its creation. */
export function eventsOfChange(
  store: Store,
  collection: string,
  [before, after]: readonly [AnyEntity, AnyEntity],
  timestamp: number,
): ChangeEvent[] {
  const role = placeOf(collection)?.role
  const kind = role && kinds[role]
  const profile = store.profiles.get(after.profileId)
  const event = role && statusEvent(store, role, after, timestamp)
  if (!kind || !profile || !event) return []
  const changes = Object.entries(kind.values).map(([changeType, valueOf]) => {
    const [previousValue, newValue] = [before, after].map(entity => String(valueOf(entity, profile.timezone) ?? ''))
    return { ...event, changeType, previousValue, newValue } as ChangeEvent
  })
  for (const [group, names] of Object.entries(kind.type === 'CAMPAIGN' ? placementGroups : {})) {
    const [previousValue, newValue] = [before, after].map(({ placements }) =>
      String(placements?.find(({ placement }) => names.includes(placement))?.percentage ?? 0),
    )
    const metadata = { ...event.metadata, placementGroupPosition: group }
    changes.push({ ...event, changeType: 'PLACEMENT_GROUP', previousValue, newValue, metadata } as ChangeEvent)
  }
  return changes.filter(({ previousValue, newValue }) => previousValue !== newValue)
}

/** An event of an entity's state: as if it had been created at `timestamp`. Null when the history does not cover it. */
export function statusEvent(store: Store, role: Role, entity: AnyEntity, timestamp: number): ChangeEvent | null {
  const kind = kinds[role]
  const { profileId, campaignId, adGroupId = null } = entity
  return (
    (kind && {
      timestamp,
      profileId,
      entityType: kind.type,
      entityId: entity[kind.id] ?? '',
      changeType: 'STATUS',
      previousValue: '',
      newValue: 'CREATED',
      campaignId,
      adGroupId,
      metadata: { campaignId, ...(adGroupId && { adGroupId }), ...kind.metadata?.(entity, store) },
    }) ??
    null
  )
}
