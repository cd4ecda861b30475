import type { CollectionName } from '../../core/store/collections.ts'
import type { StoreChange } from '../../core/store/changes.ts'
import type { World } from '../../core/world.ts'
import { budgetEvents } from './budget-events.ts'
import { type AnyEntity, type ChangeEvent, eventsOfChange, collectionTypes, statusEvent } from './change-event.ts'

/** How far back the history reaches. */
export const HISTORY_DAYS = 90
const DAY_MS = 86_400_000

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
  between(profileId: number, from: number, to: number): ChangeEvent[] {
    const within = ({ timestamp }: ChangeEvent): boolean => timestamp >= from && timestamp <= to
    const recorded = this.events.filter(event => event.profileId === profileId)
    return [
      ...recorded.filter(within),
      ...this.fromDates(profileId, recorded).filter(within),
      ...budgetEvents(this.world, profileId, from, to),
    ].sort((a, b) => a.timestamp - b.timestamp)
  }

  private record(changes: readonly StoreChange[], at: Date): void {
    const oldest = at.getTime() - HISTORY_DAYS * DAY_MS
    if ((this.events[0]?.timestamp ?? oldest) < oldest) this.events = this.events.filter(one => one.timestamp >= oldest)
    const { store } = this.world
    for (const { collection, before, after } of changes) {
      if (!before || !after || !collectionTypes[collection]) continue
      // Collections with a type contain only entities.
      const pair = [before as AnyEntity, after as AnyEntity] as const
      const profile = store.profiles.get(pair[1].profileId)
      if (profile) this.events.push(...eventsOfChange(store, profile, collection, pair, at.getTime()))
    }
  }

  /** Creations, and states that were set before the world began, by the dates of the entities. */
  private fromDates(profileId: number, recorded: readonly ChangeEvent[]): ChangeEvent[] {
    const { store } = this.world
    const recordedIds = new Set(recorded.filter(event => event.changeType === 'STATUS').map(event => event.entityId))
    return (Object.keys(collectionTypes) as CollectionName[]).flatMap(collection =>
      [...(store[collection] as ReadonlyMap<unknown, AnyEntity>).values()].flatMap(entity => {
        const created = entity.profileId === profileId && statusEvent(store, collection, entity, entity.createdAt)
        if (!created) return []
        const changedBefore = entity.updatedAt > entity.createdAt && entity.state !== 'ENABLED'
        if (!changedBefore || recordedIds.has(created.entityId)) return [created]
        return [created, { ...created, timestamp: entity.updatedAt, previousValue: 'ENABLED', newValue: entity.state }]
      }),
    )
  }
}
