import type { Profile } from '#features/accounts/server/public.ts'
import { profileById } from '#features/accounts/server/public.ts'
import { type CampaignOwner, campaignOwners } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { dayIn, hourIn } from '#shared/time.ts'
import { addHours, type HourDelta } from '../sql/add-hours.ts'
import { noteHourly } from '../sql/metrics-state.ts'
import {
  dropUnplaced,
  keepUnplaced,
  type StreamDelta,
  unplacedCampaigns,
  unplacedOf,
  waitingSince,
} from '../sql/unplaced-hours.ts'

/** So many deltas wait at most: some 40 MB, weeks of what strangers' campaigns could send. */
const mostUnplaced = 200_000
const atOnce = 2000

/**
 * Adds deltas to the hours of the campaigns they belong to, each once. Those of campaigns that are not mirrored yet wait
 * until they are. Returns how many were new.
 */
export const saveHours = async (services: Services, deltas: readonly StreamDelta[]): Promise<number> => {
  if (!deltas.length) return 0
  const { db, clock, log } = services
  const owners = await campaignOwners(db.system, [...new Set(deltas.map(delta => delta.campaignAmazonId))])
  const known = new Set(owners.map(owner => owner.amazonId))
  const strange = deltas.filter(delta => !known.has(delta.campaignAmazonId))
  // First, so that the age of the others' figures is told with them in mind.
  const lost = await keepUnplaced(db.system, strange, clock.now(), mostUnplaced)
  if (lost) log.error({ lost }, 'hourly figures of unknown campaigns were lost, since too many wait')
  return addOwned(services, deltas, owners)
}

/**
 * Adds what waits of campaigns that are mirrored by now. To be called when campaigns may have become known; two calls at a
 * time count nothing twice. Returns how many were new.
 */
export const placeHours = async (services: Services, signal: AbortSignal): Promise<number> => {
  const { system } = services.db
  const owners = await campaignOwners(system, await unplacedCampaigns(system))
  const known = [...new Set(owners.map(owner => owner.amazonId))]
  let added = 0
  while (known.length) {
    signal.throwIfAborted()
    const deltas = await unplacedOf(system, known, atOnce)
    if (!deltas.length) break
    added += await addOwned(services, deltas, owners)
  }
  return added
}

const addOwned = async (
  services: Services,
  deltas: readonly StreamDelta[],
  owners: readonly CampaignOwner[],
): Promise<number> => {
  let added = 0
  for (const [merchantId, own] of Map.groupBy(owners, owner => owner.merchantId))
    for (const [profileId, campaigns] of Map.groupBy(own, owner => owner.profileId)) {
      const byCampaign = new Map(campaigns.map(owner => [owner.amazonId, owner.campaignId]))
      const theirs = deltas.filter(delta => byCampaign.has(delta.campaignAmazonId))
      if (theirs.length) added += await addToProfile(services, { merchantId, profileId }, theirs, byCampaign)
    }
  return added
}

const addToProfile = (
  { db, clock }: Services,
  owner: { merchantId: number; profileId: number },
  deltas: readonly StreamDelta[],
  campaignIds: ReadonlyMap<string, number>,
): Promise<number> =>
  db.tenant(owner.merchantId, async tx => {
    const profile = await profileById(tx, owner.merchantId, owner.profileId)
    const hours = deltas.flatMap(delta => {
      const campaignId = campaignIds.get(delta.campaignAmazonId)
      return campaignId === undefined ? [] : [toHour(delta, campaignId, profile)]
    })
    const count = await addHours(tx, owner.merchantId, hours, clock.now())
    await dropUnplaced(tx, deltas)
    // The figures are no newer than what of them still waits.
    if (count) await noteHourly(tx, owner, (await waitingSince(tx, deltas)) ?? clock.now())
    return count
  })

const toHour = (delta: StreamDelta, campaignId: number, profile: Profile): HourDelta => ({
  idempotencyId: delta.idempotencyId,
  profileId: profile.profileId,
  campaignId,
  date: dayIn(delta.hour, profile.timezone),
  hour: hourIn(delta.hour, profile.timezone),
  impressions: delta.impressions,
  clicks: delta.clicks,
  costMicros: delta.costMicros,
  ...delta[profile.accountType],
})
