import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { StreamDataset, StreamRecord } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { campaignOwners } from '#features/structure/server/public.ts'
import { attributedFields, trafficFields } from '#shared/metrics.ts'
import { saveBudgetUsage } from '../sql/budget-usage.ts'
import { windowOf } from '../sql/freshness.ts'
import { setSubscription, subscriptionsOf } from '../sql/metrics-state.ts'
import type { StreamDelta } from '../sql/unplaced-hours.ts'
import { placeHours, saveHours } from './place-hours.ts'

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

type Delta = Exclude<StreamRecord, { dataset: 'budget-usage' }>

/**
 * Takes messages off the queue until none is left or `until` has come, and adds their deltas and the unplaced ones of
 * campaigns that are mirrored by now, and saves the use of budgets. A message is acknowledged after its records are saved; one that comes again is
 * counted once. Returns how many deltas were new.
 */
export async function receiveHours(services: Services, until: Date, signal: AbortSignal): Promise<number> {
  const { stream } = services.integrations.amazonAds
  if (!stream) return 0
  // An import or a launch may have mirrored campaigns since.
  let added = await placeHours(services, signal)
  while (!signal.aborted && services.clock.now() < until) {
    const deliveries = await stream.receive(1)
    if (!deliveries.length) break
    for (const delivery of deliveries) {
      if (delivery.kind === 'unreadable')
        services.log.warn({ reason: delivery.reason }, 'an unreadable message of the stream')
      if (delivery.kind === 'forged') services.log.error({ reason: delivery.reason }, 'a forged message of the stream')
    }
    const records = deliveries.flatMap(delivery => (delivery.kind === 'records' ? delivery.records : []))
    added += await saveHours(services, records.filter(isDelta).map(toDelta))
    await saveUsage(services, records.filter(isUsage))
    await stream.acknowledge(deliveries.map(delivery => delivery.receipt))
  }
  return added
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
async function saveUsage({ db }: Services, records: readonly Usage[]): Promise<void> {
  if (!records.length) return
  const owners = await campaignOwners(db.system, [...new Set(records.map(record => record.scopeId))])
  for (const [merchantId, campaigns] of Map.groupBy(owners, owner => owner.merchantId)) {
    const rows = campaigns.flatMap(({ amazonId, profileId, campaignId }) =>
      records
        .filter(({ scopeId }) => scopeId === amazonId)
        .map(({ updatedAt, budgetMicros, usagePercent }) => ({
          profileId,
          campaignId,
          at: updatedAt,
          budgetMicros,
          usagePercent,
        })),
    )
    await db.tenant(merchantId, tx => saveBudgetUsage(tx, merchantId, rows))
  }
}

const pick = <F extends string>(fields: readonly F[], values: Readonly<Record<F, number>> | null) =>
  Object.fromEntries(fields.map(field => [field, values?.[field] ?? 0])) as Record<F, number>

function toDelta(record: Delta): StreamDelta {
  const windows = 'windows' in record ? record.windows : null
  const adType = adTypes[record.dataset]
  return {
    idempotencyId: record.idempotencyId,
    campaignAmazonId: record.campaignId,
    advertiserId: record.advertiserId,
    marketplaceCode: record.marketplaceId,
    hour: record.hour,
    ...pick(trafficFields, 'windows' in record ? null : record),
    seller: pick(attributedFields, windows?.[windowOf(adType, 'seller')] ?? null),
    vendor: pick(attributedFields, windows?.[windowOf(adType, 'vendor')] ?? null),
  }
}
