import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fromMicros, hasUnitPrecision } from '#shared/money.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { createPayload, type CreatePayloadInput, type LaunchPreview, launchEndpoints } from '../contract.ts'
import { createLaunch } from './create-launch.ts'
import { getLaunch } from './get-launch.ts'
import { giveUpLaunch } from './give-up-launch.ts'
import { listLaunches } from './list-launches.ts'
import { previewLaunch } from './preview-launch.ts'
import { retryLaunch } from './retry-launch.ts'
import { runLaunch } from './run/run-launch.ts'
import type { Timing } from './run/timing.ts'
import { undoLaunch } from './undo-launch.ts'

const timing: Timing = { quietMs: 150, pollMs: 30, leaseMs: 400, maxSends: 3 }

let scene: LaunchScene
beforeAll(async () => {
  scene = await openLaunchScene()
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const productOf = (eligibility: string) => {
  const product = scene.products.find(p => p.eligibility === eligibility)
  if (!product) throw new Error(`the scenario has no product that is ${eligibility}`)
  return { asin: product.asin, sku: product.sku ?? '' }
}
const payloadOf = (extra: Partial<CreatePayloadInput> = {}) =>
  v.parse(createPayload, {
    campaignName: `Launch ${randomUUID().slice(0, 8)}`,
    budget: 60,
    targetAcos: 30,
    setupMode: 'SMART',
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    products: [productOf('ELIGIBLE')],
    ...extra,
  })
const begin = async (extra: Partial<CreatePayloadInput> = {}): Promise<number> =>
  (await createLaunch(await scene.caller(), payloadOf(extra))).launchId
const run = (launchId: number) =>
  runLaunch(scene.services, { merchantId: scene.merchantId, launchId }, { signal: scene.watch() }, timing)
const view = async (launchId: number) => {
  const launch = await getLaunch(await scene.caller(), launchId)
  return v.parse(launchEndpoints.get.response, launch)
}
const stepOf = (launch: Awaited<ReturnType<typeof view>>, name: string) => launch.steps.find(s => s.name === name)
const campaignsOf = (name: string) => [...scene.world.books.campaigns.values()].filter(c => c.name.includes(name))
const fault = (kind: 'partial' | 'throttle' | 'expired-token', path: string, extra: object = {}) =>
  scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, kind, ...extra })

describe('a launch of which something was refused', () => {
  test('tells each refused keyword in a seller’s words, runs without it, and retries it alone', async () => {
    const id = await begin()
    fault('partial', '/sp/keywords', { items: [1, 3], selector: 'rangeError', reason: 'TOO_LOW' })
    await run(id)
    const half = await view(id)
    expect([half.status, half.canRetry]).toEqual(['PARTIAL', true])
    expect(stepOf(half, 'KEYWORDS')?.errors).toMatchObject([
      { reason: 'TOO_LOW', message: 'The bid is lower than the marketplace takes.' },
      { reason: 'TOO_LOW' },
    ])
    expect(campaignsOf(half.campaignName).every(c => c.state === 'ENABLED')).toBe(true)
    const before = scene.world.books.keywords.size

    await retryLaunch(await scene.caller(), id)
    await run(id)
    expect(scene.world.books.keywords.size).toBe(before + 2)
    expect(await view(id)).toMatchObject({ status: 'COMPLETED', canRetry: false })
    expect(scene.calls.filter(c => c.path === '/sp/campaigns' && c.method === 'POST')).toEqual([])
  })

  test('keeps a term reachable whose keyword failed: its negatives are left out until it is made', async () => {
    const id = await begin()
    fault('partial', '/sp/keywords', { items: [0], selector: 'malformedValueError', reason: 'FORBIDDEN_CHARS' })
    await run(id)
    const half = await view(id)
    const failed = stepOf(half, 'KEYWORDS')?.errors[0]?.item.replace(/ \(.*\)$/, '')
    const made = half.created.filter(c => c.entity === 'NEGATIVE_KEYWORD').map(c => c.name)
    expect(made.filter(name => name.startsWith(`${failed} kept`))).toEqual([])
    await retryLaunch(await scene.caller(), id)
    await run(id)
    expect((await view(id)).status).toBe('COMPLETED')
  })

  test.each(['/sp/adGroups', '/sp/productAds', '/sp/negativeKeywords'])(
    'stays paused as long as something essential is missing (%s), and runs once it is made',
    async path => {
      const id = await begin()
      fault('partial', path, { items: [2], selector: 'otherError', reason: 'OTHER_ERROR' })
      await run(id)
      const half = await view(id)
      expect(half.status).toBe('PARTIAL')
      expect(stepOf(half, 'ENABLE')?.errors[0]?.reason).toBe('HELD_BACK')
      expect(campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('PAUSED'))
      await retryLaunch(await scene.caller(), id)
      await run(id)
      expect((await view(id)).status).toBe('COMPLETED')
      expect(campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('ENABLED'))
    },
  )

  test('with no campaign made has FAILED, gives its names back, and can be tried again under them', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const id = await begin({ campaignName })
    fault('partial', '/sp/campaigns', { items: [0, 1, 2, 3, 4], selector: 'otherError', reason: 'OTHER_ERROR' })
    await run(id)
    expect(await view(id)).toMatchObject({ status: 'FAILED', created: [] })
    expect(stepOf(await view(id), 'KEYWORDS')?.errors).toEqual([])
    await retryLaunch(await scene.caller(), id)
    await run(id)
    expect((await view(id)).status).toBe('COMPLETED')
    await expect(begin({ campaignName })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('an item that failed for the moment is sent again by itself', async () => {
    const id = await begin()
    fault('partial', '/sp/keywords', { items: [0], selector: 'throttledError', reason: 'THROTTLED' })
    await run(id)
    expect((await view(id)).status).toBe('COMPLETED')
  })

  test('a campaign of the name that someone made in the console is never taken for ours', async () => {
    const id = await begin()
    const { campaignName } = await view(id)
    const other = [...scene.world.books.campaigns.values()][0]
    const name = `TL | ${campaignName} | Ranking | Exact`
    if (!other) throw new Error('the world has no campaign')
    scene.world.change(books =>
      books.campaigns.set('999000999', { ...other, campaignId: '999000999', name, state: 'PAUSED', tags: {} }),
    )
    await run(id)
    const half = await view(id)
    expect(half.status).toBe('PARTIAL')
    expect(stepOf(half, 'CAMPAIGNS')?.errors).toMatchObject([{ item: name, reason: 'NAME_NOT_UNIQUE' }])
    expect(half.created.map(c => c.id)).not.toContain('999000999')
    expect(scene.world.books.campaigns.get('999000999')?.state).toBe('PAUSED')
  })
})

describe('a marketplace', () => {
  test('that no longer lets us in ends the launch with what to do, and a retry goes on from there', async () => {
    const id = await begin()
    fault('expired-token', '/sp/productAds', { times: 2 })
    await run(id)
    const stopped = await view(id)
    expect(stopped.status).toBe('PARTIAL')
    expect(stepOf(stopped, 'PRODUCT_ADS')).toMatchObject({
      status: 'FAILED',
      errors: [{ reason: 'UPSTREAM_UNAUTHORIZED' }],
    })
    expect(campaignsOf(stopped.campaignName).every(c => c.state === 'PAUSED')).toBe(true)
    await retryLaunch(await scene.caller(), id)
    await run(id)
    expect((await view(id)).status).toBe('COMPLETED')
  })

  test('a job that failed for good closes its launch so that it can be retried', async () => {
    const id = await begin()
    await giveUpLaunch(scene.services, { merchantId: scene.merchantId, launchId: id })
    expect(await view(id)).toMatchObject({ status: 'FAILED', canRetry: true })
    await retryLaunch(await scene.caller(), id)
    await run(id)
    expect((await view(id)).status).toBe('COMPLETED')
  })
})

test('a product that became ineligible after the launch was accepted ends it with the reason', async () => {
  const id = await begin()
  const set = (eligibility_status: 'ELIGIBLE' | 'INELIGIBLE') =>
    scene.services.db.system
      .updateTable('product')
      .set({ eligibility_status })
      .where('merchant_id', '=', scene.merchantId)
      .where('asin', '=', productOf('ELIGIBLE').asin)
      .execute()
  await set('INELIGIBLE')
  await run(id)
  await set('ELIGIBLE')
  const ended = await view(id)
  expect(ended).toMatchObject({ status: 'FAILED', canRetry: true })
  expect(stepOf(ended, 'RECOMMENDATIONS')?.errors[0]).toMatchObject({
    reason: 'PRODUCT_NOT_ELIGIBLE',
    message: 'This product is not eligible for Sponsored Products campaigns.',
  })
  await retryLaunch(await scene.caller(), id)
  await expect(begin({ campaignName: ended.campaignName })).rejects.toMatchObject({ code: 'CONFLICT' })
  await run(id)
  expect((await view(id)).status).toBe('COMPLETED')
})

describe('an undo', () => {
  test('archives every campaign of the launch and frees its names', async () => {
    const id = await begin()
    await run(id)
    const { campaignName } = await view(id)
    await undoLaunch(await scene.caller(), id)
    await run(id)
    expect(await view(id)).toMatchObject({ undo: 'DONE', canRetry: false, created: [] })
    expect(campaignsOf(campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
    const mirrored = await scene.services.db.system
      .selectFrom('campaign')
      .select('state')
      .where('merchant_id', '=', scene.merchantId)
      .where('name', 'like', `%${campaignName}%`)
      .execute()
    expect(mirrored.map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
    await expect(undoLaunch(await scene.caller(), id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    await expect(retryLaunch(await scene.caller(), id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })

  test('of a launch that stands half way archives that half, the lost answers included', async () => {
    const id = await begin()
    const stop = scene.watch(call => (call.path === '/sp/campaigns' && call.method === 'POST' ? 'HANG_AFTER' : 'PASS'))
    const key = { merchantId: scene.merchantId, launchId: id }
    void runLaunch(scene.services, key, { signal: stop }, timing).catch(() => undefined)
    await vi.waitFor(() => expect(stop.aborted).toBe(true), { timeout: 5000 })
    const { campaignName } = await view(id)
    expect(campaignsOf(campaignName)).toHaveLength(5)
    await undoLaunch(await scene.caller(), id)
    await run(id)
    expect((await view(id)).undo).toBe('DONE')
    expect(campaignsOf(campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
  })

  test('of a launch that has not begun makes nothing at all', async () => {
    const id = await begin()
    await undoLaunch(await scene.caller(), id)
    await run(id)
    const launch = await view(id)
    expect([launch.undo, launch.status, launch.created]).toEqual(['DONE', 'FAILED', []])
    expect(campaignsOf(launch.campaignName)).toEqual([])
  })
})

test('several workers on one launch make it once', async () => {
  const id = await begin()
  const key = { merchantId: scene.merchantId, launchId: id }
  const signal = scene.watch()
  await Promise.all([1, 2, 3].map(() => runLaunch(scene.services, key, { signal }, timing)))
  const launch = await view(id)
  expect(launch.status).toBe('COMPLETED')
  expect(campaignsOf(launch.campaignName)).toHaveLength(5)
  expect(scene.calls.filter(c => c.path === '/sp/campaigns' && c.method === 'POST')).toHaveLength(1)
})

describe('acceptance', () => {
  test('of the same call twice is one launch; of another body under its key is refused', async () => {
    const ctx = await scene.caller('key-1')
    const payload = payloadOf()
    const first = await createLaunch(ctx, payload)
    expect(await createLaunch(ctx, payload)).toEqual(first)
    await expect(createLaunch(ctx, { ...payload, budget: 70 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  test('of two at once under one name lets one in', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const both = await Promise.allSettled([
      begin({ campaignName }),
      begin({ campaignName: campaignName.toUpperCase() }),
    ])
    expect(both.map(b => b.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('refuses what may not be advertised with the marketplace’s reason', async () => {
    await expect(begin({ products: [productOf('INELIGIBLE')] })).rejects.toMatchObject({
      code: 'PRODUCT_NOT_ELIGIBLE',
      details: [expect.stringMatching(/.+/)],
    })
    await expect(begin({ products: [{ asin: 'B0NOTMINE1', sku: 'X' }] })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test.each([
    [{ budget: 4.99 }, 'RULE_VIOLATED', 'budget'],
    [{ budget: 50.001 }, 'RULE_VIOLATED', 'budget'],
    [{ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN' as const }, 'VALIDATION_FAILED', 'automationMode'],
    [{ setupMode: 'GUIDED' as const }, 'VALIDATION_FAILED', 'keywordMatchType'],
  ])('refuses %j and names the field', async (extra, code, field) => {
    await expect(begin(extra)).rejects.toMatchObject({ code, extra: { field } })
  })

  test('is for who may change things', async () => {
    const ctx = await scene.caller()
    const viewer = { ...ctx, actor: { ...ctx.actor, authorities: [] } }
    await expect(createLaunch(viewer, payloadOf())).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('shows a launch to its own merchant alone', async () => {
    const id = await begin()
    const ctx = await scene.caller()
    const stranger = { ...ctx, actor: { ...ctx.actor, merchantId: scene.merchantId + 1 } }
    await expect(getLaunch(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the preview', () => {
  const sumOf = (preview: LaunchPreview) =>
    preview.campaigns.reduce((sum, c) => sum + Math.round(c.budget * 100), 0) / 100

  test('shows the very campaigns, keywords and bids that the launch then makes, and makes nothing', async () => {
    const payload = payloadOf({ includeHighImpact: true, strategy: 'GROWTH' })
    const before = [scene.world.books.campaigns.size, scene.world.books.keywords.size]
    const shown = await previewLaunch(await scene.caller(), payload)
    expect(v.parse(launchEndpoints.preview.response, shown)).toEqual(shown)
    expect([scene.world.books.campaigns.size, scene.world.books.keywords.size]).toEqual(before)
    expect(sumOf(shown)).toBe(60)
    expect(shown.busyDaySpend).toBe(120)
    expect(shown.forecast.spend).toEqual({ low: 42, high: 420 })

    const { launchId } = await createLaunch(await scene.caller(), payload)
    await run(launchId)
    const made = campaignsOf(payload.campaignName)
    expect(made.map(c => `${c.name} ${fromMicros(c.budgetMicros)}`).toSorted()).toEqual(
      shown.campaigns.map(c => `${c.name} ${c.budget}`).toSorted(),
    )
    const keywords = [...scene.world.books.keywords.values()]
      .filter(k => made.some(c => c.campaignId === k.campaignId))
      .map(k => `${k.matchType} ${k.keywordText} ${fromMicros(k.bidMicros ?? 0)}`)
    const told = shown.campaigns.flatMap(c =>
      c.adGroups.flatMap(g => g.keywords.map(k => `${k.matchType} ${k.keyword} ${k.bid}`)),
    )
    expect(keywords.toSorted()).toEqual(told.toSorted())
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
    const shown = await previewLaunch(await scene.caller(), payloadOf({ products }))
    const keywords = shown.campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords))
    expect(Math.max(...keywords.map(k => k.bid))).toBe(0.06)
    expect(keywords[0]?.why).toContain('the target ACOS')
    expect(shown.forecast.orders).not.toBeNull()
  })

  test('refuses what the launch would refuse', async () => {
    await expect(previewLaunch(await scene.caller(), payloadOf({ budget: 1 }))).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test('tells a marketplace out of reach as such, never as a lost log-in', async () => {
    const product = scene.products.filter(p => p.eligibility === 'ELIGIBLE')[3]
    const products = [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }]
    fault('expired-token', '/sp/targets/keywords/recommendations', { times: 2 })
    await expect(previewLaunch(await scene.caller(), payloadOf({ products }))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAUTHORIZED',
    })
  })
})

test('the log has the launches of the account, newest first, with their steps', async () => {
  const id = await begin()
  const log = await listLaunches(await scene.caller(), { page: 0, size: 5 })
  expect(v.parse(launchEndpoints.log.response, log)).toEqual(log)
  expect(log.content[0]).toMatchObject({ id, status: 'PENDING', createdCount: 0 })
  expect(log.content).toHaveLength(5)
  expect(log.page.totalElements).toBeGreaterThan(5)
  expect(log.content.map(l => l.id)).toEqual(log.content.map(l => l.id).toSorted((a, b) => b - a))
})

test('in yen a launch is made of whole amounts', async () => {
  const japan = await openLaunchScene({
    scenario: 'demo',
    login: 'agency@sandbox.test',
    amazonProfileId: 3100000000000011,
  })
  try {
    const product = japan.products.find(p => p.eligibility === 'ELIGIBLE')
    const payload = payloadOf({ budget: 3001, products: [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }] })
    const { launchId } = await createLaunch(await japan.caller(), payload)
    const key = { merchantId: japan.merchantId, launchId }
    await runLaunch(japan.services, key, { signal: japan.watch() }, timing)
    const { books } = japan.world
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

test('the queue carries an accepted launch out, and tells the account’s browsers', async () => {
  const fresh = await openLaunchScene()
  try {
    fresh.watch()
    const told: unknown[] = []
    fresh.services.events.subscribe(fresh.accountId, event => told.push(event))
    await fresh.services.jobs.work(fresh.services)
    const product = fresh.products.find(p => p.eligibility === 'ELIGIBLE')
    const payload = payloadOf({ products: [{ asin: product?.asin ?? '', sku: product?.sku ?? '' }] })
    const { launchId } = await createLaunch(await fresh.caller(), payload)
    await vi.waitFor(
      async () => expect(await getLaunch(await fresh.caller(), launchId)).toMatchObject({ status: 'COMPLETED' }),
      { timeout: 20_000, interval: 100 },
    )
    expect(told).toContainEqual({ type: 'launch', data: { launchId } })
  } finally {
    await fresh.close()
  }
})

// Last, because our own calls rest for as long as the marketplace asked.
test('a marketplace that asks to slow down lets a launch rest, with the time told', async () => {
  const id = await begin()
  fault('throttle', '/sp/adGroups', { retryAfterSeconds: 60 })
  const rested = await run(id)
  expect(rested).toMatchObject({ again: true })
  expect(rested.again && rested.afterSeconds).toBeGreaterThanOrEqual(59)
  const resting = await view(id)
  expect(resting.status).toBe('IN_PROGRESS')
  expect(Date.parse(resting.waitingUntil ?? '')).toBeGreaterThan(Date.now())
})
