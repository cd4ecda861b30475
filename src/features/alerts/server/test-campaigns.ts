import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import { type Profile, profilesOf } from '#features/accounts/server/public.ts'
import { attributionDays, campaignPast, settledSums } from '#features/metrics/server/public.ts'
import { campaignsByIds, type TestedCampaign } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { forEachAtOnce } from '#server/db/for-each.ts'
import { addDays, dayIn, hourIn, startOfDayIn } from '#shared/time.ts'
import { campaignAlerts, causesOf } from './rules/campaign-alerts.ts'
import { type CampaignFacts, factsOfCampaign } from './rules/facts.ts'
import { alertRows, applyAlerts } from './apply-alerts.ts'

const pastDays = 28

export interface CampaignsOfAccount {
  merchantId: number
  profileId: number
  campaignIds: readonly number[]
}

/**
 * Tests campaigns of any accounts by what is known of them now, and raises, changes and settles their alerts. A handful of
 * statements, however many accounts they are of.
 */
export async function testCampaigns(
  services: Services,
  accounts: readonly CampaignsOfAccount[],
  happenedAt: Date,
): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const merchantIds = [...new Set(accounts.map(one => one.merchantId))]
  const ids = accounts.flatMap(({ merchantId, campaignIds }) =>
    campaignIds.map(campaignId => ({ merchantId, campaignId })),
  )
  if (!ids.length) return
  const [profiles, campaigns, rows, silent] = await Promise.all([
    profilesOf(db.system, merchantIds),
    campaignsByIds(db.system, ids),
    alertRows(
      db.system,
      ids.flatMap(({ merchantId, campaignId }) => causesOf(campaignId).map(cause => ({ merchantId, cause }))),
      now,
    ),
    silencedProfiles(services, merchantIds),
  ])
  const byId = new Map(profiles.map(profile => [profile.profileId, profile]))
  const running = campaigns.filter(
    ({ profileId, merchantId, state }) =>
      state === 'ENABLED' && byId.has(profileId) && !silent.has(profileId) && !silent.has(-merchantId),
  )
  const facts = await factsOf(services, running, byId, now)
  const rowsOf = Map.groupBy(rows, row => row.merchantId)
  await forEachAtOnce(db, accounts, async ({ merchantId, profileId, campaignIds }) => {
    const causes = campaignIds.flatMap(causesOf)
    const drafts = campaignIds.flatMap(campaignId => {
      const own = facts.get(campaignId)
      return own ? campaignAlerts(own).map(draft => ({ ...draft, campaignId })) : []
    })
    const currency = byId.get(profileId)?.currency ?? null
    const tested = { merchantId, profileId, currency, causes, drafts, happenedAt }
    const own = (rowsOf.get(merchantId) ?? []).filter(row => causes.includes(row.cause))
    await applyAlerts(services, tested, own)
  })
}

/** Accounts of which nothing runs anyway: an alert of their own says so. A merchant without connection as a negative id. */
async function silencedProfiles({ db }: Services, merchantIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select coalesce(profile_id, -merchant_id) as id from alert
    where merchant_id = any(${merchantIds}::bigint[]) and settled_at is null and campaign_id is null
      and kind in ('PAYMENT_PROBLEM', 'CONNECTION_LOST')`.execute(db.system)
  return new Set(rows.map(row => row.id))
}

async function factsOf(
  services: Services,
  campaigns: readonly TestedCampaign[],
  profiles: ReadonlyMap<number, Profile>,
  now: Date,
): Promise<Map<number, CampaignFacts>> {
  if (!campaigns.length) return new Map()
  const at = campaigns.flatMap(({ merchantId, profileId, campaignId }) => {
    const timezone = profiles.get(profileId)?.timezone
    if (!timezone) return []
    const today = dayIn(now, timezone)
    return [{ merchantId, campaignId, today, fromAt: startOfDayIn(today, timezone), hour: hourIn(now, timezone) }]
  })
  const own = [...new Set(campaigns.map(one => one.profileId))].flatMap(id => profiles.get(id) ?? [])
  const [past, rates] = await Promise.all([
    campaignPast(services.db.system, at, pastDays),
    accountRates(services, own, now),
  ])
  const byId = new Map(campaigns.map(campaign => [campaign.campaignId, campaign]))
  return new Map(
    past.flatMap(one => {
      const campaign = byId.get(one.campaignId)
      const profile = campaign && profiles.get(campaign.profileId)
      return profile
        ? [
            [
              one.campaignId,
              factsOfCampaign(one, campaign, profile, { now, rate: rates.get(profile.profileId) ?? null }),
            ],
          ]
        : []
    }),
  )
}

type Rate = NonNullable<CampaignFacts['account']>
/** By account and day: settled days change once a day. For each database that a process has open. */
const cachedRates = new WeakMap<Services['db'], LRUCache<string, Rate>>()

async function accountRates({ db }: Services, profiles: readonly Profile[], now: Date): Promise<Map<number, Rate>> {
  const cache = cachedRates.get(db) ?? new LRUCache<string, Rate>({ max: 5000 })
  cachedRates.set(db, cache)
  const keyOf = (profile: Profile): string => `${profile.profileId} ${dayIn(now, profile.timezone)}`
  const missing = profiles.filter(profile => !cache.has(keyOf(profile)))
  const spans = missing.map(({ merchantId, profileId, timezone, accountType }) => {
    const today = dayIn(now, timezone)
    return {
      merchantId,
      profileId,
      from: addDays(today, -pastDays),
      to: addDays(today, -attributionDays[accountType] - 1),
    }
  })
  const sums = missing.length ? await settledSums(db.system, spans) : []
  for (const profile of missing) {
    const sum = sums.find(one => one.profileId === profile.profileId)
    cache.set(keyOf(profile), {
      clicks: sum?.clicks ?? 0,
      orders: sum?.orders ?? 0,
      salesMicros: sum?.salesMicros ?? 0,
    })
  }
  return new Map(
    profiles.flatMap(profile => {
      const rate = cache.get(keyOf(profile))
      return rate ? [[profile.profileId, rate] as const] : []
    }),
  )
}
