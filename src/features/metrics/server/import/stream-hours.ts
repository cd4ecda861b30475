import type { Profile } from '#features/accounts/server/public.ts'
import { profileById } from '#features/accounts/server/public.ts'
import { campaignOwners } from '#features/structure/server/public.ts'
import type { ConversionDelta, StreamDataset, StreamRecord, TrafficDelta } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import { dayIn, hourIn } from '#shared/time.ts'
import { addHours, type HourDelta } from '../sql/add-hours.ts'
import { noteHourly } from '../sql/metrics-state.ts'
import { setSubscription, subscriptionsOf } from '../sql/stream-subscriptions.ts'

const datasets: readonly StreamDataset[] = ['sp-traffic', 'sp-conversion', 'budget-usage']

/**
 * Subscribes the product's queue to the hourly figures of an account; again, it does nothing. The marketplace fills
 * nothing in for the time before. Does nothing where no queue is set.
 */
export const subscribeHours = async (services: Services, profile: Profile): Promise<void> => {
  const { config, db, integrations, clock } = services
  const arn = config.ADS_STREAM_DESTINATION_ARN
  if (!arn || !integrations.amazonAds.stream) return
  const known = await db.tenant(profile.merchantId, tx => subscriptionsOf(tx, profile))
  const { subscriptions } = integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
  for (const dataset of datasets) {
    if (known[dataset]) continue
    // The same wish bears the same token (of 22 to 36 characters), so that asking after a crash makes no second one.
    const token = `${profile.amazonProfileId}-${dataset}`.padEnd(22, '-').slice(0, 36)
    const { subscriptionId } = await subscriptions.create(dataset, arn, token)
    await db.tenant(profile.merchantId, tx => setSubscription(tx, profile, dataset, subscriptionId, clock.now()))
  }
}

type Delta = TrafficDelta | ConversionDelta

/**
 * Takes messages off the queue until none is left or `until` has come, and adds their deltas. A message is acknowledged
 * after its records are saved; one that comes again is counted once. Returns how many deltas were new.
 */
export const receiveHours = async (services: Services, until: Date, signal: AbortSignal): Promise<number> => {
  const { stream } = services.integrations.amazonAds
  if (!stream) return 0
  let added = 0
  while (!signal.aborted && services.clock.now() < until) {
    const deliveries = await stream.receive(1)
    if (!deliveries.length) break
    for (const delivery of deliveries) {
      if (delivery.kind === 'unreadable')
        services.log.warn({ reason: delivery.reason }, 'an unreadable message of the stream')
      if (delivery.kind === 'forged') services.log.error({ reason: delivery.reason }, 'a forged message of the stream')
    }
    const records = deliveries.flatMap(delivery => (delivery.kind === 'records' ? delivery.records : []))
    added += await save(services, records.filter(isDelta))
    await stream.acknowledge(deliveries.map(delivery => delivery.receipt))
  }
  return added
}

// Only Sponsored Products are mirrored; the datasets of the others are not subscribed to.
const isDelta = (record: StreamRecord): record is Delta =>
  record.dataset === 'sp-traffic' || record.dataset === 'sp-conversion'

const save = async (services: Services, records: readonly Delta[]): Promise<number> => {
  if (!records.length) return 0
  const { db, clock } = services
  const owners = await campaignOwners(db.system, [...new Set(records.map(record => record.campaignId))])
  let added = 0
  for (const [merchantId, own] of Map.groupBy(owners, owner => owner.merchantId)) {
    added += await db.tenant(merchantId, async tx => {
      const byCampaign = new Map(own.map(owner => [owner.amazonId, owner]))
      const profiles = new Map<number, Profile>()
      for (const { profileId } of own)
        if (!profiles.has(profileId)) profiles.set(profileId, await profileById(tx, merchantId, profileId))
      const deltas = records.flatMap(record => {
        const owner = byCampaign.get(record.campaignId)
        const profile = owner && profiles.get(owner.profileId)
        return owner && profile ? [toDelta(record, owner, profile)] : []
      })
      const count = await addHours(tx, merchantId, deltas, clock.now())
      if (count) for (const profileId of profiles.keys()) await noteHourly(tx, { merchantId, profileId }, clock.now())
      return count
    })
  }
  return added
}

const toDelta = (record: Delta, owner: { profileId: number; campaignId: number }, profile: Profile): HourDelta => {
  const window =
    record.dataset === 'sp-conversion' ? record.windows[profile.accountType === 'vendor' ? '14' : '7'] : null
  const traffic = record.dataset === 'sp-traffic' ? record : null
  return {
    idempotencyId: record.idempotencyId,
    profileId: owner.profileId,
    campaignId: owner.campaignId,
    date: dayIn(record.hour, profile.timezone),
    hour: hourIn(record.hour, profile.timezone),
    impressions: traffic?.impressions ?? 0,
    clicks: traffic?.clicks ?? 0,
    costMicros: traffic?.costMicros ?? 0,
    salesMicros: window?.salesMicros ?? 0,
    orders: window?.orders ?? 0,
    units: window?.units ?? 0,
  }
}
