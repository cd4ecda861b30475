import { dayIn, startOfDayIn } from '#shared/time.ts'
import { type AnyEntity, collectionsOf, findEntity, placeOf, type Role } from '../../core/model/ad-products.ts'
import type { Profile, Store } from '../../core/model/store.ts'
import type { StoreChange } from '../../core/store/changes.ts'
import type { World } from '../../core/world.ts'
import { adProducts, type Fact } from '../../market/market.ts'
import { ranOutIn } from '../budgets/campaign-week.ts'
import { fromMicros } from '#shared/money.ts'
import { expressionText } from '../reports/subject.ts'

export const entityTypes = ['CAMPAIGN', 'AD_GROUP', 'AD', 'KEYWORD', 'PRODUCT_TARGETING', 'NEGATIVE_KEYWORD'] as const
export type EntityType = (typeof entityTypes)[number]

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
const coveredRoles = Object.keys(kinds) as Role[]

const placementGroups: Record<string, readonly string[]> = {
  TOP_OF_SEARCH: ['PLACEMENT_TOP', 'TOP_OF_SEARCH'],
  DETAIL_PAGE: ['PLACEMENT_PRODUCT_PAGE', 'DETAIL_PAGE'],
}

/** Every event of one change of an entity. A new entity has none: its own date reports its creation. */
function eventsOfChange(
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
function statusEvent(store: Store, role: Role, entity: AnyEntity, timestamp: number): ChangeEvent | null {
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

export const HISTORY_DAYS = 90
const HOUR_MS = 3_600_000

export class ChangeLog {
  private readonly world: World
  private events: ChangeEvent[] = []

  constructor(world: World) {
    this.world = world
    // Not saved at each change: after a restart, the changes since the checkpoint fill the gap.
    world.registerState<ChangeEvent[]>('history', {
      dump: () => this.events,
      restore: events => (this.events = events),
      reset: () => (this.events = []),
    })
    for (const { changes, at } of world.missedChanges) this.record(changes, at)
    world.onChange((changes, at) => this.record(changes, at))
  }

  /** What happened to the profile from one moment to another, oldest first. */
  between(profile: Profile, from: number, to: number): ChangeEvent[] {
    const recorded = this.events.filter(event => event.profileId === profile.profileId)
    return [...recorded, ...this.fromDates(profile, recorded, from), ...this.budgetEvents(profile, from, to)]
      .filter(({ timestamp }) => timestamp >= from && timestamp <= to)
      .sort((a, b) => a.timestamp - b.timestamp)
  }

  private record(changes: readonly StoreChange[], at: Date): void {
    const oldest = at.getTime() - HISTORY_DAYS * 24 * HOUR_MS
    if ((this.events[0]?.timestamp ?? oldest) < oldest) this.events = this.events.filter(one => one.timestamp >= oldest)
    for (const { collection, before, after } of changes)
      if (before && after)
        this.events.push(
          ...eventsOfChange(this.world.store, collection, [before as AnyEntity, after as AnyEntity], at.getTime()),
        )
  }

  /** Creations, and states that were set before the world began, by the dates of the entities. */
  private fromDates({ profileId }: Profile, recorded: readonly ChangeEvent[], from: number): ChangeEvent[] {
    const { store } = this.world
    const recordedIds = new Set(recorded.filter(event => event.changeType === 'STATUS').map(event => event.entityId))
    const events: ChangeEvent[] = []
    for (const role of coveredRoles)
      for (const [, collection] of collectionsOf(store, role))
        for (const entity of collection.values()) {
          const isOlder = entity.createdAt < from && entity.updatedAt < from
          const created =
            entity.profileId === profileId && !isOlder && statusEvent(store, role, entity, entity.createdAt)
          if (!created) continue
          events.push(created)
          const { updatedAt, createdAt, state } = entity
          if (updatedAt > createdAt && state !== 'ENABLED' && !recordedIds.has(created.entityId))
            events.push({ ...created, timestamp: updatedAt, previousValue: 'ENABLED', newValue: state })
        }
    return events
  }

  /** When campaigns ran out of their day's budget, and had money again on the next day that they showed. */
  private budgetEvents(profile: Profile, from: number, to: number): ChangeEvent[] {
    const { store, clock } = this.world
    const market = this.world.market()
    const now = clock.now()
    const [first, last, today] = [new Date(from), new Date(to), now].map(at => dayIn(at, profile.timezone)) as [
      string,
      string,
      string,
    ]
    const facts = adProducts.flatMap(product => market.facts(profile.profileId, first, last, now, product))
    const days = [...Map.groupBy(facts, fact => `${fact.day}|${fact.campaignId}`)].sort(([a], [b]) => (a < b ? -1 : 1))
    const events: ChangeEvent[] = []
    const out = new Set<string>()
    for (const [, ofDay] of days) {
      const { campaignId, day } = ofDay[0] as Fact
      const campaign = findEntity(store, 'campaigns', campaignId)?.entity
      if (!campaign || campaign.budgetType === 'LIFETIME') continue
      const add = (timestamp: number, inBudget: boolean): void => {
        const event = statusEvent(store, 'campaigns', campaign, timestamp)
        const values = { previousValue: String(!inBudget), newValue: String(inBudget) }
        if (event) events.push({ ...event, changeType: 'IN_BUDGET', ...values })
      }
      if (out.delete(campaignId)) add(Math.min(...ofDay.map(fact => fact.at)), true)
      const ranOut = ranOutIn(ofDay, campaign.budgetMicros)
      // While a day is not over, only the market can decide whether more will show.
      if (!ranOut || (day === today && market.budgets.outOf(campaignId, now) !== 'CAMPAIGN')) continue
      add(ranOut.at + HOUR_MS, false)
      out.add(campaignId)
    }
    return events
  }
}
