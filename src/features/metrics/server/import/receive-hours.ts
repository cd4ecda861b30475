import { setTimeout as sleep } from 'node:timers/promises'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import { campaignOwners, type CampaignOwner } from '#features/structure/server/public.ts'
import type { StreamDataset, StreamRecord } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { attributedFields, trafficFields } from '#shared/metrics.ts'
import { saveBudgetUsage } from '../sql/budget-usage.ts'
import { windowOf } from '../sql/freshness.ts'
import { setSubscription, subscriptionsOf } from '../sql/metrics-state.ts'
import type { StreamDelta } from '../sql/unplaced-hours.ts'
import { hoursReceived } from '../signals.ts'
import { forEachMerchant, type LateProfiles, learnLate, placeHours, saveHours } from './place-hours.ts'

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

type Delta = Exclude<StreamRecord, { dataset: 'budget-usage' }>
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
