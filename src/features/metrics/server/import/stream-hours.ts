import { adsOf, type Profile, profileById } from '#features/accounts/server/public.ts'
import type { StreamDataset, StreamRecord } from '#integrations/amazon-ads/index.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/context.ts'
import { forEachAtOnce } from '#server/db/for-each.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { campaignOwners, type CampaignOwner } from '#features/structure/server/public.ts'
import { attributedFields, trafficFields } from '#shared/metrics.ts'
import { saveBudgetUsage } from '../sql/budget-usage.ts'
import { windowOf } from '../sql/freshness.ts'
import { noteDailyPart, noteHourly, setSubscription, subscriptionsOf } from '../sql/metrics-state.ts'
import { learnFromRevisions } from '../sql/settling.ts'
import {
  type StreamDelta,
  deletePlaced,
  oldestUnplaced,
  saveUnplaced,
  unplacedCampaigns,
  unplacedOf,
} from '../sql/unplaced-hours.ts'
import { dayIn, hourIn } from '#shared/time.ts'
import { hoursReceived } from '../signals.ts'
import { addHours, type HourDelta } from '../sql/add-hours.ts'

const datasets: readonly StreamDataset[] = [
  'sp-traffic',
  'sp-conversion',
  'sb-traffic',
  'sb-conversion',
  'sd-traffic',
  'sd-conversion',
  'budget-usage',
]

/**
 * Subscribes the product's queue to the hourly figures of an account, once. The marketplace sends nothing for the time
 * before. Does nothing where no queue is configured.
 */
export async function subscribeHours(services: Services, profile: Profile): Promise<void> {
  const { config, db, integrations, clock } = services
  const arn = config.ADS_STREAM_DESTINATION_ARN
  if (!arn || !integrations.amazonAds.stream) return
  const existing = await db.tenant(profile.merchantId, tx => subscriptionsOf(tx, profile))
  const { subscriptions } = adsOf(integrations, profile)
  for (const dataset of datasets) {
    if (existing[dataset]) continue
    // The token (22 to 36 characters) is the same each time, so that a retry after a crash creates no second subscription.
    const token = `${profile.amazonProfileId}-${dataset}`.padEnd(22, '-').slice(0, 36)
    const { subscriptionId } = await subscriptions.create(dataset, arn, token)
    await db.tenant(profile.merchantId, tx => setSubscription(tx, profile, dataset, subscriptionId, clock.now()))
  }
}

/** The queue hands out ten messages a call; what several calls at once bring is saved together. */
const receivers = 6
/** How long one call waits for the first message where nothing came last time. */
const WAIT_SECONDS = 10
/** Batches follow one another no faster than this. */
const BATCH_MS = 400
/** What happened longer ago is not tested by anybody: the history of an account that was just connected. */
const NEWS_MS = 36 * 3_600_000

type Delta = Exclude<StreamRecord, { dataset: 'budget-usage' }>

/**
 * Takes messages off the queue until none is left or `until` has come, and adds their deltas and the unplaced ones of
 * campaigns that are mirrored by now, and saves the use of budgets. A message is acknowledged after its records are saved and
 * announced; one that comes again is counted once. Returns how many deltas were new.
 */
export async function receiveHours(services: Services, until: Date, signal: AbortSignal): Promise<number> {
  const { stream } = services.integrations.amazonAds
  if (!stream) return 0
  const late: LateProfiles = new Map()
  // An import or a launch may have mirrored campaigns since.
  let added = await placeHours(services, signal)
  try {
    while (!signal.aborted && services.clock.now() < until) {
      const deliveries = await receiveBatch(stream, 1)
      if (!deliveries.length) break
      added += await saveBatch(services, stream, deliveries, late)
    }
  } finally {
    await learnLate(services, late)
  }
  return added
}

/**
 * Receives for so long (by the machine's time): one call waits while the queue is empty, so that a message is saved within a
 * moment, and several fetch together while there are many. Ends at once when `stopping` aborts.
 */
export async function receiveFor(services: Services, ms: number, stopping: AbortSignal): Promise<void> {
  const { stream } = services.integrations.amazonAds
  if (!stream) return
  const end = performance.now() + ms
  const late: LateProfiles = new Map()
  await placeHours(services, stopping)
  try {
    while (!stopping.aborted && performance.now() < end) {
      const seconds = Math.min(WAIT_SECONDS, Math.ceil((end - performance.now()) / 1000))
      const first = await stream.receive(seconds, stopping)
      if (!first.length) continue
      const came = performance.now()
      // One that was not full has emptied the queue.
      const rest = first.length < 10 ? [] : await receiveBatch(stream, 0)
      await saveBatch(services, stream, [...first, ...rest], late)
      // What comes meanwhile is saved and tested together, which costs far less than one by one.
      const left = Math.max(0, came + BATCH_MS - performance.now())
      await sleep(left, undefined, { signal: stopping }).catch(() => undefined)
    }
  } finally {
    await learnLate(services, late)
  }
}

type Stream = NonNullable<Services['integrations']['amazonAds']['stream']>
type Deliveries = Awaited<ReturnType<Stream['receive']>>

const receiveBatch = async (stream: Stream, waitSeconds: number): Promise<Deliveries> =>
  (await Promise.all(Array.from({ length: receivers }, () => stream.receive(waitSeconds)))).flat()

async function saveBatch(services: Services, stream: Stream, deliveries: Deliveries, late: LateProfiles) {
  for (const delivery of deliveries) {
    if (delivery.kind === 'unreadable')
      services.log.warn({ reason: delivery.reason }, 'an unreadable message of the stream')
    if (delivery.kind === 'forged') services.log.error({ reason: delivery.reason }, 'a forged message of the stream')
  }
  const read = deliveries.filter(delivery => delivery.kind === 'records')
  const deltas = read.flatMap(({ records, sentAt }) => records.filter(isDelta).map(record => toDelta(record, sentAt)))
  const usage = read.flatMap(({ records }) => records.filter(isUsage))
  const owners = await campaignOwners(services.db.system, [
    ...new Set([...deltas.map(delta => delta.campaignAmazonId), ...usage.map(one => one.scopeId)]),
  ])
  const added = await saveHours(services, deltas, owners, late)
  await saveUsage(services, usage, owners)
  await announceReceived(services, { deltas, usage, owners, sentAt: latest(read.map(({ sentAt }) => sentAt)) })
  await stream.acknowledge(deliveries.map(delivery => delivery.receipt))
  return added
}

const latest = (moments: readonly Date[]): Date => new Date(Math.max(0, ...moments.map(at => at.getTime())))

interface ReceivedBatch {
  deltas: readonly StreamDelta[]
  usage: readonly Usage[]
  owners: readonly CampaignOwner[]
  sentAt: Date
}

/**
 * Announces of which campaigns something of the last hours came, in one job for the batch. Before the messages are
 * acknowledged: if this process dies first they come again, and are announced although they are counted once.
 */
async function announceReceived({ db, jobs, clock }: Services, { deltas, usage, owners, sentAt }: ReceivedBatch) {
  const since = clock.now().getTime() - NEWS_MS
  const named = new Set([
    ...deltas.flatMap(({ hour, campaignAmazonId }) => (hour.getTime() >= since ? campaignAmazonId : [])),
    ...usage.flatMap(({ updatedAt, scopeId }) => (updatedAt.getTime() >= since ? scopeId : [])),
  ])
  const touched = owners.filter(({ amazonId }) => named.has(amazonId))
  if (!touched.length) return
  const accounts = [...Map.groupBy(touched, one => one.profileId)].map(([profileId, own]) => ({
    merchantId: own[0]?.merchantId ?? 0,
    profileId,
    campaignIds: own.map(({ campaignId }) => campaignId),
  }))
  await db.transaction(tx => jobs.announce(tx, hoursReceived, { accounts, sentAt: sentAt.toISOString() }))
}

const forEachMerchant = (
  { db }: Services,
  owners: readonly CampaignOwner[],
  save: (merchantId: number, own: CampaignOwner[]) => Promise<void>,
): Promise<void> =>
  forEachAtOnce(
    db,
    Map.groupBy(owners, owner => owner.merchantId),
    ([merchantId, own]) => save(merchantId, own),
  )

/** The accounts of which something came later than this after it was sent, by id: what restated their days is known only now. */
type LateProfiles = Map<number, Profile>
const lateMs = 24 * 3_600_000

async function learnLate({ db, clock }: Services, late: LateProfiles): Promise<void> {
  for (const profile of late.values())
    await db.tenant(profile.merchantId, async tx => {
      await learnFromRevisions(tx, profile, clock.now())
      await noteDailyPart(tx, profile)
    })
}

const isDelta = (record: StreamRecord): record is Delta => record.dataset !== 'budget-usage'

const adTypes: Record<Delta['dataset'], AdType> = {
  'sp-traffic': 'SPONSORED_PRODUCTS',
  'sp-conversion': 'SPONSORED_PRODUCTS',
  'sb-traffic': 'SPONSORED_BRANDS',
  'sb-conversion': 'SPONSORED_BRANDS',
  'sd-traffic': 'SPONSORED_DISPLAY',
  'sd-conversion': 'SPONSORED_DISPLAY',
}

type Usage = Extract<StreamRecord, { dataset: 'budget-usage' }>
const isUsage = (record: StreamRecord): record is Usage =>
  record.dataset === 'budget-usage' && record.scopeType === 'CAMPAIGN'

/** Saves the budget usage of campaigns that are mirrored; of others there is nothing to show it with. */
async function saveUsage(
  services: Services,
  records: readonly Usage[],
  owners: readonly CampaignOwner[],
): Promise<void> {
  const byCampaign = Map.groupBy(records, ({ scopeId }) => scopeId)
  const mirrored = owners.filter(({ amazonId }) => byCampaign.has(amazonId))
  await forEachMerchant(services, mirrored, async (merchantId, campaigns) => {
    const rows = campaigns.flatMap(({ amazonId, profileId, campaignId }) =>
      (byCampaign.get(amazonId) ?? []).map(({ updatedAt, budgetMicros, usagePercent }) => ({
        profileId,
        campaignId,
        at: updatedAt,
        budgetMicros,
        usagePercent,
      })),
    )
    await services.db.tenant(merchantId, tx => saveBudgetUsage(tx, merchantId, rows))
  })
}

const pick = <F extends string>(fields: readonly F[], values: Readonly<Record<F, number>> | null) =>
  Object.fromEntries(fields.map(field => [field, values?.[field] ?? 0])) as Record<F, number>

function toDelta(record: Delta, sentAt: Date): StreamDelta {
  const windows = 'windows' in record ? record.windows : null
  const adType = adTypes[record.dataset]
  return {
    idempotencyId: record.idempotencyId,
    adType,
    sentAt,
    campaignAmazonId: record.campaignId,
    advertiserId: record.advertiserId,
    marketplaceCode: record.marketplaceId,
    hour: record.hour,
    ...pick(trafficFields, 'windows' in record ? null : record),
    seller: pick(attributedFields, windows?.[windowOf(adType, 'seller')] ?? null),
    vendor: pick(attributedFields, windows?.[windowOf(adType, 'vendor')] ?? null),
  }
}

/** At most this many deltas stay unplaced: some 40 MB, weeks of what unknown advertisers' campaigns could send. */
const maxUnplaced = 200_000
const batch = 2000

/**
 * Adds deltas to the hours of the campaigns they belong to, each once. Those of campaigns that are not mirrored yet are
 * saved until they are. Returns how many were new.
 */
async function saveHours(
  services: Services,
  deltas: readonly StreamDelta[],
  owners: readonly CampaignOwner[],
  late: LateProfiles,
): Promise<number> {
  if (!deltas.length) return 0
  const { db, clock, log } = services
  const mirrored = new Set(owners.map(owner => owner.amazonId))
  const unplaced = deltas.filter(delta => !mirrored.has(delta.campaignAmazonId))
  // First, so that the age of the other campaigns' figures takes them into account.
  const lost = await saveUnplaced(db.system, unplaced, clock.now(), maxUnplaced)
  if (lost) log.error({ lost }, 'hourly figures of unknown campaigns were lost, since there are too many')
  return addToOwners(services, deltas, owners, late)
}

/**
 * Adds the saved deltas of campaigns that are mirrored by now. Call it when campaigns may have been mirrored; two calls at
 * the same time count nothing twice. Returns how many were new.
 */
export async function placeHours(services: Services, signal: AbortSignal): Promise<number> {
  const { system } = services.db
  const owners = await campaignOwners(system, await unplacedCampaigns(system))
  const mirrored = [...new Set(owners.map(owner => owner.amazonId))]
  const late: LateProfiles = new Map()
  let added = 0
  while (mirrored.length) {
    signal.throwIfAborted()
    const deltas = await unplacedOf(system, mirrored, batch)
    if (!deltas.length) break
    added += await addToOwners(services, deltas, owners, late)
  }
  await learnLate(services, late)
  return added
}

async function addToOwners(
  services: Services,
  deltas: readonly StreamDelta[],
  owners: readonly CampaignOwner[],
  late: LateProfiles,
): Promise<number> {
  let added = 0
  await forEachMerchant(services, owners, async (merchantId, ofMerchant) => {
    for (const [profileId, campaigns] of Map.groupBy(ofMerchant, owner => owner.profileId)) {
      const campaignIds = new Map(campaigns.map(owner => [owner.amazonId, owner.campaignId]))
      const ofProfile = deltas.filter(delta => campaignIds.has(delta.campaignAmazonId))
      if (ofProfile.length)
        added += await addToProfile(services, { merchantId, profileId }, ofProfile, { campaignIds, late })
    }
  })
  return added
}

function addToProfile(
  { db, clock }: Services,
  owner: { merchantId: number; profileId: number },
  deltas: readonly StreamDelta[],
  { campaignIds, late }: { campaignIds: ReadonlyMap<string, number>; late: LateProfiles },
): Promise<number> {
  return db.tenant(owner.merchantId, async tx => {
    const profile = await profileById(tx, owner.merchantId, owner.profileId)
    const hours = deltas.flatMap(delta => {
      const campaignId = campaignIds.get(delta.campaignAmazonId)
      return campaignId === undefined ? [] : [toHour(delta, campaignId, profile)]
    })
    const now = clock.now()
    const isLate = ({ sentAt }: StreamDelta): boolean => sentAt.getTime() < now.getTime() - lateMs
    if (deltas.some(isLate)) late.set(profile.profileId, profile)
    const count = await addHours(tx, owner.merchantId, hours, now)
    await deletePlaced(tx, deltas)
    // The figures are no newer than the oldest delta that is still unplaced.
    // Nor are they newer than what was received last, while later messages are still on the queue.
    const received = deltas.every(isLate) ? new Date(Math.max(...deltas.map(({ sentAt }) => sentAt.getTime()))) : now
    if (count) await noteHourly(tx, owner, (await oldestUnplaced(tx, deltas)) ?? received, firstHourOf(deltas))
    return count
  })
}

/** The first hour with new traffic. Corrections are of earlier hours, and an order is of the hour of its click. */
function firstHourOf(deltas: readonly StreamDelta[]): Date | null {
  const hours = deltas.flatMap(({ impressions, hour }) => (impressions > 0 ? [hour.getTime()] : []))
  return hours.length ? new Date(Math.min(...hours)) : null
}

function toHour({ seller, vendor, ...delta }: StreamDelta, campaignId: number, profile: Profile): HourDelta {
  return {
    ...delta,
    ...(profile.accountType === 'vendor' ? vendor : seller),
    profileId: profile.profileId,
    campaignId,
    date: dayIn(delta.hour, profile.timezone),
    hour: hourIn(delta.hour, profile.timezone),
  }
}
