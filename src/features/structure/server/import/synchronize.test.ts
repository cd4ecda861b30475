import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openProductScene, type ProductScene } from '../../../../../tests/support/product-scene.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { pushJobs } from '../push/send-changes.ts'
import { inGroups } from '../sql/sync-state.ts'
import { synchronizeAccount, synchronizeAccounts } from './synchronize.ts'

let scene: ProductScene
beforeAll(async () => {
  scene = await openProductScene({ login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', country: 'US' })
  await scene.importStructure()
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const owner = () => ({ merchantId: scene.merchantId, profileId: scene.profile.profileId })

const inDays = (days: number) => addDays(dayIn(scene.services.clock.now(), scene.profile.timezone), days)

/** One synchronization, and what it sent to the marketplace. */
async function synchronize() {
  scene.world.journal.clear()
  await synchronizeAccount.run(scene.services, owner(), run)
  return scene.world.journal
    .list({ vendor: 'ads' })
    .map(({ method, path }) => `${method} ${path.replace('/ads/na', '')}`)
}
/** As if the last synchronization had been so long ago. */
const age = (seconds: number) =>
  sql`update structure_sync set synchronized_at = (select synchronized_at - make_interval(secs => ${seconds}))
    where merchant_id = ${scene.profile.merchantId}`.execute(scene.services.db.system)
const inConsole = async (entity: string, id: string, action: string, value?: string) => {
  const reply = await scene.sandbox.control('POST', 'console', { entity, id, action, value })
  expect(reply.status).toBeLessThan(300)
}
const firstRow = async (path: string) => (await scene.call('GET', path)).body.content[0]
/** A row of a list as it is now. */
async function rowOf(list: string, { id, adGroupId }: { id: number; adGroupId: number }) {
  const { content } = (await scene.call('GET', `${list}?adGroupId=${adGroupId}&size=200`)).body
  return content.find((row: { id: number }) => row.id === id)
}
const ledgerOf = async (entity: string, id: number) =>
  (await scene.call('GET', `/changes?entity=${entity}&entityId=${id}`)).body.content.map(
    (line: { field: string; before: unknown; after: unknown; origin: string }) => [
      line.origin,
      line.field,
      line.before,
      line.after,
    ],
  )

test('a quiet account costs one call, and asking again at once none', async () => {
  await age(60)
  expect((await scene.call('POST', '/campaigns/synchronize')).body).toMatchObject({ isQueued: true })
  expect(await synchronize()).toEqual(['POST /history'])
  expect((await scene.call('POST', '/campaigns/synchronize')).body).toMatchObject({ isQueued: false })
})

test('accounts that are synchronized together cost one call each, unless something changed', async () => {
  const { db, clock } = scene.services
  const before = new Date(clock.now().getTime() - 60_000).toISOString()
  const together = async () => {
    scene.world.journal.clear()
    // One that is not connected any more is left alone.
    const accounts = [owner(), { merchantId: scene.merchantId, profileId: 999_999 }]
    await synchronizeAccounts.run(scene.services, { accounts, before }, run)
    return scene.world.journal.list({ vendor: 'ads' }).length
  }
  const isDue = async () =>
    (await sql`select from structure_sync where synchronized_at < ${before}`.execute(db.system)).rows.length > 0
  await age(600)
  expect([await isDue(), await together(), await isDue()]).toEqual([true, 1, false])
  // Another process was faster.
  expect(await together()).toBe(0)
  await sql`insert into target_count_stale (merchant_id, profile_id, campaign_id)
    select merchant_id, profile_id, id from campaign limit 1`.execute(db.system)
  await age(600)
  expect(await together()).toBe(1)
  expect((await sql`select from target_count_stale`.execute(db.system)).rows).toEqual([])

  // The other tests change the first one.
  const { content } = (await scene.call('GET', '/keywords/cm?state=ENABLED&type=SPONSORED_PRODUCTS')).body
  const keyword = content.at(-1)
  await inConsole('keyword', keyword.amazonId, 'bid', '1.11')
  await age(600)
  expect(await together()).toBe(2)
  expect(await rowOf('/keywords/cm', keyword)).toMatchObject({ bid: 1.11, syncState: 'SYNCED' })
  expect(await isDue()).toBe(false)
})

test('groups of accounts have the same keys however many of them are due', () => {
  const accounts = Array.from({ length: 200 }, (_, n) => ({ merchantId: 1, profileId: n + 1, at: new Date() }))
  const groups = inGroups(accounts)
  expect(Math.max(...groups.map(one => one.accounts.length))).toBe(64)
  expect(groups.flatMap(one => one.accounts)).toEqual(accounts.map(({ at: _at, ...owner }) => owner))
  const keyOf = (id: number) => groups.find(one => one.accounts.some(({ profileId }) => profileId === id))?.key
  expect(inGroups(accounts.slice(150, 151))).toEqual([
    { key: keyOf(151), accounts: [{ merchantId: 1, profileId: 151 }] },
  ])
})

test('what was changed in the marketplace’s console is in the lists and in the ledger after one synchronization', async () => {
  const keyword = await firstRow('/keywords/cm?state=ENABLED&type=SPONSORED_PRODUCTS')
  const campaign = await firstRow('/campaign/cm?state=ENABLED&adType=SPONSORED_PRODUCTS')
  const brand = await firstRow('/keywords/cm?state=ENABLED&type=SPONSORED_BRANDS')
  const display = await firstRow('/campaign/cm?adType=SPONSORED_DISPLAY')
  const heard: unknown[] = []
  const stop = scene.services.events.subscribe(scene.accountId, event => heard.push(event))
  await inConsole('keyword', keyword.amazonId, 'bid', '1.23')
  await inConsole('campaign', campaign.amazonId, 'pause')
  await inConsole('brandKeyword', brand.amazonId, 'bid', '2.34')
  await inConsole('displayCampaign', display.amazonId, 'budget', '77')

  const answer = await scene.call('POST', '/campaigns/synchronize')
  expect(answer.status).toBe(200)
  const calls = await synchronize()
  expect(await rowOf('/keywords/cm', keyword)).toMatchObject({ bid: 1.23, syncState: 'SYNCED' })
  expect(await firstRow(`/campaign/cm?campaignId=${campaign.id}`)).toMatchObject({ state: 'PAUSED' })
  expect(await rowOf('/keywords/cm', brand)).toMatchObject({ bid: 2.34 })
  expect(await firstRow(`/campaign/cm?campaignId=${display.id}`)).toMatchObject({ budget: 77 })
  expect(await ledgerOf('target', keyword.id)).toEqual([['MARKETPLACE', 'bid', keyword.bid, 1.23]])
  expect(await ledgerOf('campaign', campaign.id)).toEqual([['MARKETPLACE', 'state', 'ENABLED', 'PAUSED']])
  expect(await ledgerOf('campaign', display.id)).toEqual([['MARKETPLACE', 'budget', display.budget, 77]])
  // Only what changed was read: the history, and one page of each list, the older ones with an empty page after it.
  expect(calls).toHaveLength(7)
  await expect.poll(() => heard).toContainEqual({ type: 'campaigns', data: { profileId: scene.profile.profileId } })
  stop()
})

test('what another tool creates is mirrored with its place in the ledger, and what it archives is archived', async () => {
  const { connectionId, region, amazonProfileId: profileId } = scene.profile
  const ads = scene.services.integrations.amazonAds.forProfile({ connectionId, region, profileId })
  const made = async (outcomes: Promise<{ ok: boolean; id?: string }[]>) => (await outcomes)[0]?.id ?? ''
  const bidding = { strategy: 'MANUAL' as const, placements: [], audiences: [] }
  const state = 'ENABLED' as const
  const campaign = {
    name: 'Of another tool',
    state,
    targetingType: 'MANUAL' as const,
    dailyBudgetMicros: 9_000_000,
    bidding,
    startDate: inDays(30),
  }
  const campaignId = await made(ads.campaigns.create([campaign]))
  const adGroupId = await made(
    ads.adGroups.create([{ campaignId, name: 'Its group', state, defaultBidMicros: 500_000 }]),
  )
  const keyword = {
    campaignId,
    adGroupId,
    text: 'another tool',
    matchType: 'EXACT' as const,
    state,
    bidMicros: 700_000,
  }
  const keywordId = await made(ads.keywords.create([keyword]))
  await synchronize()
  const added = await firstRow('/keywords/cm?keywordText=another tool')
  expect(added).toMatchObject({ amazonId: keywordId, bid: 0.7, campaignName: 'Of another tool' })
  expect(await ledgerOf('target', added.id)).toEqual([['MARKETPLACE', null, null, null]])

  // It has not started yet, so its first day can be changed.
  const row = await firstRow(`/campaign/cm?campaignId=${added.campaignId}`)
  expect(row.startDate).toBe(inDays(30))
  const body = { campaignId: row.id, startDate: inDays(40) }
  expect((await scene.call('POST', '/campaign/update', body, row.version)).status).toBe(200)
  await pushJobs.campaign.run(scene.services, { ...owner(), adType: 'SPONSORED_PRODUCTS' }, run)
  expect(scene.world.store.campaigns.get(campaignId)).toMatchObject({ startDate: inDays(40) })

  await inConsole('keyword', keywordId, 'archive')
  await synchronize()
  expect(await rowOf('/keywords/cm', added)).toMatchObject({ state: 'ARCHIVED' })
  expect((await ledgerOf('target', added.id))[0]).toEqual(['MARKETPLACE', 'state', 'ENABLED', 'ARCHIVED'])
})

test('an edit on its way is not overwritten by what the console holds', async () => {
  const campaign = await firstRow('/campaign/cm?state=ENABLED&adType=SPONSORED_PRODUCTS')
  await inConsole('campaign', campaign.amazonId, 'budget', '31')
  const body = { campaignId: campaign.id, budget: 45 }
  expect((await scene.call('POST', '/campaign/update', body, campaign.version)).status).toBe(200)
  await synchronize()
  expect(await firstRow(`/campaign/cm?campaignId=${campaign.id}`)).toMatchObject({ budget: 45, syncState: 'PENDING' })
})
