import type { Profile } from '#features/accounts/server/public.ts'
import { profileById } from '#features/accounts/server/public.ts'
import { type CampaignOwner, campaignOwners } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { dayIn, hourIn } from '#shared/time.ts'
import { addHours, type HourDelta } from '../sql/add-hours.ts'
import { noteHourly } from '../sql/metrics-state.ts'
import {
  deletePlaced,
  oldestUnplaced,
  saveUnplaced,
  type StreamDelta,
  unplacedCampaigns,
  unplacedOf,
} from '../sql/unplaced-hours.ts'

/** At most this many deltas stay unplaced: some 40 MB, weeks of what unknown advertisers' campaigns could send. */
const maxUnplaced = 200_000
const batch = 2000

/**
 * Adds deltas to the hours of the campaigns they belong to, each once. Those of campaigns that are not mirrored yet are
 * saved until they are. Returns how many were new.
 */
export async function saveHours(services: Services, deltas: readonly StreamDelta[]): Promise<number> {
  if (!deltas.length) return 0
  const { db, clock, log } = services
  const owners = await campaignOwners(db.system, [...new Set(deltas.map(delta => delta.campaignAmazonId))])
  const mirrored = new Set(owners.map(owner => owner.amazonId))
  const unplaced = deltas.filter(delta => !mirrored.has(delta.campaignAmazonId))
  // First, so that the age of the other campaigns' figures takes them into account.
  const lost = await saveUnplaced(db.system, unplaced, clock.now(), maxUnplaced)
  if (lost) log.error({ lost }, 'hourly figures of unknown campaigns were lost, since there are too many')
  return addToOwners(services, deltas, owners)
}

/**
 * Adds the saved deltas of campaigns that are mirrored by now. Call it when campaigns may have been mirrored; two calls at
 * the same time count nothing twice. Returns how many were new.
 */
export async function placeHours(services: Services, signal: AbortSignal): Promise<number> {
  const { system } = services.db
  const owners = await campaignOwners(system, await unplacedCampaigns(system))
  const mirrored = [...new Set(owners.map(owner => owner.amazonId))]
  let added = 0
  while (mirrored.length) {
    signal.throwIfAborted()
    const deltas = await unplacedOf(system, mirrored, batch)
    if (!deltas.length) break
    added += await addToOwners(services, deltas, owners)
  }
  return added
}

async function addToOwners(
  services: Services,
  deltas: readonly StreamDelta[],
  owners: readonly CampaignOwner[],
): Promise<number> {
  let added = 0
  for (const [merchantId, ofMerchant] of Map.groupBy(owners, owner => owner.merchantId))
    for (const [profileId, campaigns] of Map.groupBy(ofMerchant, owner => owner.profileId)) {
      const campaignIds = new Map(campaigns.map(owner => [owner.amazonId, owner.campaignId]))
      const ofProfile = deltas.filter(delta => campaignIds.has(delta.campaignAmazonId))
      if (ofProfile.length) added += await addToProfile(services, { merchantId, profileId }, ofProfile, campaignIds)
    }
  return added
}

function addToProfile(
  { db, clock }: Services,
  owner: { merchantId: number; profileId: number },
  deltas: readonly StreamDelta[],
  campaignIds: ReadonlyMap<string, number>,
): Promise<number> {
  return db.tenant(owner.merchantId, async tx => {
    const profile = await profileById(tx, owner.merchantId, owner.profileId)
    const hours = deltas.flatMap(delta => {
      const campaignId = campaignIds.get(delta.campaignAmazonId)
      return campaignId === undefined ? [] : [toHour(delta, campaignId, profile)]
    })
    const count = await addHours(tx, owner.merchantId, hours, clock.now())
    await deletePlaced(tx, deltas)
    // The figures are no newer than the oldest delta that is still unplaced.
    if (count) await noteHourly(tx, owner, (await oldestUnplaced(tx, deltas)) ?? clock.now())
    return count
  })
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
