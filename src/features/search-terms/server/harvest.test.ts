import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EntityName } from '#features/structure/contract.ts'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import { addBrandCampaign } from '../../../../tests/support/brand-campaign.ts'
import { addTestAccount, addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import { openProductScene, type ProductScene } from '../../../../tests/support/product-scene.ts'

let scene: ProductScene
/** An automatic ad group, where terms come in, one with keywords, and one that targets products. */
let auto: number
let manual: number
let products: number

async function adGroupWith(kind: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select g.id from ad_group g
    join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
    where g.merchant_id = ${scene.profile.merchantId} and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED' and g.state = 'ENABLED'
      and exists (select 1 from target t where t.merchant_id = ${scene.profile.merchantId} and t.ad_group_id = g.id and t.kind = ${kind} and t.state = 'ENABLED')
    order by g.id limit 1`.execute(scene.services.db.system)
  return rows[0]?.id ?? 0
}

beforeAll(async () => {
  scene = await openProductScene({ login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', country: 'US' })
  await scene.importStructure()
  auto = await adGroupWith('AUTO')
  manual = await adGroupWith('KEYWORD')
  products = await addProductGroup()
})

/** An ad group in the campaign of the manual one, which targets a product. */
async function addProductGroup(): Promise<number> {
  const { rows } = await sql<{ amazonId: string }>`select c.amazon_id as "amazonId" from ad_group g
    join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id where g.merchant_id = ${scene.profile.merchantId} and g.id = ${manual}`.execute(
    scene.services.db.system,
  )
  const { connectionId, region, amazonProfileId: profileId } = scene.profile
  const ads = scene.services.integrations.amazonAds.forProfile({ connectionId, region, profileId })
  const campaignId = rows[0]?.amazonId ?? ''
  const adGroup = { campaignId, name: 'Products', state: 'ENABLED' as const, defaultBidMicros: 500_000 }
  const [made] = await ads.adGroups.create([adGroup])
  const adGroupId = made?.ok ? made.id : ''
  const expression = [{ type: 'ASIN_SAME_AS', value: 'B0AAAAAA10' }]
  await ads.targets.create([{ campaignId, adGroupId, expression, state: 'ENABLED' }])
  await scene.importStructure()
  return adGroupWith('PRODUCT')
}
afterEach(() => scene.calm())
afterAll(() => scene.close())

const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
function push(entity: EntityName, adType = 'SPONSORED_PRODUCTS') {
  const { merchantId, profileId } = scene.profile
  return pushJobs[entity].run(scene.services, { merchantId, profileId, adType }, run)
}
const item = (term: string, more: object = {}) => ({
  term,
  sourceAdGroupId: auto,
  adGroupId: manual,
  matchType: 'EXACT' as const,
  bid: 0.8,
  negateInSource: true,
  ...more,
})
const harvest = async (...items: object[]) => (await scene.call('POST', '/search-terms/harvest', { items })).body
async function row(table: 'target' | 'negative', id: number) {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} where id = ${id}`.execute(
    scene.services.db.system,
  )
  return rows[0]
}
async function waiting() {
  const { rows } = await sql`select from jobs.job where name = 'push-negative' and state = 'created'`.execute(
    scene.services.db.system,
  )
  return rows.length
}

test('a harvested term gets its keyword first, and its negative once that was accepted', async () => {
  const { groupId, outcomes } = await harvest(item('blue harbor mat'))
  expect(outcomes).toMatchObject([{ status: 'CREATED', message: null }])
  const [{ id, negativeId }] = outcomes
  const { rows } = await sql`select text_lower from keyword_text where text_lower = 'blue harbor mat'`.execute(
    scene.services.db.system,
  )
  expect(rows).toHaveLength(1)
  await push('negative')
  const pending = { sync_state: 'PENDING', ad_group_id: auto, text: 'blue harbor mat' }
  expect(await row('negative', negativeId)).toMatchObject(pending)
  await sql`delete from jobs.job where name = 'push-negative'`.execute(scene.services.db.system)
  await push('target')
  expect(await row('target', id)).toMatchObject({ sync_state: 'SYNCED', bid_micros: 800_000, match_type: 'EXACT' })
  // The accepted keyword calls for its negative.
  expect(await waiting()).toBe(1)
  await push('negative')
  expect(await row('negative', negativeId)).toMatchObject({ sync_state: 'SYNCED', match_type: 'NEGATIVE_EXACT' })
  const { body } = await scene.call('GET', `/changes?groupId=${groupId}`)
  expect(body.content.map((one: { entity: string }) => one.entity).toSorted()).toEqual(['negative', 'target'])
  const again = await harvest(item('Blue Harbor  Mat'))
  expect(again.outcomes).toMatchObject([{ status: 'EXISTS', id, negativeId }])
})

test('a keyword that the marketplace rejects keeps its term in the source', async () => {
  const { groupId, outcomes } = await harvest(item('rejected harbor mat'))
  const [{ id, negativeId }] = outcomes
  const created = { vendor: 'ads', method: 'POST', path: '/sp/keywords' }
  scene.order({ match: created, kind: 'partial', items: [0], selector: 'biddingError', reason: 'BID_GT_BUDGET' })
  await push('target')
  expect(await row('target', id)).toMatchObject({ sync_state: 'FAILED' })
  scene.world.journal.clear()
  await push('negative')
  expect(await row('negative', negativeId)).toMatchObject({
    sync_state: 'FAILED',
    sync_error: expect.stringMatching(/keyword/),
  })
  expect((await scene.call('POST', `/negatives/${negativeId}/retry`)).status).toBe(200)
  await push('negative')
  expect(await row('negative', negativeId)).toMatchObject({ sync_state: 'FAILED' })
  expect(scene.world.journal.list({ vendor: 'ads', path: '/sp/negative' })).toEqual([])
  // Sent again, the keyword is accepted, and then its negative can be.
  const retry = () => scene.call('POST', `/changes/groups/${groupId}/retry`)
  expect(await retry()).toMatchObject({ status: 200, body: { groupId, retried: 2, failed: 0 } })
  await push('target')
  expect(await row('target', id)).toMatchObject({ sync_state: 'SYNCED' })
  await push('negative')
  expect(await row('negative', negativeId)).toMatchObject({ sync_state: 'SYNCED' })
  expect((await retry()).status).toBe(422)
  const [rejected] = (await harvest(item('rejected twice'))).outcomes
  scene.order({ match: created, kind: 'partial', items: [0], selector: 'biddingError', reason: 'BID_GT_BUDGET' })
  await push('target')
  await push('negative')
  // Archived, it is gone: the marketplace never had it.
  const { version } = (await row('target', rejected.id)) as { version: number }
  expect((await scene.call('PUT', `/keywords/${rejected.id}?state=ARCHIVED`, undefined, version)).status).toBe(200)
  await push('target')
  expect(await row('target', rejected.id)).toBeUndefined()
  // Harvested again, both are sent.
  const [second] = (await harvest(item('rejected twice'))).outcomes
  expect(second.status).toBe('CREATED')
  await push('target')
  await push('negative')
  expect(await row('negative', second.negativeId)).toMatchObject({ sync_state: 'SYNCED' })
})

const undo = (path: string, how: object = {}) => scene.call('POST', `/changes/${path}/undo`, how)

test('a whole harvest is undone by one call: its keyword and its negative are archived at the marketplace', async () => {
  const { groupId, outcomes } = await harvest(item('undone harbor mat'), item('second harbor mat'))
  const [first, second] = outcomes
  await push('target')
  await push('negative')
  const undone = await undo(`groups/${groupId}`)
  expect(undone.status).toBe(200)
  expect(undone.body.outcomes.map((one: { status: string }) => one.status)).toEqual(
    Array.from({ length: 4 }, () => 'UNDONE'),
  )
  await push('negative')
  await push('target')
  for (const [table, id] of [
    ['target', first.id],
    ['negative', first.negativeId],
    ['target', second.id],
  ] as const)
    expect(await row(table, id)).toMatchObject({ state: 'ARCHIVED', sync_state: 'SYNCED' })
  const { keywords, negativeKeywords } = scene.world.store
  for (const list of [keywords, negativeKeywords])
    expect([...list.values()].filter(one => one.keywordText === 'undone harbor mat')).toMatchObject([
      { state: 'ARCHIVED' },
    ])
  const group = (await scene.call('GET', `/changes/groups/${groupId}`)).body
  expect(group).toMatchObject({ total: 4, undone: 4, rejected: 0 })
  const ledger = (await scene.call('GET', `/changes?groupId=${undone.body.groupId}`)).body.content
  expect(ledger).toHaveLength(4)
  expect(ledger[0]).toMatchObject({ field: 'state', before: 'ENABLED', after: 'ARCHIVED', undoes: expect.any(Number) })
  // What is archived stays so: neither the undo nor the harvest can be undone again.
  expect((await undo(`groups/${undone.body.groupId}`)).body.message).toMatch(/permanent/)
  expect((await undo(`groups/${groupId}`)).body.message).toBe('This was undone already.')
  // The term can be harvested again.
  expect((await harvest(item('undone harbor mat'))).outcomes).toMatchObject([{ status: 'CREATED' }])
})

test('what was created and never reached the marketplace is gone after its undo', async () => {
  const { groupId, outcomes } = await harvest(item('gone harbor mat'))
  scene.world.journal.clear()
  expect((await undo(`groups/${groupId}`)).status).toBe(200)
  await push('target')
  await push('negative')
  expect(await row('target', outcomes[0].id)).toBeUndefined()
  expect(await row('negative', outcomes[0].negativeId)).toBeUndefined()
  const sent = scene.world.journal.list({ vendor: 'ads' })
  expect(sent.filter(({ body }) => String(body).includes('gone harbor mat'))).toEqual([])
  const { content } = (await scene.call('GET', `/changes?groupId=${groupId}`)).body
  expect(content.map((one: { name: string }) => one.name)).toEqual(['gone harbor mat', 'gone harbor mat'])
})

test('a bid that was changed since stands in the way of undoing a creation, and says by whom', async () => {
  const { groupId, outcomes } = await harvest(item('newer harbor mat', { negateInSource: false }))
  const [{ id }] = outcomes
  await push('target')
  const { version } = (await row('target', id)) as { version: number }
  expect((await scene.call('PUT', `/keywords/${id}?bid=0.95`, undefined, version)).status).toBe(200)
  const refused = await undo(`groups/${groupId}`)
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({
    blocked: 1,
    of: 1,
    newer: [{ name: 'newer harbor mat', field: 'bid', before: 0.8, after: 0.95, by: expect.stringMatching(/./) }],
  })
  expect(refused.body.message).toMatch(/^“newer harbor mat” was changed/)
  expect(await row('target', id)).toMatchObject({ state: 'ENABLED' })
  expect((await undo(`groups/${groupId}`, { skipNewer: true })).body.outcomes).toMatchObject([{ status: 'NEWER' }])
  expect((await undo(`groups/${groupId}`, { force: true })).body.outcomes).toMatchObject([{ status: 'UNDONE' }])
  expect(await row('target', id)).toMatchObject({ state: 'ARCHIVED', sync_state: 'PENDING' })
})

test('what cannot be has its own sentence, and leaves the others alone', async () => {
  const asin = 'b0aaaaaa11'
  const brand = await addBrandCampaign(scene.world, scene.services, scene.profile, 1)
  const { outcomes } = await harvest(
    item('to an automatic one', { adGroupId: auto }),
    item('to products', { adGroupId: products }),
    item(asin),
    item('50% off'),
    item('dear', { bid: 2000 }),
    item('brand without bid', { adGroupId: brand.adGroupId, bid: null }),
    // Sponsored Products would take it.
    item('brand below its limit', { adGroupId: brand.adGroupId, bid: 0.05 }),
    item(asin, { adGroupId: products, bid: null }),
    item('brand mat', { adGroupId: brand.adGroupId, bid: 1.5, matchType: 'PHRASE' }),
    item('stays there', { sourceAdGroupId: manual }),
    item('not negated', { negateInSource: false }),
  )
  expect(outcomes.map((one: { status: string }) => one.status)).toEqual([
    ...Array.from({ length: 7 }, () => 'INVALID'),
    ...Array.from({ length: 4 }, () => 'CREATED'),
  ])
  expect(outcomes.slice(0, 7).map((one: { message: string }) => one.message)).toEqual([
    'A campaign with automatic targeting takes no keywords. Choose a manual one.',
    'This ad group targets products. Choose one with keywords.',
    'This ad group has keywords. Choose one that targets products.',
    'The marketplace accepts no % in keywords: remove it',
    expect.stringMatching(/^The bid must/),
    'Enter a bid',
    expect.stringMatching(/^The bid must be between 0.1 and/),
  ])
  expect(outcomes.slice(9).map((one: { negativeId: number | null }) => one.negativeId)).toEqual([null, null])
  await push('target')
  await push('target', 'SPONSORED_BRANDS')
  await push('negative')
  for (const { id, negativeId } of outcomes.slice(7)) {
    expect(await row('target', id)).toMatchObject({ sync_state: 'SYNCED', sync_error: null })
    if (negativeId) expect(await row('negative', negativeId)).toMatchObject({ sync_state: 'SYNCED' })
  }
  expect(await row('target', outcomes[8].id)).toMatchObject({ ad_type: 'SPONSORED_BRANDS' })
  expect([...scene.world.store.brandKeywords.values()].find(one => one.keywordText === 'brand mat')).toMatchObject({
    matchType: 'PHRASE',
    bidMicros: 1_500_000,
  })
})

test('a term whose keyword is paused is not negated', async () => {
  await sql`update target set state = 'PAUSED' where text = 'not negated'`.execute(scene.services.db.system)
  const { outcomes } = await harvest(item('not negated'))
  expect(outcomes).toMatchObject([{ status: 'EXISTS', negativeId: null, message: expect.stringMatching(/paused/) }])
})

test('the marketplace suggests bids, within the limits; without a suggestion the default bid applies', async () => {
  const brand = await addBrandCampaign(scene.world, scene.services, scene.profile)
  const { status, body } = await scene.call('POST', '/search-terms/bids', {
    items: [
      { term: 'Yoga Mat', adGroupId: manual },
      { term: 'yoga mat', adGroupId: brand.adGroupId },
    ],
  })
  expect(status).toBe(200)
  expect(body[0].bid).toBeGreaterThanOrEqual(body[0].lowBid)
  expect(body[0].bid).toBeLessThanOrEqual(body[0].highBid)
  expect(body[0].why).toMatch(/suggested range/)
  expect(body[1]).toMatchObject({
    bid: null,
    why: expect.stringMatching(/^The marketplace suggests bids for Sponsored Products only: enter a bid/),
  })
  scene.order({ match: { vendor: 'ads', path: '/sp/targets/bid/recommendations' }, kind: 'status', times: 10 })
  const failed = await scene.call('POST', '/search-terms/bids', { items: [{ term: 'mat', adGroupId: manual }] })
  expect(failed.status).toBe(503)
})

test('another tenant’s ad group is not found, and a viewer changes nothing', async () => {
  const other = await addTestAccount(scene.services)
  const { adGroupId } = await addTestCampaign(scene.services, other, { name: 'Foreign' })
  const calls = [
    scene.call('POST', '/search-terms/bids', { items: [{ term: 'mat', adGroupId }] }),
    scene.call('POST', '/search-terms/harvest', { items: [item('mat', { adGroupId })] }),
    scene.call('POST', '/search-terms/harvest', { items: [item('mat', { sourceAdGroupId: adGroupId })] }),
  ]
  expect((await Promise.all(calls)).map(one => one.status)).toEqual([404, 404, 404])
})
