import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fromMicros, hasUnitPrecision } from '#shared/money.ts'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { launchEndpoints } from '../contract.ts'
import type { LaunchPreview } from '../review/preview-schema.ts'
import { createLaunch } from './create-launch.ts'
import { getLaunch, listLaunches } from './log/read-launches.ts'
import { getMargins, previewLaunch } from './preview-launch.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

describe('acceptance', () => {
  test('of the same call twice is one launch; of another body under its key is refused', async () => {
    const ctx = await scene.caller('key-1')
    const payload = acts.payloadOf()
    const first = await acts.beginOnce(ctx, payload)
    expect(await acts.beginOnce(ctx, payload)).toEqual(first)
    await expect(acts.beginOnce(ctx, { ...payload, budget: 70 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  test('answers the same call with the first launch, even if the process died right after the commit', async () => {
    const ctx = await scene.caller('key-2')
    const payload = acts.payloadOf()
    const committed = Promise.withResolvers<{ launchId: number }>()
    // The answer after the commit never gets as far as the key.
    void acts.beginOnce(ctx, payload, launch => {
      committed.resolve(launch)
      return new Promise(() => undefined)
    })
    const first = await committed.promise
    expect(await acts.beginOnce(ctx, payload)).toEqual(first)
  })

  test('of two at once under one name lets one in', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const both = await Promise.allSettled([
      acts.begin({ campaignName }),
      acts.begin({ campaignName: campaignName.toUpperCase() }),
    ])
    expect(both.map(b => b.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('of the same campaign by two devices at once, and again a moment later, makes one set of campaigns', async () => {
    const payload = acts.payloadOf()
    const launch = async () => (await createLaunch(await scene.caller(), payload)).launchId
    const [first, second] = await Promise.all([launch(), launch()])
    expect(second).toBe(first)
    await Promise.all([acts.run(first), acts.run(second)])
    expect(await launch()).toBe(first)
    expect(acts.campaignsOf(payload.campaignName)).toHaveLength(5)
    await expect(createLaunch(await scene.caller(), { ...payload, budget: 61 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('refuses what may not be advertised with the marketplace’s reason', async () => {
    await expect(acts.begin({ products: [acts.productOf('INELIGIBLE')] })).rejects.toMatchObject({
      code: 'PRODUCT_NOT_ELIGIBLE',
      details: [expect.stringMatching(/.+/)],
    })
    await expect(acts.begin({ products: [{ asin: 'B0NOTMINE1', sku: 'X' }] })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test('refuses a product that is listed no longer, though it was when it was chosen', async () => {
    const { sku } = acts.productOf('ELIGIBLE')
    const set = (gone_at: Date | null) =>
      scene.services.db.system
        .updateTable('product')
        .set({ gone_at })
        .where('merchant_id', '=', scene.merchantId)
        .where('sku', '=', sku)
        .execute()
    await set(new Date())
    await expect(acts.begin()).rejects.toMatchObject({ code: 'RULE_VIOLATED', extra: { field: 'products' } })
    await set(null)
    await expect(acts.begin()).resolves.toBeGreaterThan(0)
  })

  test.each([
    [{ budget: 4.99 }, 'RULE_VIOLATED', 'budget'],
    [{ budget: 50.001 }, 'RULE_VIOLATED', 'budget'],
    [{ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN' as const }, 'VALIDATION_FAILED', 'automationMode'],
    [{ setupMode: 'GUIDED' as const }, 'VALIDATION_FAILED', 'keywordMatchType'],
  ])('refuses %j and names the field', async (extra, code, field) => {
    await expect(acts.begin(extra)).rejects.toMatchObject({ code, extra: { field } })
  })

  test('refuses a category that the marketplace does not know, at the review and at the launch', async () => {
    const targeting = (id: string) => ({
      template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' as const,
      setupMode: 'GUIDED' as const,
      productTargetType: 'CATEGORY' as const,
      categories: [{ id, name: 'Vases', bid: 0.5 }],
    })
    const refusal = {
      code: 'RULE_VIOLATED',
      message: 'The marketplace does not know the category “Vases” (404404): remove it or choose another',
      extra: { field: 'categories' },
    }
    const payload = acts.payloadOf(targeting('404404'))
    await expect(previewLaunch(await scene.caller(), payload)).rejects.toMatchObject(refusal)
    await expect(acts.begin(targeting('404404'))).rejects.toMatchObject(refusal)
    // Known, although it is not recommended for the product.
    await expect(previewLaunch(await scene.caller(), acts.payloadOf(targeting('2975446')))).resolves.toBeTruthy()
  })

  test('is refused where another shop is worked with by now, by the choice of another device', async () => {
    const ctx = await scene.caller()
    const own = `${scene.merchantId}/${scene.market.id}`
    for (const shop of [`${scene.merchantId}/${scene.market.id + 1}`, `${scene.merchantId + 1}/${scene.market.id}`])
      for (const verb of [createLaunch, previewLaunch])
        await expect(verb({ ...ctx, shop }, acts.payloadOf())).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    expect((await createLaunch({ ...ctx, shop: own }, acts.payloadOf())).launchId).toBeGreaterThan(0)
  })

  test('takes a name again that a launched campaign had before it was renamed', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const one = {
      template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
      setupMode: 'GUIDED',
      automationMode: 'AUTO',
      campaignName,
    } as const
    await acts.run(await acts.begin(one))
    await expect(acts.begin({ ...one, budget: 61 })).rejects.toMatchObject({ code: 'CONFLICT' })
    await scene.services.db.system
      .updateTable('campaign')
      .set({ name: 'TL | Launch again | Keywords | Auto' })
      .where('name', 'like', `%${campaignName}%`)
      .execute()
    await expect(acts.begin({ ...one, budget: 61 })).resolves.toBeGreaterThan(0)
  })

  test('shows a launch to its own merchant alone', async () => {
    const id = await acts.begin()
    const ctx = await scene.caller()
    const stranger = { ...ctx, actor: { ...ctx.actor, merchantId: scene.merchantId + 1 } }
    await expect(getLaunch(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the preview', () => {
  const sumOf = (preview: LaunchPreview) =>
    preview.campaigns.reduce((sum, c) => sum + Math.round(c.budget * 100), 0) / 100

  test('shows the very campaigns, keywords and bids that the launch then makes, and makes nothing', async () => {
    const payload = acts.payloadOf({ includeHighImpact: true, strategy: 'GROWTH' })
    const before = [scene.world.store.campaigns.size, scene.world.store.keywords.size]
    const shown = await previewLaunch(await scene.caller(), payload)
    expect(v.parse(launchEndpoints.preview.response, shown)).toEqual(shown)
    expect([scene.world.store.campaigns.size, scene.world.store.keywords.size]).toEqual(before)
    expect(sumOf(shown)).toBe(60)
    expect(shown.busyDaySpend).toBe(120)
    expect(shown.forecast.spend).toEqual({ low: 42, high: 420 })

    const { launchId } = await createLaunch(await scene.caller(), payload)
    await acts.run(launchId)
    const made = acts.campaignsOf(payload.campaignName)
    expect(made.map(c => `${c.name} ${fromMicros(c.budgetMicros)}`).toSorted()).toEqual(
      shown.campaigns.map(c => `${c.name} ${c.budget}`).toSorted(),
    )
    const keywords = [...scene.world.store.keywords.values()]
      .filter(k => made.some(c => c.campaignId === k.campaignId))
      .map(k => `${k.matchType} ${k.keywordText} ${fromMicros(k.bidMicros ?? 0)}`)
    const reported = shown.campaigns.flatMap(c =>
      c.adGroups.flatMap(g => g.keywords.map(k => `${k.matchType} ${k.keyword} ${k.bid}`)),
    )
    expect(keywords.toSorted()).toEqual(reported.toSorted())
  })

  test('holds every bid to what the target ACOS allows, by the product’s own settled figures', async () => {
    const product = scene.products.filter(p => p.eligibility === 'ELIGIBLE')[5]
    const products = [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }]
    const owner = { merchant_id: scene.merchantId, profile_id: scene.profileId }
    const { system } = scene.services.db
    await sql`insert into metrics_state (merchant_id, profile_id, daily_as_of, daily_to)
      values (${owner.merchant_id}, ${owner.profile_id}, now(), '2026-03-20')`.execute(system)
    // 200 clicks and 10 orders of 4 dollars: 5 % of clicks buy, so that 30 % ACOS allows 0.06 a click.
    await sql`insert into ad_day (merchant_id, profile_id, campaign_id, ad_group_id, ad_id, asin, date, impressions, clicks, cost_micros, sales_micros, orders, units)
      values (${owner.merchant_id}, ${owner.profile_id}, 1, 1, 1, ${products[0]?.asin}, '2026-03-01', 9000, 200, 50000000, 40000000, 10, 10)`.execute(
      system,
    )
    const shown = await previewLaunch(await scene.caller(), acts.payloadOf({ products }))
    const keywords = shown.campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords))
    expect(Math.max(...keywords.map(k => k.bid))).toBe(0.06)
    expect(keywords[0]?.why).toContain('the target ACOS')
    expect(shown.forecast.orders).not.toBeNull()
  })

  test('tells what runs already, stock, warnings and margins, before anything is made', async () => {
    const { asin, sku } = acts.productOf('ELIGIBLE')
    const { system } = scene.services.db
    const own = await system
      .updateTable('product')
      .set({ price_micros: 20_000_000, fees_micros: 7_000_000 })
      .where('merchant_id', '=', scene.merchantId)
      .where('sku', '=', sku)
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at)
      select merchant_id, marketplace_id, sku, '2000-01-01', 8000000, now() from product where id = ${own.id}`.execute(
      system,
    )
    await sql`insert into product_day (merchant_id, product_id, date, available, inbound_shipped, taken_at)
      values (${scene.merchantId}, ${own.id}, '2026-03-01', 0, 12, now())`.execute(system)
    // The launch of the test before runs for this product; the mirror has it.
    const shown = await previewLaunch(await scene.caller(), acts.payloadOf({ targetAcos: 30 }))
    expect(v.parse(launchEndpoints.preview.response, shown)).toEqual(shown)
    expect(shown).toMatchObject({ breakEvenAcos: 25, breakEvenKnownFor: 1 })
    expect(shown.notices.map(n => n.kind)).toEqual(['OVERLAP', 'ABOVE_BREAK_EVEN', 'OUT_OF_STOCK', 'PLAN'])
    // The scene's products have no brand.
    expect(shown.notices[3]?.message).toMatch(/^Brand unknown for/)
    expect(shown.notices[0]?.details).toContainEqual(
      expect.stringMatching(/^Automatic targeting: runs in “TL \| Launch/),
    )
    expect(shown.notices[2]?.details).toEqual([`${asin}: out of stock, more is on its way`])
    expect(shown.warnings).toEqual(shown.notices.map(n => n.message))
    const reported = await getMargins(await scene.caller(), [sku, 'not-mine'])
    expect(v.parse(launchEndpoints.margins.response, reported)).toEqual(reported)
    expect(reported).toMatchObject({ breakEvenAcos: 25, products: [{ asin, price: 20, cogs: 8, fees: 7 }] })
  })

  test('refuses what the launch would refuse', async () => {
    await expect(previewLaunch(await scene.caller(), acts.payloadOf({ budget: 1 }))).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test('tells a marketplace out of reach as such, never as a lost log-in', async () => {
    const product = scene.products.filter(p => p.eligibility === 'ELIGIBLE')[3]
    const products = [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }]
    acts.fault('expired-token', '/sp/targets/keywords/recommendations', { times: 2 })
    await expect(previewLaunch(await scene.caller(), acts.payloadOf({ products }))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAUTHORIZED',
    })
  })
})

test('the log has the launches of the account, newest first, with their steps', async () => {
  const id = await acts.begin()
  const log = await listLaunches(await scene.caller(), { page: 0, size: 2 })
  expect(v.parse(launchEndpoints.log.response, log)).toEqual(log)
  expect(log.content[0]).toMatchObject({ id, status: 'PENDING', createdCount: 0 })
  expect(log.content).toHaveLength(2)
  expect(log.page.totalElements).toBeGreaterThan(2)
  expect(log.content.map(l => l.id)).toEqual(log.content.map(l => l.id).toSorted((a, b) => b - a))
})

test('the queue carries an accepted launch out, in yen with whole amounts, and tells the account’s browsers', async () => {
  const japan = await openLaunchScene({
    scenario: 'small',
    login: 'agency@sandbox.test',
    amazonProfileId: 3100000000000011,
  })
  try {
    japan.watch()
    const reported: unknown[] = []
    japan.services.events.subscribe(japan.accountId, event => reported.push(event))
    await japan.services.jobs.work(japan.services)
    const product = japan.products.find(p => p.eligibility === 'ELIGIBLE')
    const payload = acts.payloadOf({ budget: 3001, products: [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }] })
    const { launchId } = await createLaunch(await japan.caller(), payload)
    await waitUntil(async () =>
      expect(await getLaunch(await japan.caller(), launchId)).toMatchObject({ status: 'COMPLETED' }),
    )
    expect(reported).toContainEqual({ type: 'launch', data: { launchId } })
    const { store: books } = japan.world
    const made = [...books.campaigns.values()].filter(c => c.name.includes(payload.campaignName))
    const bids = [...books.keywords.values()].filter(k => made.some(c => c.campaignId === k.campaignId))
    expect(made.map(c => c.state)).toEqual(Array(5).fill('ENABLED'))
    expect(made.reduce((sum, c) => sum + fromMicros(c.budgetMicros), 0)).toBe(3001)
    expect(bids.length).toBeGreaterThan(10)
    expect(bids.every(k => hasUnitPrecision(k.bidMicros ?? 0, 'JPY'))).toBe(true)
  } finally {
    await japan.close()
  }
})
