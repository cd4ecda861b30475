import { type Profile, profileById } from '#features/accounts/server/public.ts'
import { campaignOwners, type CampaignOwner } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { forEachAtOnce } from '#server/db/for-each.ts'
import { dayIn, hourIn } from '#shared/time.ts'
import { addHours, type HourDelta } from '../sql/add-hours.ts'
import { noteDailyPart, noteHourly } from '../sql/metrics-state.ts'
import { learnFromRevisions } from '../sql/settling.ts'
import {
  type StreamDelta,
  deletePlaced,
  oldestUnplaced,
  saveUnplaced,
  unplacedCampaigns,
  unplacedOf,
} from '../sql/unplaced-hours.ts'

/** The accounts of which something came later than this after it was sent, by id: what restated their days is known only now. */
export type LateProfiles = Map<number, Profile>
const lateMs = 24 * 3_600_000

/** Learns how the days of these accounts settle. */
export async function learnLate({ db, clock }: Services, late: LateProfiles): Promise<void> {
  for (const profile of late.values())
    await db.tenant(profile.merchantId, async tx => {
      await learnFromRevisions(tx, profile, clock.now())
      await noteDailyPart(tx, profile)
    })
}

/** Saves what belongs to each merchant, several merchants at once. */
export const forEachMerchant = (
  { db }: Services,
  owners: readonly CampaignOwner[],
  save: (merchantId: number, own: CampaignOwner[]) => Promise<void>,
): Promise<void> =>
  forEachAtOnce(
    db,
    Map.groupBy(owners, owner => owner.merchantId),
    ([merchantId, own]) => save(merchantId, own),
  )

/** At most this many deltas stay unplaced: some 40 MB, weeks of what unknown advertisers' campaigns could send. */
const maxUnplaced = 200_000
const batch = 2000

/**
 * Adds deltas to the hours of the campaigns they belong to, each once. Those of campaigns that are not mirrored yet are
 * saved until they are. Returns how many were new.
 */
export async function saveHours(
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
