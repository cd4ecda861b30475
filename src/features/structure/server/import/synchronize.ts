import { z } from 'zod'
import { type AdType, adTypes } from '#shared/campaign-rules.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { accountsOf, adsOf, currentProfile, type Profile, profilesOf } from '#features/accounts/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { forEachAtOnce } from '#server/db/for-each.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import type { structureEndpoints } from '../../contract.ts'
import { structureSynchronized } from '../signals.ts'
import type { Owner } from '../sql/entity-sql.ts'
import {
  adTypesByCampaign,
  dueSynchronizations,
  noteAllSynchronized,
  noteSynchronized,
  synchronizedAt,
  toRecount,
} from '../sql/sync-state.ts'
import { recountTargets } from '../sql/target-counts.ts'
import {
  importStructure,
  isExtended,
  mirrorPages,
  openLists,
  type PortList,
  portLists,
  states,
} from './import-structure.ts'

const owner = z.object({ merchantId: z.number(), profileId: z.number() })

/** What the marketplace's history calls the rows of each list. Negative products are not in it. */
const historyNames: Record<string, { type: string; isOnCampaign?: boolean }> = {
  campaigns: { type: 'CAMPAIGN' },
  adGroups: { type: 'AD_GROUP' },
  productAds: { type: 'AD' },
  ads: { type: 'AD' },
  keywords: { type: 'KEYWORD' },
  targets: { type: 'PRODUCT_TARGETING' },
  negativeKeywords: { type: 'NEGATIVE_KEYWORD', isOnCampaign: false },
  campaignNegativeKeywords: { type: 'NEGATIVE_KEYWORD', isOnCampaign: true },
}

/** The history is read again this far back, since an event may be listed late. */
const OVERLAP_MS = 10 * 60_000
/** With more events than this everything is read instead. */
const MAX_EVENTS = 10_000

interface Changed {
  type: string
  id: string
  campaignId: string | null
  isOnCampaign: boolean
}

/**
 * Brings the mirror up to what was changed at the marketplace since the last time, in its console for instance: asks its
 * history which entities changed, and reads those alone. A quiet account costs one call, however large it is. Open
 * screens hear of what changed. Returns how many rows were added or changed.
 */
export async function synchronize(services: Services, profile: Profile, signal: AbortSignal): Promise<number> {
  const { db, clock } = services
  const began = clock.now()
  const since = await db.reading(profile.merchantId, tx => synchronizedAt(tx, profile))
  // The first import brings everything.
  if (!since) return 0
  return apply(
    services,
    profile,
    { changed: await changedSince(services, profile, since, began), since, began },
    signal,
  )
}

/** Mirrors what changed; null is too much to be read one by one. */
async function apply(
  services: Services,
  profile: Profile,
  { changed, since, began }: { changed: Changed[] | null; since: Date; began: Date },
  signal: AbortSignal,
): Promise<number> {
  const { db, events, jobs } = services
  const { merchantId, profileId } = profile
  const count = changed
    ? await mirrorChanged(services, profile, changed, signal)
    : await importStructure(services, profile, { signal, onProgress: async () => undefined })
  // Also when nothing differed: the rows may have been saved by a run that died before it could say so.
  if (!changed || changed.length)
    await db.transaction(async tx => {
      const from = new Date(since.getTime() - OVERLAP_MS).toISOString()
      await jobs.announce(tx, structureSynchronized, { merchantId, profileId, since: from })
      if (count) await events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', { profileId })
    })
  await noteSynchronized(db, profile, began)
  await recountTargets(db, profile)
  return count
}

/** Reads some campaigns again, by the marketplace's ids, before something is decided by what they are there. */
export async function mirrorCampaigns(
  services: Services,
  profile: Profile,
  amazonIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const named = amazonIds.map(id => ({ type: 'CAMPAIGN', id, campaignId: id, isOnCampaign: true }))
  await mirrorChanged(services, profile, named, signal)
}

/** What changed since a moment, each once; null when it is too much to be read one by one. */
async function changedSince(
  { integrations }: Services,
  profile: Profile,
  since: Date,
  to: Date,
): Promise<Changed[] | null> {
  const from = new Date(since.getTime() - OVERLAP_MS)
  const changed = new Map<string, Changed>()
  let count = 0
  for await (const page of adsOf(integrations, profile).history.changes({ from, to })) {
    count += page.length
    if (count > MAX_EVENTS) return null
    for (const { entityType: type, entityId: id, campaignId, adGroupId } of page)
      changed.set(`${type} ${id}`, { type, id, campaignId, isOnCampaign: adGroupId === null })
  }
  return [...changed.values()]
}

async function mirrorChanged(
  services: Services,
  profile: Profile,
  changed: readonly Changed[],
  signal: AbortSignal,
): Promise<number> {
  if (!changed.length) return 0
  const account = adsOf(services.integrations, profile)
  const campaignIds = [...new Set(changed.flatMap(({ campaignId }) => campaignId ?? []))]
  const adTypeOf = await services.db.reading(profile.merchantId, tx => adTypesByCampaign(tx, profile, campaignIds))
  let count = 0
  for (const adType of adTypes) {
    // A campaign that is new here may be of any ad type.
    const own = changed.filter(({ campaignId }) => (adTypeOf.get(campaignId ?? '') ?? adType) === adType)
    const lists = openLists(account, adType)
    for (const [name, list] of Object.entries<PortList>(portLists[adType])) {
      const ofList = own.filter(one => isOf(name, one))
      if (!ofList.length) continue
      const pages = lists[name]?.pages(filterOf(adType, list, ofList))
      try {
        count += await mirrorPages(services, profile, adType, list, pages, { signal, recordsAdded: true })
      } catch (error) {
        // Not every account may use the other ad types.
        if (adType === 'SPONSORED_PRODUCTS' || !(error instanceof UpstreamForbidden)) throw error
      }
    }
  }
  return count
}

function isOf(list: string, { type, isOnCampaign }: Changed): boolean {
  const name = historyNames[list]
  return name?.type === type && (name.isOnCampaign ?? isOnCampaign) === isOnCampaign
}

function filterOf(adType: AdType, { entity }: PortList, changed: readonly Changed[]) {
  const isOlder = adType === 'SPONSORED_DISPLAY' || (adType === 'SPONSORED_BRANDS' && entity in clauses)
  return {
    states,
    extended: isExtended(entity),
    // The older lists find rows by their campaign only.
    ...(isOlder
      ? { campaignIds: [...new Set(changed.flatMap(({ campaignId }) => campaignId ?? []))] }
      : { ids: changed.map(({ id }) => id) }),
  }
}
const clauses: Record<string, true> = { target: true, negative: true }

/** Synchronizes one account. Accounts that are no longer connected or do not let us in stay as they are. */
export const synchronizeAccount = defineJob<Owner>({
  name: 'synchronize-structure',
  data: owner,
  policy: 'stately',
  concurrency: 3,
  // The next one is minutes away.
  retryLimit: 2,
  run: async (services, { merchantId, profileId }, { signal }) => {
    const profiles = await services.db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(one => one.profileId === profileId)
    if (!profile) return
    await unlessLockedOut(services, profile, () => synchronize(services, profile, signal))
  },
})

/**
 * Synchronizes accounts of several merchants: what is the same of all is read and noted in one statement each, so that a quiet
 * one costs little more than its call. One whose history cannot be read stays as it is until the next time.
 */
export const synchronizeAccounts = defineJob<{ accounts: Owner[]; before: string }>({
  name: 'synchronize-accounts',
  data: z.object({ accounts: z.array(owner), before: z.string() }),
  policy: 'stately',
  concurrency: 2,
  retryLimit: 0,
  run: async (services, { accounts, before }, { signal }) => {
    const { db, clock, log } = services
    const began = clock.now()
    const due = await dueSynchronizations(db.system, new Date(before), accounts)
    const merchantIds = [...new Set(due.map(one => one.merchantId))]
    if (!merchantIds.length) return
    const profiles = await db.reading(merchantIds, tx => profilesOf(tx, merchantIds))
    const quiet: Profile[] = []
    await forEachAtOnce(db, due, async ({ profileId, at }) => {
      signal.throwIfAborted()
      const profile = profiles.find(one => one.profileId === profileId)
      if (!profile) return
      await unlessLockedOut(services, profile, async () => {
        const changed = await changedSince(services, profile, at, began)
        if (changed?.length === 0) quiet.push(profile)
        else await apply(services, profile, { changed, since: at, began }, signal)
      }).catch((error: unknown) => {
        signal.throwIfAborted()
        log.warn({ err: error, merchantId: profile.merchantId, profileId }, 'an account was not synchronized')
      })
    })
    if (!quiet.length) return
    await noteAllSynchronized(db.system, quiet, began)
    for (const profile of await toRecount(db.system, quiet)) await recountTargets(db, profile)
  },
})

/** Runs something for an account; if that does not let us in, only logs it. */
async function unlessLockedOut({ log }: Services, profile: Profile, run: () => Promise<unknown>): Promise<void> {
  const { merchantId, profileId } = profile
  await run().catch((error: unknown) => {
    if (!isLockedOut(error)) throw error
    log.warn({ err: error, merchantId, profileId }, 'an account does not let us in; its structure stays as it is')
  })
}

const isLockedOut = (error: unknown): boolean =>
  error instanceof UpstreamUnauthorized ||
  error instanceof UpstreamForbidden ||
  (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')

/** A request that comes sooner than this gets what the last synchronization brought. */
const MIN_AGE_MS = 20_000

/**
 * Queues a synchronization of the current account unless it was synchronized just now. Who may look may ask: nothing of
 * the account changes. Answers up to when it is synchronized.
 */
export async function requestSynchronization(ctx: Ctx): Promise<EndpointOutput<typeof structureEndpoints.synchronize>> {
  const profile = await currentProfile(ctx)
  const { merchantId, profileId } = profile
  const at = await ctx.db.reading(merchantId, tx => synchronizedAt(tx, profile))
  const isDue = at !== null && ctx.clock.now().getTime() - at.getTime() >= MIN_AGE_MS
  if (isDue)
    await ctx.db.transaction(tx =>
      ctx.jobs.send(tx, synchronizeAccount, { merchantId, profileId }, { key: `${profileId}` }),
    )
  return { synchronizedAt: at?.toISOString() ?? null, isQueued: isDue }
}
