import { dayIn } from '#shared/time.ts'
import { type AnyEntity, collectionsOf, findEntity } from '../../core/model/ad-products.ts'
import type { Profile } from '../../core/model/store.ts'
import type { StoreChange } from '../../core/store/changes.ts'
import type { World } from '../../core/world.ts'
import { adProducts, type Fact } from '../../market/market.ts'
import { ranOutIn } from '../budgets/campaign-week.ts'
import { type ChangeEvent, coveredRoles, eventsOfChange, statusEvent } from './change-event.ts'

/** How far back the history reaches. */
export const HISTORY_DAYS = 90
const HOUR_MS = 3_600_000

/** All changes of a profile's campaigns, through the API or in the console. */
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
    return [...recorded, ...this.fromDates(profile, recorded), ...this.budgetEvents(profile, from, to)]
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
  private fromDates({ profileId }: Profile, recorded: readonly ChangeEvent[]): ChangeEvent[] {
    const { store } = this.world
    const recordedIds = new Set(recorded.filter(event => event.changeType === 'STATUS').map(event => event.entityId))
    const events: ChangeEvent[] = []
    for (const role of coveredRoles)
      for (const [, collection] of collectionsOf(store, role))
        for (const entity of collection.values()) {
          const created = entity.profileId === profileId && statusEvent(store, role, entity, entity.createdAt)
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
      if (!ranOut || (day === today && !market.isOutOfBudget(campaignId, now))) continue
      add(ranOut.at + HOUR_MS, false)
      out.add(campaignId)
    }
    return events
  }
}
