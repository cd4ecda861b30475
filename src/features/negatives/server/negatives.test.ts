import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import { addTestAccount, addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import { addBrandCampaign } from '../../../../tests/support/brand-campaign.ts'
import { openProductScene, type ProductScene } from '../../../../tests/support/product-scene.ts'

let scene: ProductScene
let place: { campaignId: number; campaignAmazonId: string; adGroupId: number; adGroupAmazonId: string }

beforeAll(async () => {
  scene = await openProductScene({ login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', country: 'US' })
  await scene.importStructure()
  const { rows } = await sql<typeof place>`
    select c.id as "campaignId", c.amazon_id as "campaignAmazonId", g.id as "adGroupId", g.amazon_id as "adGroupAmazonId"
    from ad_group g join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
    where g.merchant_id = ${scene.profile.merchantId} and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED' and g.state = 'ENABLED' and exists (
      select 1 from target t where t.merchant_id = ${scene.profile.merchantId} and t.ad_group_id = g.id and t.kind = 'KEYWORD' and t.state = 'ENABLED')
    order by g.id limit 1`.execute(scene.services.db.system)
  place = rows[0] as typeof place
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const push = (adType = 'SPONSORED_PRODUCTS') =>
  pushJobs.negative.run(
    scene.services,
    { merchantId: scene.merchantId, profileId: scene.profile.profileId, adType },
    run,
  )
const inGroup = () => ({ campaignId: place.campaignId, adGroupId: place.adGroupId })
const exact = (...texts: string[]) => texts.map(text => ({ text, matchType: 'NEGATIVE_EXACT' }))
const create = (keywords: object[], where: object = inGroup()) =>
  scene.call('POST', '/sp/negative-keyword/create', { ...where, keywords })
async function row(id: number) {
  const { rows } = await sql<Record<string, unknown>>`select * from negative where id = ${id}`.execute(
    scene.services.db.system,
  )
  return rows[0]
}
async function ledger(id: number) {
  const { body } = await scene.call('GET', `/changes?entity=negative&entityId=${id}`)
  return body.content as { field: string | null; origin: string; note: string | null; groupId: string }[]
}
const atMarketplace = (text: string) =>
  [...scene.world.store.negativeKeywords.values()].filter(one => one.keywordText === text)

describe('new negative keywords', () => {
  test('have an outcome each, are seen at once, and reach the marketplace in one call', async () => {
    const answer = await create([
      ...exact('cheap  mat', 'free'),
      { text: 'one two three four five', matchType: 'NEGATIVE_PHRASE' },
      { text: 'used', matchType: 'NEGATIVE_PHRASE' },
      ...exact('FREE', '50% off'),
    ])
    expect(answer.status).toBe(200)
    const { outcomes, groupId } = answer.body
    expect(outcomes.map((one: { status: string }) => one.status)).toEqual([
      'CREATED',
      'CREATED',
      'INVALID',
      'CREATED',
      'EXISTS',
      'INVALID',
    ])
    expect(outcomes[2].message).toBe('A negative phrase has at most 4 words')
    expect(outcomes[4].id).toBe(outcomes[1].id)
    expect(outcomes[5].message).toBe('The marketplace accepts no % in keywords: remove it')
    const [id] = outcomes.map((one: { id: number }) => one.id)
    expect(await row(id)).toMatchObject({ text: 'cheap mat', state: 'ENABLED', sync_state: 'PENDING' })
    const listed = await scene.call('GET', `/negatives/cm?adGroupId=${place.adGroupId}&name=cheap`)
    expect(listed.body.content).toMatchObject([{ id, syncState: 'PENDING' }])
    // An import leaves what is on its way alone.
    await scene.importStructure()
    expect(await row(id)).toMatchObject({ sync_state: 'PENDING', state: 'ENABLED' })
    scene.world.journal.clear()
    await push()
    expect(scene.world.journal.list({ vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' })).toHaveLength(1)
    expect(await row(id)).toMatchObject({ sync_state: 'SYNCED', amazon_id: expect.stringMatching(/^\d+$/) })
    expect(atMarketplace('cheap mat')).toMatchObject([{ adGroupId: place.adGroupAmazonId, state: 'ENABLED' }])
    expect(await ledger(id)).toMatchObject([{ field: null, origin: 'USER', groupId }])
    expect((await create(exact('Cheap Mat'))).body.outcomes).toMatchObject([{ status: 'EXISTS', id }])
    await scene.importStructure()
    expect(await row(id)).toMatchObject({ sync_state: 'SYNCED', state: 'ENABLED', text: 'cheap mat' })
  })

  test('of a whole campaign, and products and brands, go to lists of their own', async () => {
    const { campaignId } = place
    const keywords = await create(exact('whole campaign'), { campaignId })
    const targets = await scene.call('POST', '/sp/negative-target/create', {
      campaignId,
      targets: [
        { expressionType: 'ASIN_SAME_AS', value: 'b0badbad01' },
        { expressionType: 'ASIN_BRAND_SAME_AS', value: '4711' },
        { expressionType: 'ASIN_SAME_AS', value: 'short' },
      ],
    })
    expect(targets.body.outcomes).toMatchObject([
      { status: 'CREATED' },
      { status: 'CREATED' },
      { status: 'INVALID', message: 'An ASIN has exactly 10 letters and digits' },
    ])
    await push()
    expect(await row(keywords.body.outcomes[0].id)).toMatchObject({ sync_state: 'SYNCED', ad_group_id: null })
    expect(await row(targets.body.outcomes[0].id)).toMatchObject({
      sync_state: 'SYNCED',
      text: 'ASIN_SAME_AS: B0BADBAD01',
    })
    expect(atMarketplace('whole campaign')).toMatchObject([{ adGroupId: null }])
    const before = await row(targets.body.outcomes[1].id)
    await scene.importStructure()
    // Only what the marketplace knows of it is added.
    expect(await row(targets.body.outcomes[1].id)).toEqual({
      ...before,
      added_at: expect.any(Date),
      serving_status: expect.any(String),
      updated_at: expect.any(Date),
      version: 2,
    })
  })

  test('that the marketplace rejects stay, say why, and can be sent again or removed', async () => {
    const { body } = await create(exact('rejected one', 'rejected two'))
    const [first, second] = body.outcomes.map((one: { id: number }) => one.id)
    scene.order({
      match: { vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' },
      kind: 'partial',
      items: [0, 1],
      selector: 'entityQuotaError',
      reason: 'QUOTA_EXCEEDED',
    })
    await push()
    expect(await row(first)).toMatchObject({ sync_state: 'FAILED', sync_error: expect.stringMatching(/\w/) })
    expect((await ledger(first))[0]).toMatchObject({ origin: 'MARKETPLACE', note: expect.stringMatching(/\w/) })
    await scene.importStructure()
    expect(await row(first)).toMatchObject({ sync_state: 'FAILED', state: 'ENABLED' })
    const retried = await scene.call('POST', `/negatives/${first}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { id: first, syncState: 'PENDING' } })
    expect((await scene.call('DELETE', `/negatives/${second}`)).status).toBe(204)
    expect(await row(second)).toBeUndefined()
    await push()
    expect(await row(first)).toMatchObject({ sync_state: 'SYNCED' })
    expect(await scene.call('POST', `/negatives/${first}/retry`)).toMatchObject({ status: 422 })
    expect(atMarketplace('rejected two')).toEqual([])
  })

  test('whose answer was lost are not made twice, whether the list lags or not', async () => {
    const calls = { vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' }
    const { body } = await create(exact('lost answer', 'lost too'))
    const ids = body.outcomes.map((one: { id: number }) => one.id)
    scene.calm({ timeoutMs: 300 })
    scene.order({ match: calls, kind: 'drop-after' })
    scene.order({
      match: { ...calls, path: '/sp/negativeKeywords/list' },
      kind: 'late-list',
      delayMs: 60_000,
      times: 2,
    })
    await expect(push()).rejects.toThrow()
    // The list does not show them yet: created again, they are there already, so that only the list is waited for.
    await expect(push()).rejects.toThrow()
    expect(await row(ids[0])).toMatchObject({ sync_state: 'PENDING' })
    scene.calm()
    await push()
    for (const id of ids) expect(await row(id)).toMatchObject({ sync_state: 'SYNCED' })
    expect(atMarketplace('lost answer')).toHaveLength(1)
  })

  test('whose answer was lost and that an import finds first are one row', async () => {
    const { body } = await create(exact('found by the import'))
    scene.calm({ timeoutMs: 300 })
    scene.order({ match: { vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' }, kind: 'drop-after' })
    await expect(push()).rejects.toThrow()
    await scene.importStructure()
    await push()
    const { rows } = await sql`select id, sync_state from negative where text = 'found by the import'`.execute(
      scene.services.db.system,
    )
    expect(rows).toEqual([{ id: body.outcomes[0].id, sync_state: 'SYNCED' }])
  })
})

test('a negative that is removed is archived at the marketplace, and so is one whose creation was unclear', async () => {
  const { body } = await create(exact('to remove', 'unclear'))
  const [id, unclear] = body.outcomes.map((one: { id: number }) => one.id)
  scene.calm({ timeoutMs: 300 })
  scene.order({ match: { vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' }, kind: 'drop-after' })
  await expect(push()).rejects.toThrow()
  expect((await scene.call('DELETE', `/negatives/${unclear}`)).status).toBe(204)
  // Found first, then archived.
  await expect(push()).rejects.toThrow('FOUND')
  await push()
  expect(atMarketplace('unclear')).toMatchObject([{ state: 'ARCHIVED' }])
  expect(await row(unclear)).toMatchObject({ state: 'ARCHIVED', sync_state: 'SYNCED' })
  expect((await scene.call('DELETE', `/negatives/${id}`)).status).toBe(204)
  expect(await row(id)).toMatchObject({ state: 'ARCHIVED', sync_state: 'PENDING' })
  // Added again before the removal was sent: both happen, in this order.
  const again = (await create(exact('to remove'))).body.outcomes[0]
  expect(again.status).toBe('CREATED')
  await push()
  expect(await row(id)).toMatchObject({ state: 'ARCHIVED', sync_state: 'SYNCED' })
  expect(await row(again.id)).toMatchObject({ state: 'ENABLED', sync_state: 'SYNCED' })
  expect(
    atMarketplace('to remove')
      .map(one => one.state)
      .toSorted(),
  ).toEqual(['ARCHIVED', 'ENABLED'])
  expect((await scene.call('DELETE', `/negatives/${id}`)).status).toBe(204)
})

test('the preview shows what exists, what cannot be, and which running keywords would be blocked', async () => {
  const { rows } = await sql<{ id: number }>`update target set match_type = 'EXACT', text = 'Steel Water Bottle'
    where id = (select min(id) from target where ad_group_id = ${place.adGroupId} and kind = 'KEYWORD' and state = 'ENABLED')
    returning id`.execute(scene.services.db.system)
  const [running] = rows as [(typeof rows)[number]]
  const { body } = await scene.call('POST', '/negatives/preview', {
    adType: 'SPONSORED_PRODUCTS',
    ...inGroup(),
    keywords: [
      ...exact('steel water  BOTTLE', 'steel water', 'cheap mat', 'a*b'),
      { text: 'water bottle', matchType: 'NEGATIVE_PHRASE' },
      { text: 'ater bottle', matchType: 'NEGATIVE_PHRASE' },
    ],
  })
  const blocks = body.items.map((item: { blocks: { targetId: number }[] }) =>
    item.blocks.some(one => one.targetId === running.id),
  )
  const statuses = body.items.map((item: { status: string }) => item.status)
  expect(statuses.join(' ')).toBe('NEW NEW EXISTS INVALID NEW NEW')
  expect(blocks).toEqual([true, false, false, false, true, false])
  expect(body.items[0].blocks[0]).toMatchObject({
    text: 'Steel Water Bottle',
    matchType: 'EXACT',
    adGroupId: place.adGroupId,
  })
})

test('another tenant’s campaign or negative is not found, and a viewer changes nothing', async () => {
  const other = await addTestAccount(scene.services)
  const { campaignId, adGroupId } = await addTestCampaign(scene.services, other, { name: 'Foreign' })
  const { rows } = await sql<{ id: number }>`
    insert into negative (merchant_id, profile_id, campaign_id, amazon_id, kind, text, match_type, state)
    values (${other.merchantId}, ${other.profileId}, ${campaignId}, '99', 'KEYWORD', 'foreign', 'NEGATIVE_EXACT', 'ENABLED')
    returning id`.execute(scene.services.db.system)
  const foreign = rows[0]?.id ?? 0
  const adType = 'SPONSORED_PRODUCTS'
  const keywords = exact('x')
  const statuses = [
    await create(keywords, { campaignId }),
    await create(keywords, { campaignId: place.campaignId, adGroupId }),
    await scene.call('POST', '/negatives/preview', { adType, campaignId, keywords }),
    await scene.call('DELETE', `/negatives/${foreign}`),
    await scene.call('POST', `/negatives/${foreign}/retry`),
  ].map(one => one.status)
  expect(statuses).toEqual([404, 404, 404, 404, 404])
})

describe('Sponsored Brands', () => {
  test('has negatives on ad groups only, which reach its own lists', async () => {
    const { store } = scene.world
    const brand = await addBrandCampaign(scene.world, scene.services, scene.profile)
    const path = '/sb/negative-keyword/create'
    const whole = await scene.call('POST', path, { campaignId: brand.campaignId, keywords: exact('x') })
    expect(whole).toMatchObject({ status: 400, body: { fields: { adGroupId: expect.stringMatching(/ad group/) } } })
    expect((await scene.call('POST', path, { ...inGroup(), keywords: exact('x') })).status).toBe(422)
    const keywords = await scene.call('POST', path, {
      ...brand,
      keywords: [...exact('brand exact'), { text: 'brand phrase', matchType: 'NEGATIVE_PHRASE' }],
    })
    const targets = await scene.call('POST', '/sb/negative-target/create', {
      ...brand,
      targets: [{ expressionType: 'ASIN_SAME_AS', value: 'B0BADBAD02' }],
    })
    await push('SPONSORED_BRANDS')
    const created = [...keywords.body.outcomes, ...targets.body.outcomes].map((one: { id: number }) => one.id)
    for (const id of created) expect(await row(id)).toMatchObject({ sync_state: 'SYNCED', sync_error: null })
    const atBrands = [...store.brandNegativeKeywords.values()].filter(one => one.keywordText.startsWith('brand '))
    expect(atBrands.map(one => one.matchType).toSorted()).toEqual(['NEGATIVE_EXACT', 'NEGATIVE_PHRASE'])
    for (const id of created) expect((await scene.call('DELETE', `/negatives/${id}`)).status).toBe(204)
    scene.calm({ timeoutMs: 300 })
    scene.order({ match: { vendor: 'ads', method: 'PUT', path: '/sb/negative*' }, kind: 'drop-after', times: 1 })
    await expect(push('SPONSORED_BRANDS')).rejects.toThrow()
    scene.calm()
    await push('SPONSORED_BRANDS')
    for (const id of created)
      expect(await row(id)).toMatchObject({ state: 'ARCHIVED', sync_state: 'SYNCED', sync_error: null })
    expect(
      [...store.brandNegativeKeywords.values()]
        .filter(one => one.keywordText.startsWith('brand '))
        .map(one => one.state),
    ).toEqual(['ARCHIVED', 'ARCHIVED'])
  })
})
