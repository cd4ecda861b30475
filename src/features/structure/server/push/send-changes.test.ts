import { describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { addBrandCampaign } from '../../../../../tests/support/brand-campaign.ts'
import { changesScene, firstTry } from '../../../../../tests/support/changes-scene.ts'
import { addDisplayCampaign } from '../../../../../tests/support/display-campaign.ts'
import { updateAd, updateAdGroup, updateCampaign, updateTarget } from '../edit/edit-row.ts'
import { pickCampaigns } from '../read-campaigns.ts'
import { pushJobs, resendPendingJob } from './send-changes.ts'

const { scene, own, door, at, push, campaign, atMarketplace, fail } = changesScene()

/** The services when the clock shows more. */
const minutesLater = (minutes: number): Services => ({
  ...scene.services,
  clock: { now: () => new Date(scene.services.clock.now().getTime() + minutes * 60_000) },
})

test('a change reaches the marketplace, and leaves what it does not name as it was', async () => {
  const one = await campaign()
  const before = await atMarketplace(one.amazonId)
  await updateCampaign(at(one.version), {
    campaignId: one.id,
    state: 'PAUSED',
    budget: 77.5,
    biddingStrategy: 'MANUAL',
  })
  await push('campaign')
  expect(await own(one.id)).toMatchObject({ state: 'PAUSED', budget: 77.5, syncState: 'SYNCED', syncError: null })
  const after = await atMarketplace(one.amazonId)
  expect(after).toMatchObject({ state: 'PAUSED', dailyBudgetMicros: 77_500_000, name: before.name })
  expect(after.bidding).toEqual({ ...before.bidding, strategy: 'MANUAL' })
})

test('a change that the marketplace rejects is reverted and says why, under a new version', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 55 })
  fail('partial', { items: [0], selector: 'budgetError', reason: 'BUDGET_TOO_LOW' })
  await push('campaign')
  const back = await own(one.id)
  expect(back).toMatchObject({ budget: one.budget, syncState: 'FAILED', version: one.version + 2 })
  expect(back.syncError).toBe('The budget is below the marketplace’s minimum.')
  scene.sandbox.world.faults.clear()
  expect(await updateCampaign(at(back.version), { campaignId: one.id, budget: 56 })).toMatchObject({ syncError: null })
})

test('an answer that got lost leads to sending the wished end again', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 41 })
  fail('drop-after')
  await expect(push('campaign')).rejects.toThrow()
  expect(await own(one.id)).toMatchObject({ budget: 41, syncState: 'PENDING' })
  scene.sandbox.world.faults.clear()
  await push('campaign', { attempt: 1 })
  expect(await own(one.id)).toMatchObject({ budget: 41, syncState: 'SYNCED' })
  expect((await atMarketplace(one.amazonId)).dailyBudgetMicros).toBe(41_000_000)
})

test('a change undone while its answer was lost is undone at the marketplace too', async () => {
  const one = await campaign()
  const paused = await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED' })
  fail('drop-after')
  await expect(push('campaign')).rejects.toThrow()
  scene.sandbox.world.faults.clear()
  expect((await atMarketplace(one.amazonId)).state).toBe('PAUSED')
  await updateCampaign(at(paused.version), { campaignId: one.id, state: 'ENABLED' })
  await push('campaign', { attempt: 1 })
  expect((await atMarketplace(one.amazonId)).state).toBe('ENABLED')
  expect(await own(one.id)).toMatchObject({ state: 'ENABLED', syncState: 'SYNCED' })
})

test('a change undone before it was sent is never sent', async () => {
  const one = await campaign()
  const paused = await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED' })
  await updateCampaign(at(paused.version), { campaignId: one.id, state: 'ENABLED' })
  fail('status')
  await push('campaign')
  expect(await own(one.id)).toMatchObject({ state: 'ENABLED', syncState: 'SYNCED' })
})

test('the last try without an answer gives up, takes the row back and says so', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, name: `${one.name} renamed` })
  fail('drop-before')
  await expect(push('campaign')).rejects.toThrow()
  expect(await own(one.id)).toMatchObject({ syncState: 'PENDING' })
  const { merchantId, profileId } = scene.profile
  const key = { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }
  const last = { ...firstTry, attempt: 8, lastAttempt: true }
  await expect(pushJobs.campaign.run(minutesLater(4), key, last)).rejects.toThrow()
  const back = await own(one.id)
  expect(back).toMatchObject({ name: one.name, syncState: 'FAILED' })
  expect(back.syncError).toMatch(/^The marketplace did not answer/)
})

test('the last try leaves what was edited a moment ago to a job of its own', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 62 })
  fail('drop-before')
  const sent: string[] = []
  const jobs = {
    ...scene.services.jobs,
    send: (async (_tx, job) => (sent.push(job.name), null)) as typeof scene.services.jobs.send,
  }
  const { merchantId, profileId } = scene.profile
  const key = { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }
  await pushJobs.campaign.run({ ...scene.services, jobs }, key, { ...firstTry, attempt: 8, lastAttempt: true })
  expect(sent).toEqual(['push-campaign'])
  expect(await own(one.id)).toMatchObject({ budget: 62, syncState: 'PENDING' })
  scene.sandbox.world.faults.clear()
  await push('campaign')
  expect(await own(one.id)).toMatchObject({ budget: 62, syncState: 'SYNCED' })
})

test('a keyword’s bid and state reach the marketplace', async () => {
  const row = await scene.services.db.system
    .selectFrom('target as t')
    .innerJoin('campaign as c', on =>
      on.onRef('c.merchant_id', '=', 't.merchant_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .select(['t.id', 't.amazon_id', 't.version'])
    .where('t.profile_id', '=', scene.profile.profileId)
    .where('t.ad_type', '=', 'SPONSORED_PRODUCTS')
    .where('t.kind', '=', 'KEYWORD')
    .where('t.state', '=', 'ENABLED')
    .where('c.state', '=', 'ENABLED')
    .executeTakeFirstOrThrow()
  await updateTarget(at(row.version), 'keyword', { id: row.id, bid: 0.63, state: 'PAUSED' })
  await push('target')
  const all = await door().keywords.all({ states: ['ENABLED', 'PAUSED'] })
  expect(all.find(k => k.keywordId === row.amazon_id)).toMatchObject({ bidMicros: 630_000, state: 'PAUSED' })
})

test('placements and the last day reach the marketplace, which keeps the strategy and the audiences', async () => {
  const one = await campaign()
  const before = await atMarketplace(one.amazonId)
  const placements = [{ placement: 'TOP_OF_SEARCH' as const, percentage: 45 }]
  const changed = await updateCampaign(at(one.version), { campaignId: one.id, placements, endDate: '2199-12-31' })
  await push('campaign')
  const after = await atMarketplace(one.amazonId)
  expect(after).toMatchObject({ endDate: '2199-12-31', bidding: { ...before.bidding, placements } })
  await updateCampaign(at(changed.version), { campaignId: one.id, endDate: null })
  await push('campaign')
  expect((await atMarketplace(one.amazonId)).endDate).toBeNull()
})

test('an archived campaign is archived at the marketplace, a lost answer notwithstanding', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, state: 'ARCHIVED', budget: 66 })
  scene.sandbox.world.faults.add({
    match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/delete' },
    kind: 'drop-after',
    times: 100,
  })
  await expect(push('campaign')).rejects.toThrow()
  scene.sandbox.world.faults.clear()
  await push('campaign', { attempt: 1 })
  expect(await own(one.id)).toMatchObject({ state: 'ARCHIVED', syncState: 'SYNCED', syncError: null })
  expect((await atMarketplace(one.amazonId)).state).toBe('ARCHIVED')
})

/** A running ad group of a running campaign with its ad and a keyword. */
async function group() {
  const rows = await scene.services.db.system
    .selectFrom('ad_group as g')
    .innerJoin('campaign as c', on =>
      on.onRef('c.merchant_id', '=', 'g.merchant_id').onRef('c.id', '=', 'g.campaign_id'),
    )
    .innerJoin('product_ad as a', on =>
      on.onRef('a.merchant_id', '=', 'g.merchant_id').onRef('a.ad_group_id', '=', 'g.id'),
    )
    .innerJoin('target as t', on => on.onRef('t.merchant_id', '=', 'g.merchant_id').onRef('t.ad_group_id', '=', 'g.id'))
    .select(['g.id', 'g.amazon_id as amazonId', 'g.version', 'a.id as adId', 'a.amazon_id as adAmazonId'])
    .select(['a.version as adVersion', 't.id as keywordId', 't.amazon_id as keywordAmazonId'])
    .select(['t.version as keywordVersion'])
    .where('g.profile_id', '=', scene.profile.profileId)
    .where('g.ad_type', '=', 'SPONSORED_PRODUCTS')
    .where('t.kind', '=', 'KEYWORD')
    .where('c.state', '=', 'ENABLED')
    .where(eb => eb.and([eb('g.state', '=', 'ENABLED'), eb('a.state', '=', 'ENABLED'), eb('t.state', '=', 'ENABLED')]))
    .orderBy('t.id', 'desc')
    .executeTakeFirstOrThrow()
  return rows
}

test('an ad group’s name and bid, and an ad’s state, reach the marketplace; archiving a group and a keyword too', async () => {
  const one = await group()
  const renamed = await updateAdGroup(at(one.version), one.id, { name: 'Harbour renamed', defaultBid: 0.71 })
  await push('adGroup')
  await updateAd(at(one.adVersion), one.adId, 'PAUSED')
  await push('ad')
  await updateTarget(at(one.keywordVersion), 'keyword', { id: one.keywordId, state: 'ARCHIVED' })
  await push('target')
  const { store: books } = scene.sandbox.world
  expect(books.adGroups.get(one.amazonId)).toMatchObject({ name: 'Harbour renamed', defaultBidMicros: 710_000 })
  expect(books.productAds.get(one.adAmazonId)).toMatchObject({ state: 'PAUSED' })
  expect(books.keywords.get(one.keywordAmazonId)).toMatchObject({ state: 'ARCHIVED' })
  await updateAdGroup(at(renamed.version), one.id, { state: 'ARCHIVED' })
  await push('adGroup')
  expect(books.adGroups.get(one.amazonId)).toMatchObject({ state: 'ARCHIVED' })
  const waiting = await Promise.all(
    (['ad_group', 'product_ad', 'target'] as const).map(table =>
      scene.services.db.system.selectFrom(table).select('id').where('sync_state', '<>', 'SYNCED').execute(),
    ),
  )
  expect(waiting.flat()).toEqual([])
})

test('what was left behind is sent again', async () => {
  const [any] = (await pickCampaigns(scene.ctx)).filter(
    one => one.state === 'PAUSED' && one.adType === 'SPONSORED_PRODUCTS',
  )
  const one = await own(any?.id ?? 0)
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 33 })
  const sent: unknown[] = []
  const jobs = {
    ...scene.services.jobs,
    send: (async (_tx, job, data) => (sent.push([job.name, data]), null)) as typeof scene.services.jobs.send,
  }
  await resendPendingJob.run({ ...minutesLater(20), jobs }, {}, firstTry)
  const { merchantId, profileId } = scene.profile
  expect(sent).toContainEqual(['push-campaign', { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }])
})

describe('campaigns of the other ad types', () => {
  test('of Sponsored Brands: state, budget and keywords reach their own lists, ten campaigns a call', async () => {
    const brand = await addBrandCampaign(scene.sandbox.world, scene.services, scene.profile, 2)
    const { store } = scene.sandbox.world
    const one = await own(brand.campaignId)
    await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED' })
    await push('campaign', {}, 'SPONSORED_BRANDS')
    expect(await own(one.id)).toMatchObject({ state: 'PAUSED', syncState: 'SYNCED', syncError: null })
    expect(store.brandCampaigns.get(one.amazonId)).toMatchObject({ state: 'PAUSED' })
    const keywords = await scene.services.db.system
      .selectFrom('target')
      .select(['id', 'version', 'amazon_id as amazonId'])
      .where('campaign_id', '=', brand.campaignId)
      .orderBy('id')
      .execute()
    const [first, second] = keywords as [(typeof keywords)[number], (typeof keywords)[number]]
    await updateTarget(at(first.version), 'keyword', { id: first.id, bid: 2.5 })
    await updateTarget(at(second.version), 'keyword', { id: second.id, state: 'ARCHIVED' })
    await push('target', {}, 'SPONSORED_BRANDS')
    expect(store.brandKeywords.get(first.amazonId)).toMatchObject({ bidMicros: 2_500_000, state: 'ENABLED' })
    expect(store.brandKeywords.get(second.amazonId)).toMatchObject({ state: 'ARCHIVED' })
    expect(await waitingTargets()).toEqual([])
  })

  test('of Sponsored Display: state, budget, bids and archiving, also when an answer was lost', async () => {
    const display = await addDisplayCampaign(scene.sandbox.world, scene.services, scene.profile)
    const one = await own(display.campaignId)
    const { store } = scene.sandbox.world
    await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED', budget: 33 })
    await push('campaign', {}, 'SPONSORED_DISPLAY')
    expect(await own(one.id)).toMatchObject({ state: 'PAUSED', budget: 33, syncState: 'SYNCED', syncError: null })
    expect(store.displayCampaigns.get(one.amazonId)).toMatchObject({ state: 'PAUSED', budgetMicros: 33_000_000 })
    const target = { id: display.targetId, bid: 1.25 }
    await updateTarget(at(1), 'target', target)
    await push('target', {}, 'SPONSORED_DISPLAY')
    expect(store.displayTargets.get('7300000000000021')).toMatchObject({ bidMicros: 1_250_000 })
    await updateTarget(at(2), 'target', { id: target.id, state: 'ARCHIVED' })
    scene.sandbox.world.faults.add({ match: { vendor: 'ads', method: 'PUT', path: '/sd/targets' }, kind: 'drop-after' })
    await expect(push('target', {}, 'SPONSORED_DISPLAY')).rejects.toThrow()
    await push('target', {}, 'SPONSORED_DISPLAY')
    expect(store.displayTargets.get('7300000000000021')).toMatchObject({ state: 'ARCHIVED' })
    expect(await waitingTargets()).toEqual([])
  })
})

const waitingTargets = () =>
  scene.services.db.system
    .selectFrom('target')
    .select(['id', 'sync_error'])
    .where('sync_state', '<>', 'SYNCED')
    .execute()
