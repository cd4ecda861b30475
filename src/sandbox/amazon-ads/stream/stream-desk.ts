import { randomBytes } from 'node:crypto'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import { confirmation, notification, topicArn } from './envelope.ts'
import { deltasOf, hasConversions, hasTraffic, type HourSum, hourSums } from './hour-sums.ts'
import { createQueue, type MessageQueue, type QueuedMessage } from './queue.ts'
import { budgetRecord, conversionRecord, type StreamRecord, trafficRecord } from './stream-records.ts'

export const datasets = ['sp-traffic', 'sp-conversion', 'budget-usage'] as const
export type Dataset = (typeof datasets)[number]

export interface Subscription {
  subscriptionId: string
  profileId: number
  dataSetId: Dataset
  destinationArn: string
  clientRequestToken: string
  notes: string
  status: 'PENDING_CONFIRMATION' | 'ACTIVE' | 'ARCHIVED'
  createdAt: number
  updatedAt: number
  /** Hours before this are never told: there is no backfill. */
  since: number
  confirmToken: string
}

/** Subscriptions to the hourly stream, and the one queue that all of them deliver to. */
export interface StreamDesk {
  queue: MessageQueue
  open(
    profile: Profile,
    wish: Pick<Subscription, 'dataSetId' | 'destinationArn' | 'clientRequestToken' | 'notes'>,
  ): Subscription
  find(subscriptionId: string): Subscription | null
  of(profileId: number): Subscription[]
  change(subscription: Subscription, change: Partial<Pick<Subscription, 'status' | 'notes'>>): void
  /** Opens the link of a confirmation; false when nobody waits for it. */
  confirm(token: string): boolean
  /** Puts into the queue what became known of one profile whose hour has passed; false when none is due. */
  deliverNext(): boolean
}

const HOUR_MS = 3_600_000
const MOST_DAYS_BACK = 31
const BUDGET_STEPS = 20

interface StreamState {
  subscriptions: Subscription[]
  told: [number, number][]
  messages: QueuedMessage[]
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** The world's only desk of the stream. */
export const createStreamDesk = (world: World): StreamDesk => {
  let subscriptions = new Map<string, Subscription>()
  /** Up to which hour each profile's figures have been told. */
  let told = new Map<number, number>()
  const queue = createQueue()
  const lastSums = new Map<number, { fromDay: string; asOf: number; sums: Map<string, HourSum> }>()
  const now = (): number => world.clock.now().getTime()

  const put = ({ dataSetId }: Subscription, region: string, record: StreamRecord): void => {
    const message = notification(topicArn(dataSetId, region), record, world.clock.now())
    queue.put(message)
    // At least once: about one message in fifty comes twice.
    if (Number.parseInt(String(record.idempotency_id ?? 'ff').slice(0, 2), 16) < 5) queue.put(message)
  }

  const changesOf = (profile: Profile, since: number, from: number, to: number): HourSum[] => {
    const earliest = addDays(dayIn(new Date(to), profile.timezone), -MOST_DAYS_BACK)
    const firstDay = dayIn(new Date(since), profile.timezone)
    const fromDay = firstDay > earliest ? firstDay : earliest
    const toDay = dayIn(new Date(to), profile.timezone)
    const last = lastSums.get(profile.profileId)
    const before =
      last?.asOf === from && last.fromDay === fromDay
        ? last.sums
        : hourSums(world, profile, fromDay, toDay, new Date(from))
    const after = hourSums(world, profile, fromDay, toDay, new Date(to))
    lastSums.set(profile.profileId, { fromDay, asOf: to, sums: after })
    return deltasOf(before, after)
  }

  const tellBudgets = (subscription: Subscription, profile: Profile, from: number, to: number): void => {
    for (const campaign of world.books.campaigns.values()) {
      if (campaign.profileId !== profile.profileId || campaign.state === 'ARCHIVED') continue
      const stepAt = (at: number) => world.market().budgetUsage(campaign.campaignId, new Date(at)).share
      const [before, after] = [stepAt(from), stepAt(to)]
      if (Math.floor(before * BUDGET_STEPS) !== Math.floor(after * BUDGET_STEPS))
        put(subscription, profile.region, budgetRecord(profile, campaign, after, new Date(to)))
    }
  }

  const deliver = (profile: Profile, active: readonly Subscription[], from: number, to: number): void => {
    const since = Math.min(...active.map(subscription => subscription.since))
    const deltas = active.some(one => one.dataSetId !== 'budget-usage') ? changesOf(profile, since, from, to) : []
    const asOf = new Date(to)
    for (const subscription of active) {
      if (subscription.dataSetId === 'budget-usage') tellBudgets(subscription, profile, from, to)
      for (const delta of deltas) {
        if (delta.hour.getTime() < subscription.since) continue
        if (subscription.dataSetId === 'sp-traffic' && hasTraffic(delta))
          put(subscription, profile.region, trafficRecord(world.books, profile, delta, asOf))
        if (subscription.dataSetId === 'sp-conversion' && hasConversions(delta))
          put(subscription, profile.region, conversionRecord(profile, delta, asOf))
      }
    }
  }

  const desk: StreamDesk = {
    queue,
    open(profile, wish) {
      for (const one of subscriptions.values())
        if (one.profileId === profile.profileId && one.clientRequestToken === wish.clientRequestToken) return one
      const at = now()
      const subscription: Subscription = {
        ...wish,
        subscriptionId: `amzn1.fead.cs1.${randomBytes(16).toString('base64url')}`,
        profileId: profile.profileId,
        status: 'PENDING_CONFIRMATION',
        createdAt: at,
        updatedAt: at,
        since: hourOf(at),
        confirmToken: randomBytes(24).toString('hex'),
      }
      subscriptions.set(subscription.subscriptionId, subscription)
      const arn = topicArn(wish.dataSetId, profile.region)
      queue.put(confirmation(arn, subscription.confirmToken, world.config.publicUrl, world.clock.now()))
      world.saved('stream')
      return subscription
    },
    find: subscriptionId => subscriptions.get(subscriptionId) ?? null,
    of: profileId => [...subscriptions.values()].filter(one => one.profileId === profileId),
    change(subscription, change) {
      Object.assign(subscription, change, { updatedAt: now() })
      world.saved('stream')
    },
    confirm(token) {
      const found = [...subscriptions.values()].find(one => one.confirmToken === token)
      if (found?.status !== 'PENDING_CONFIRMATION') return found?.status === 'ACTIVE'
      found.since = hourOf(now())
      if (!told.has(found.profileId)) told.set(found.profileId, found.since)
      desk.change(found, { status: 'ACTIVE' })
      return true
    },
    deliverNext() {
      const to = hourOf(now())
      const byProfile = Map.groupBy(
        [...subscriptions.values()].filter(one => one.status === 'ACTIVE'),
        one => one.profileId,
      )
      for (const [profileId, active] of byProfile) {
        const from = told.get(profileId) ?? to
        const profile = world.books.profiles.get(profileId)
        if (from >= to || !profile) continue
        deliver(profile, active, from, to)
        told.set(profileId, to)
        world.saved('stream')
        return true
      }
      return false
    },
  }
  world.keep<StreamState>('stream', {
    dump: () => ({ subscriptions: [...subscriptions.values()], told: [...told], messages: queue.dump() }),
    restore(state) {
      subscriptions = new Map(state.subscriptions.map(one => [one.subscriptionId, one]))
      told = new Map(state.told)
      queue.restore(state.messages)
    },
    reset() {
      subscriptions = new Map()
      told = new Map()
      lastSums.clear()
      queue.restore([])
    },
  })
  return desk
}
