import { randomBytes } from 'node:crypto'
import type { AnyEntity } from '../../core/model/ad-products.ts'
import type { Profile } from '../../core/model/store.ts'
import type { StoreChange } from '../../core/store/changes.ts'
import type { World } from '../../core/world.ts'
import { campaignDatasets } from './datasets/campaign-records.ts'
import { datasetOf, entityRecord } from './datasets/entity-records.ts'
import { performanceRecords } from './datasets/performance.ts'
import type { StreamRecord } from './datasets/record.ts'
import { EnvelopeSigner, topicOf } from './envelope-signer.ts'
import { MessageQueue, type QueuedMessage } from './queue.ts'
import { invalidStream, type Subscription, subscriptionCalls, type SubscriptionRequest } from './subscriptions.ts'

interface StreamState {
  subscriptions: Subscription[]
  emittedUntil: [number, number][]
  messages: QueuedMessage[]
  version?: number
  openedBefore?: OpenedBefore
  isHeld?: boolean
}

/** Subscriptions of a profile (null: of any) that count as opened some days ago. */
interface OpenedBefore {
  daysBefore: number
  profileId: number | null
}

const HOUR_MS = 3_600_000
/** What was emitted before a subscription was confirmed comes in steps of so many hours. */
const HISTORY_STEP_HOURS = 8
/** So many of its records are one message. */
const HISTORY_BATCH = 25
const CONFIRM_WITHIN_MS = 72 * HOUR_MS
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** Subscriptions to the hourly stream, and the one queue that all of them deliver to; survives restarts. */
export class StreamService {
  readonly calls = subscriptionCalls(this)
  readonly queue = new MessageQueue()
  readonly signer: EnvelopeSigner
  private readonly world: World
  private subscriptions = new Map<string, Subscription>()
  /** The hour up to which each profile's figures were emitted. */
  private emittedUntil = new Map<number, number>()
  /** The version of the last emitted change of an entity. */
  private version = 0
  private openedBefore: OpenedBefore = { daysBefore: 0, profileId: null }
  private isHeld = false

  constructor(world: World) {
    this.world = world
    this.signer = new EnvelopeSigner(world)
    world.registerState<StreamState>('stream', {
      dump: () => ({
        subscriptions: [...this.subscriptions.values()],
        emittedUntil: [...this.emittedUntil],
        messages: this.queue.dump(),
        version: this.version,
        openedBefore: this.openedBefore,
        isHeld: this.isHeld,
      }),
      restore: state => this.restore(state),
      reset: () => this.restore({ subscriptions: [], emittedUntil: [], messages: [] }),
    })
    world.onChange((changes, at) => this.emitChanges(changes, at.getTime()))
  }

  /** Opens a subscription, or answers the one that this token opened before. Throws 400 when others leave no room. */
  open(profile: Profile, requested: SubscriptionRequest): Subscription {
    const own = this.of(profile.profileId)
    const existing = own.find(one => one.clientRequestToken === requested.clientRequestToken)
    if (existing) return existing
    const alike = own.filter(
      ({ status, dataSetId }) =>
        (status === 'ACTIVE' || status === 'PENDING_CONFIRMATION') && dataSetId === requested.dataSetId,
    )
    if (alike.some(other => other.destination.arn === requested.destination.arn))
      throw invalidStream('Cannot have more than one subscription per advertiser, dataSetId, & destination combination')
    if (alike.length >= 2)
      throw invalidStream(
        'Cannot have more than two subscriptions per application, advertiser, & dataSetId combination',
      )
    const at = this.now()
    const subscription: Subscription = {
      ...requested,
      subscriptionId: `amzn1.fead.cs1.${randomBytes(16).toString('base64url')}`,
      profileId: profile.profileId,
      status: 'PENDING_CONFIRMATION',
      createdAt: at,
      updatedAt: at,
      since: hourOf(at),
      confirmToken: randomBytes(24).toString('hex'),
    }
    this.subscriptions.set(subscription.subscriptionId, subscription)
    if (requested.destination.kind === 'firehose') this.confirm(subscription.confirmToken)
    else {
      const { config, clock } = this.world
      const topic = topicOf(requested.dataSetId, profile.region, clock.now())
      this.queue.put(topic.confirmation(subscription.confirmToken, config.publicUrl), 'topic', at)
    }
    this.world.saveState('stream')
    return subscription
  }

  /**
   * From now on subscriptions count as opened some days before, with the messages of all those hours still to be received:
   * for an account that a client has had for weeks. The marketplace itself sends nothing for the time before.
   */
  openBefore(opened: OpenedBefore): void {
    this.openedBefore = opened
    this.world.saveState('stream')
  }

  /** While it holds, figures wait; afterwards those of all hours that have passed come at once. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    this.world.saveState('stream')
  }

  /** Has the topics of their datasets send these records, as if of accounts that exist elsewhere. */
  publish(region: string, records: readonly StreamRecord[]): void {
    const { clock } = this.world
    for (const record of records)
      this.queue.put(topicOf(record.dataset_id, region, clock.now()).notification(record), 'topic', this.now())
  }

  of(profileId: number): Subscription[] {
    return this.all().filter(one => one.profileId === profileId)
  }

  change(subscription: Subscription, change: Partial<Pick<Subscription, 'status' | 'notes'>>): void {
    Object.assign(subscription, change, { updatedAt: this.now() })
    this.world.saveState('stream')
  }

  /** Confirms a subscription by its token; false when there is none to confirm. */
  confirm(token: string): boolean {
    const found = this.all().find(one => one.confirmToken === token)
    if (found?.status !== 'PENDING_CONFIRMATION') return found?.status === 'ACTIVE'
    const now = hourOf(this.now())
    const { daysBefore, profileId } = this.openedBefore
    const days = profileId === null || profileId === found.profileId ? daysBefore : 0
    found.since = now - days * 24 * HOUR_MS
    found.hasHistory = days > 0
    if (!this.emittedUntil.has(found.profileId)) this.emittedUntil.set(found.profileId, now)
    this.change(found, { status: 'ACTIVE' })
    return true
  }

  /** Queues the new figures of one profile with a completed hour; false when there is none. */
  deliverNext(): boolean {
    if (this.deliverHistory()) return true
    if (this.isHeld) return false
    const to = hourOf(this.now())
    for (const [profileId, own] of Map.groupBy(this.active(), one => one.profileId)) {
      const from = this.emittedUntil.get(profileId) ?? to
      const profile = this.world.store.profiles.get(profileId)
      if (from >= to || !profile) continue
      const hours = [new Date(from), new Date(to)] as const
      const performance = performanceRecords(this.world, profile, own, hours)
      for (const subscription of own) {
        const ofCampaigns = campaignDatasets[subscription.dataSetId]
        const records = ofCampaigns
          ? ofCampaigns(this.world, profile, ...hours)
          : performance(subscription).flatMap(emitted => emitted.records)
        for (const record of records) this.put(subscription, profile, record)
      }
      this.emittedUntil.set(profileId, to)
      this.world.saveState('stream')
      return true
    }
    return false
  }

  /**
   * Queues what a subscription has of the time before it was confirmed, each message with the moment at which it would have been sent;
   * false when none has any.
   */
  private deliverHistory(): boolean {
    const found = this.active().find(one => one.hasHistory)
    const profile = found && this.world.store.profiles.get(found.profileId)
    if (!found || !profile) return false
    found.hasHistory = false
    const hours = [new Date(found.since), new Date(this.emittedUntil.get(found.profileId) ?? found.since)] as const
    if (!campaignDatasets[found.dataSetId])
      for (const { at, records } of performanceRecords(this.world, profile, [found], hours, HISTORY_STEP_HOURS)(found))
        for (let from = 0; from < records.length; from += HISTORY_BATCH)
          this.put(found, profile, records.slice(from, from + HISTORY_BATCH), at)
    this.world.saveState('stream')
    return true
  }

  /** Changes of campaigns, ad groups, ads and targets are emitted at once. */
  private emitChanges(changes: readonly StoreChange[], at: number): void {
    const active = this.active()
    if (active.length === 0) return
    const { store } = this.world
    for (const { collection, after } of changes) {
      const dataset = datasetOf(collection)
      if (!dataset || !after) continue
      // Collections with a dataset contain only entities.
      const entity = after as AnyEntity
      const profile = store.profiles.get(entity.profileId)
      const own = active.filter(one => one.dataSetId === dataset.dataset && one.profileId === entity.profileId)
      if (!profile || own.length === 0) continue
      this.version = Math.max(this.version + 1, at)
      for (const subscription of own)
        this.put(subscription, profile, entityRecord(store, profile, dataset, entity, this.version))
    }
    this.world.saveState('stream')
  }

  private put(
    { dataSetId, destination }: Subscription,
    { region }: Profile,
    content: StreamRecord | StreamRecord[],
    sentAt = this.world.clock.now(),
  ): void {
    const message =
      destination.kind === 'sqs' ? topicOf(dataSetId, region, sentAt).notification(content) : JSON.stringify(content)
    this.queue.put(message, 'topic', this.now())
    // At least once: about one message in fifty comes twice.
    const [record] = [content].flat()
    if (Number.parseInt((record?.idempotency_id ?? 'ff').slice(0, 2), 16) < 5)
      this.queue.put(message, 'topic', this.now())
  }

  private active(): Subscription[] {
    return [...this.subscriptions.values()].filter(one => one.status === 'ACTIVE')
  }

  /** All of them; one that was not confirmed within three days has failed for good. */
  private all(): Subscription[] {
    for (const one of this.subscriptions.values())
      if (one.status === 'PENDING_CONFIRMATION' && this.now() > one.createdAt + CONFIRM_WITHIN_MS)
        Object.assign(one, { status: 'FAILED_CONFIRMATION', updatedAt: one.createdAt + CONFIRM_WITHIN_MS })
    return [...this.subscriptions.values()]
  }

  private now(): number {
    return this.world.clock.now().getTime()
  }

  private restore(state: StreamState): void {
    // States of an older program have no destination; those clients must subscribe again.
    const existing = state.subscriptions.filter(one => 'destination' in one)
    this.subscriptions = new Map(existing.map(one => [one.subscriptionId, one]))
    this.emittedUntil = new Map(state.emittedUntil)
    this.version = state.version ?? 0
    this.openedBefore = state.openedBefore ?? { daysBefore: 0, profileId: null }
    this.isHeld = state.isHeld ?? false
    this.queue.restore(state.messages)
  }
}
