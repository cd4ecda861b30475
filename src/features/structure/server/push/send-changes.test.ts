import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { importStructure } from '#features/structure/server/public.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { addBrandCampaign } from '../../../../../tests/support/brand-campaign.ts'
import { addDisplayCampaign } from '../../../../../tests/support/display-campaign.ts'
import { connectSeller } from '../../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { updateAd, updateAdGroup, updateCampaign, updateTarget } from '../edit/edit-row.ts'
import { readChanges } from '../changes/list-changes.ts'
import { newGroup, recordChanges } from '../changes/record-changes.ts'
import { retryGroup } from '../changes/retry-group.ts'
import { readGroup } from '../changes/read-group.ts'
import { undoChanges } from '../changes/undo-changes.ts'
import { bulkEdit } from '../edit/bulk-edit.ts'
import { getCampaign, listPortfolios, pickCampaigns } from '../read-campaigns.ts'
import type { EntityName } from '../../contract.ts'
import { pushJobs, resendPendingJob, structureJobs } from './send-changes.ts'

let services: Services & { close(): Promise<void> }
let sandbox: Sandbox
let ctx: Ctx
let profile: Profile
let untouched: number[]
const isProducts = (state: string) => (one: { state: string; adType: string }) =>
  one.state === state && one.adType === 'SPONSORED_PRODUCTS'

beforeAll(async () => {
  const opened = await servicesWithOutside({ jobs: structureJobs })
  services = opened.services
  sandbox = opened.sandbox
  const seller = await connectSeller(services, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  ctx = seller.ctx
  profile = seller.profiles.find(own => own.countryCode === 'US') as Profile
  await importStructure(services, profile, { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined })
  untouched = (await pickCampaigns(ctx))
    .filter(one => one.state === 'ENABLED' && one.adType === 'SPONSORED_PRODUCTS')
    .map(one => one.id)
})
afterEach(() => sandbox.world.faults.clear())
afterAll(() => services.close())

const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const at = (version: number): Ctx => ({ ...ctx, ifMatch: version })
const push = (entity: EntityName, part: Partial<typeof run> = {}, adType = 'SPONSORED_PRODUCTS') => {
  const { merchantId, profileId } = profile
  return pushJobs[entity].run(services, { merchantId, profileId, adType }, { ...run, ...part })
}
const own = (id: number) => getCampaign(ctx, String(id))

/** The services when the clock shows more. */
const minutesLater = (minutes: number): Services => ({
  ...services,
  clock: { now: () => new Date(services.clock.now().getTime() + minutes * 60_000) },
})

/** A running campaign that no other test has touched. */
async function campaign() {
  const id = untouched.pop()
  if (id === undefined) throw new Error('the scenario has too few campaigns')
  return own(id)
}
function door() {
  return services.integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
}
async function atMarketplace(amazonId: string) {
  const all = await door().campaigns.all({ states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
  const found = all.find(one => one.campaignId === amazonId)
  if (!found) throw new Error('the marketplace has no such campaign')
  return found
}
function fail(kind: 'drop-after' | 'drop-before' | 'status' | 'partial', more: object = {}) {
  return sandbox.world.faults.add({
    match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' },
    kind,
    times: 100,
    ...more,
  })
}

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
  sandbox.world.faults.clear()
  expect(await updateCampaign(at(back.version), { campaignId: one.id, budget: 56 })).toMatchObject({ syncError: null })
})

test('an answer that got lost leads to sending the wished end again', async () => {
  const one = await campaign()
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 41 })
  fail('drop-after')
  await expect(push('campaign')).rejects.toThrow()
  expect(await own(one.id)).toMatchObject({ budget: 41, syncState: 'PENDING' })
  sandbox.world.faults.clear()
  await push('campaign', { attempt: 1 })
  expect(await own(one.id)).toMatchObject({ budget: 41, syncState: 'SYNCED' })
  expect((await atMarketplace(one.amazonId)).dailyBudgetMicros).toBe(41_000_000)
})

test('a change undone while its answer was lost is undone at the marketplace too', async () => {
  const one = await campaign()
  const paused = await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED' })
  fail('drop-after')
  await expect(push('campaign')).rejects.toThrow()
  sandbox.world.faults.clear()
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
  const { merchantId, profileId } = profile
  const key = { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }
  const last = { ...run, attempt: 8, lastAttempt: true }
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
    ...services.jobs,
    send: (async (_tx, job) => (sent.push(job.name), null)) as typeof services.jobs.send,
  }
  const { merchantId, profileId } = profile
  const key = { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }
  await pushJobs.campaign.run({ ...services, jobs }, key, { ...run, attempt: 8, lastAttempt: true })
  expect(sent).toEqual(['push-campaign'])
  expect(await own(one.id)).toMatchObject({ budget: 62, syncState: 'PENDING' })
  sandbox.world.faults.clear()
  await push('campaign')
  expect(await own(one.id)).toMatchObject({ budget: 62, syncState: 'SYNCED' })
})

test('a keyword’s bid and state reach the marketplace', async () => {
  const row = await services.db.system
    .selectFrom('target as t')
    .innerJoin('campaign as c', 'c.id', 't.campaign_id')
    .select(['t.id', 't.amazon_id', 't.version'])
    .where('t.profile_id', '=', profile.profileId)
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
  sandbox.world.faults.add({
    match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/delete' },
    kind: 'drop-after',
    times: 100,
  })
  await expect(push('campaign')).rejects.toThrow()
  sandbox.world.faults.clear()
  await push('campaign', { attempt: 1 })
  expect(await own(one.id)).toMatchObject({ state: 'ARCHIVED', syncState: 'SYNCED', syncError: null })
  expect((await atMarketplace(one.amazonId)).state).toBe('ARCHIVED')
})

/** A running ad group of a running campaign with its ad and a keyword. */
async function group() {
  const rows = await services.db.system
    .selectFrom('ad_group as g')
    .innerJoin('campaign as c', 'c.id', 'g.campaign_id')
    .innerJoin('product_ad as a', 'a.ad_group_id', 'g.id')
    .innerJoin('target as t', 't.ad_group_id', 'g.id')
    .select(['g.id', 'g.amazon_id as amazonId', 'g.version', 'a.id as adId', 'a.amazon_id as adAmazonId'])
    .select(['a.version as adVersion', 't.id as keywordId', 't.amazon_id as keywordAmazonId'])
    .select(['t.version as keywordVersion'])
    .where('g.profile_id', '=', profile.profileId)
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
  const { store: books } = sandbox.world
  expect(books.adGroups.get(one.amazonId)).toMatchObject({ name: 'Harbour renamed', defaultBidMicros: 710_000 })
  expect(books.productAds.get(one.adAmazonId)).toMatchObject({ state: 'PAUSED' })
  expect(books.keywords.get(one.keywordAmazonId)).toMatchObject({ state: 'ARCHIVED' })
  await updateAdGroup(at(renamed.version), one.id, { state: 'ARCHIVED' })
  await push('adGroup')
  expect(books.adGroups.get(one.amazonId)).toMatchObject({ state: 'ARCHIVED' })
  const waiting = await Promise.all(
    (['ad_group', 'product_ad', 'target'] as const).map(table =>
      services.db.system.selectFrom(table).select('id').where('sync_state', '<>', 'SYNCED').execute(),
    ),
  )
  expect(waiting.flat()).toEqual([])
})

test('what was left behind is sent again', async () => {
  const [any] = (await pickCampaigns(ctx)).filter(isProducts('PAUSED'))
  const one = await own(any?.id ?? 0)
  await updateCampaign(at(one.version), { campaignId: one.id, budget: 33 })
  const sent: unknown[] = []
  const jobs = {
    ...services.jobs,
    send: (async (_tx, job, data) => (sent.push([job.name, data]), null)) as typeof services.jobs.send,
  }
  await resendPendingJob.run({ ...minutesLater(20), jobs }, {}, run)
  const { merchantId, profileId } = profile
  expect(sent).toContainEqual(['push-campaign', { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }])
})

test('a rejection is a line of the ledger that undoes the change; what is tried again counts with its last try', async () => {
  const [one, two] = [await campaign(), await campaign()]
  const budgets = [one, two].map(({ id, version, budget }) => ({
    entity: 'campaign' as const,
    id,
    version,
    set: { budget: (budget ?? 0) + 3 },
  }))
  const { groupId } = await bulkEdit(ctx, budgets, undefined)
  const group = () => readGroup(ctx, groupId, { page: 0, size: 10 })
  expect(await group()).toMatchObject({ total: 2, pending: 2 })
  fail('partial', { items: [0], selector: 'budgetError', reason: 'BUDGET_TOO_LOW' })
  await push('campaign')
  const answered = await group()
  expect(answered).toMatchObject({ total: 2, pending: 0, accepted: 1, rejected: 1 })
  const [rejected] = answered.items
  expect(rejected).toMatchObject({ status: 'REJECTED', message: 'The budget is below the marketplace’s minimum.' })
  const id = rejected?.entityId ?? 0
  const { changes } = await services.db.reading(profile.merchantId, tx =>
    readChanges(tx, profile, [sql`c.entity_id = ${id} and c.field = 'budget'`], { page: 0, size: 10 }),
  )
  expect(changes[0]).toMatchObject({ origin: 'MARKETPLACE', undoes: rejected?.changeId, after: rejected?.before })
  await expect(
    undoChanges(ctx, { id: rejected?.changeId ?? 0 }, { force: false, skipNewer: false }),
  ).rejects.toMatchObject({
    message: 'The marketplace rejected this, so there is nothing to undo.',
  })
  sandbox.world.faults.clear()
  const again = {
    entity: 'campaign' as const,
    id,
    version: rejected?.version ?? 0,
    set: { budget: Number(rejected?.after) },
  }
  await bulkEdit(ctx, [again], groupId)
  await push('campaign')
  expect(await group()).toMatchObject({ total: 2, pending: 0, accepted: 2, rejected: 0 })
  const undone = await undoChanges(ctx, { groupId }, { force: false, skipNewer: false })
  // Its first, rejected try is no change that was left.
  expect(undone.outcomes.map(({ status }) => status)).toEqual(['UNDONE', 'UNDONE'])
  await push('campaign')
  for (const was of [one, two])
    expect((await atMarketplace(was.amazonId)).dailyBudgetMicros).toBe(Math.round((was.budget ?? 0) * 1e6))
})

test('campaigns of every ad type are moved to a portfolio and out of it again', async () => {
  await door().portfolios.create([{ name: 'Summer' }, { name: 'Autumn' }])
  const [, portfolio] = await listPortfolios(ctx)
  if (portfolio?.name !== 'Summer') throw new Error('portfolios are listed by name')
  const campaigns = await pickCampaigns(ctx)
  const chosen = [
    ['SPONSORED_PRODUCTS', door().campaigns],
    ['SPONSORED_BRANDS', door().brands.campaigns],
    ['SPONSORED_DISPLAY', door().display.campaigns],
  ] as const
  for (const [adType, collection] of chosen) {
    const one = await own(campaigns.find(c => c.adType === adType && c.state === 'ENABLED')?.id ?? 0)
    const atPlace = async () => {
      const found: { campaignId: string; portfolioId: string | null }[] = []
      for await (const page of collection.pages({ states: ['ENABLED'] })) found.push(...page)
      return found.find(({ campaignId }) => campaignId === one.amazonId)?.portfolioId
    }
    const move = async (version: number, portfolioId: string | null) => {
      await bulkEdit(ctx, [{ entity: 'campaign', id: one.id, version, set: { portfolioId } }], undefined)
      await push('campaign', {}, adType)
    }
    await move(one.version, portfolio.id)
    expect([adType, await atPlace()]).toEqual([adType, portfolio.id])
    const moved = await own(one.id)
    expect(moved).toMatchObject({ portfolioId: portfolio.id, syncState: 'SYNCED' })
    await move(moved.version, null)
    expect([adType, await atPlace()]).toEqual([adType, null])
  }
})

describe('campaigns of the other ad types', () => {
  test('of Sponsored Brands: state, budget and keywords reach their own lists, ten campaigns a call', async () => {
    const brand = await addBrandCampaign(sandbox.world, services, profile, 2)
    const { store } = sandbox.world
    const one = await own(brand.campaignId)
    await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED' })
    await push('campaign', {}, 'SPONSORED_BRANDS')
    expect(await own(one.id)).toMatchObject({ state: 'PAUSED', syncState: 'SYNCED', syncError: null })
    expect(store.brandCampaigns.get(one.amazonId)).toMatchObject({ state: 'PAUSED' })
    const keywords = await services.db.system
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
    const display = await addDisplayCampaign(sandbox.world, services, profile)
    const one = await own(display.campaignId)
    const { store } = sandbox.world
    await updateCampaign(at(one.version), { campaignId: one.id, state: 'PAUSED', budget: 33 })
    await push('campaign', {}, 'SPONSORED_DISPLAY')
    expect(await own(one.id)).toMatchObject({ state: 'PAUSED', budget: 33, syncState: 'SYNCED', syncError: null })
    expect(store.displayCampaigns.get(one.amazonId)).toMatchObject({ state: 'PAUSED', budgetMicros: 33_000_000 })
    const target = { id: display.targetId, bid: 1.25 }
    await updateTarget(at(1), 'target', target)
    await push('target', {}, 'SPONSORED_DISPLAY')
    expect(store.displayTargets.get('7300000000000021')).toMatchObject({ bidMicros: 1_250_000 })
    await updateTarget(at(2), 'target', { id: target.id, state: 'ARCHIVED' })
    sandbox.world.faults.add({ match: { vendor: 'ads', method: 'PUT', path: '/sd/targets' }, kind: 'drop-after' })
    await expect(push('target', {}, 'SPONSORED_DISPLAY')).rejects.toThrow()
    await push('target', {}, 'SPONSORED_DISPLAY')
    expect(store.displayTargets.get('7300000000000021')).toMatchObject({ state: 'ARCHIVED' })
    expect(await waitingTargets()).toEqual([])
  })
})

describe('what was created is archived by its undo', () => {
  const creation = (entity: EntityName, row: { id: number; campaignId: number }) =>
    ({ entity, entityId: row.id, campaignId: row.campaignId, field: null, before: null, after: null }) as const
  const record = async (lines: ReturnType<typeof creation>[]) => {
    const groupId = newGroup()
    const act = { origin: 'MARKETPLACE', accountId: null, groupId, at: services.clock.now() } as const
    await services.db.tenant(profile.merchantId, tx => recordChanges(tx, profile, act, lines))
    return groupId
  }
  const asks = { force: false, skipNewer: false }
  /** A running row of an ad type that waits for nothing, in a campaign and ad group that run. */
  const running = async (table: string, adType: string) => {
    const isInGroup = table === 'product_ad'
    const { rows } = await sql<{ id: number; campaignId: number; amazonId: string }>`
      select t.id, c.id as "campaignId", t.amazon_id as "amazonId" from ${sql.table(table)} t
      join campaign c on c.id = ${table === 'campaign' ? sql`t.id` : sql`t.campaign_id`}
      where t.profile_id = ${profile.profileId} and t.ad_type = ${adType} and t.state = 'ENABLED' and c.state = 'ENABLED'
        and t.sync_state = 'SYNCED' and t.gone_at is null
        ${isInGroup ? sql`and exists (select 1 from ad_group g where g.id = t.ad_group_id and g.state = 'ENABLED')` : sql``}
      order by t.id limit 1`.execute(services.db.system)
    if (!rows[0]) throw new Error(`no ${table} of ${adType} runs`)
    return rows[0]
  }
  const collectionsOf = {
    SPONSORED_PRODUCTS: { campaign: 'campaigns', adGroup: 'adGroups', ad: 'productAds' },
    SPONSORED_BRANDS: { campaign: 'brandCampaigns', adGroup: 'brandAdGroups', ad: 'brandAds' },
    SPONSORED_DISPLAY: { campaign: 'displayCampaigns', adGroup: 'displayAdGroups', ad: 'displayAds' },
  } as const

  test.each(Object.entries(collectionsOf))('%s', async (adType, collections) => {
    // What is inside first, so that its parents still run.
    for (const entity of ['ad', 'adGroup', 'campaign'] as const) {
      const table = { ad: 'product_ad', adGroup: 'ad_group', campaign: 'campaign' }[entity]
      const row = await running(table, adType)
      const groupId = await record([creation(entity, row)])
      const { outcomes } = await undoChanges(ctx, { groupId }, { ...asks, force: true })
      expect([entity, outcomes.map(({ status }) => status)]).toEqual([entity, ['UNDONE']])
      await push(entity, {}, adType)
      const { rows } =
        await sql`select state, sync_state, sync_error from ${sql.table(table)} where id = ${row.id}`.execute(
          services.db.system,
        )
      expect([entity, rows[0]]).toEqual([entity, { state: 'ARCHIVED', sync_state: 'SYNCED', sync_error: null }])
      expect(sandbox.world.store[collections[entity]].get(row.amazonId)).toMatchObject({ state: 'ARCHIVED' })
    }
  })

  test('what the marketplace refuses to archive counts as not undone, and is tried again with the undo', async () => {
    const [one, two] = [await campaign(), await campaign()]
    const child = await services.db.system
      .selectFrom('target')
      .select(['id', 'campaign_id as campaignId'])
      .where('campaign_id', '=', one.id)
      .executeTakeFirstOrThrow()
    const rows = [one, two].map(({ id }) => creation('campaign', { id, campaignId: id }))
    const groupId = await record([...rows, creation('target', child)])
    const { groupId: undoGroup } = await undoChanges(ctx, { groupId }, asks)
    const view = (id: string) => readGroup(ctx, id, { page: 0, size: 10 })
    expect(await view(groupId)).toMatchObject({ total: 3, undone: 3 })
    sandbox.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/delete' },
      kind: 'partial',
      items: [0],
      selector: 'malformedValueError',
      reason: 'MALFORMED_VALUE',
    })
    await push('campaign')
    sandbox.world.faults.clear()
    const states = async () =>
      Promise.all([one, two].map(async ({ amazonId }) => (await atMarketplace(amazonId)).state))
    const [first, second] = one.id < two.id ? [one, two] : [two, one]
    expect((await atMarketplace(first.amazonId)).state).toBe('ENABLED')
    expect((await atMarketplace(second.amazonId)).state).toBe('ARCHIVED')
    expect(await view(undoGroup)).toMatchObject({ total: 2, accepted: 1, rejected: 1 })
    const left = await view(groupId)
    expect(left).toMatchObject({ total: 3, accepted: 3, rejected: 0, undone: first === one ? 1 : 2 })
    expect(left.items.find(item => item.entityId === first.id)).toMatchObject({ isUndone: false })
    await expect(undoChanges(ctx, { groupId }, asks)).rejects.toMatchObject({
      message: expect.stringContaining('rejected the undo'),
    })
    await retryGroup(ctx, undoGroup)
    await push('campaign')
    expect(await states()).toEqual(['ARCHIVED', 'ARCHIVED'])
    expect(await view(groupId)).toMatchObject({ total: 3, undone: 3 })
  })
})

const waitingTargets = () =>
  services.db.system.selectFrom('target').select(['id', 'sync_error']).where('sync_state', '<>', 'SYNCED').execute()
