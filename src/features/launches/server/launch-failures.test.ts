import { normalTerm } from '#shared/keyword-rules.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchActs, quickTiming } from '../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import type { Launch } from '../contract.ts'
import { NOTHING_TO_TARGET } from '../plan/plan-launch.ts'
import { createLaunch } from './create-launch.ts'
import { giveUpLaunch } from './run/finish-launch.ts'
import { previewLaunch } from './preview-launch.ts'
import { retryLaunch } from './change-launch.ts'
import { runLaunch } from './run/run-launch.ts'
import { itemsOf } from './sql/items.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

/** The keywords of a launch like those of this file, in the order in which they are sent. */
async function plannedKeywords() {
  const launchId = await acts.begin()
  await acts.run(launchId)
  const items = await itemsOf(scene.services.db.system, { merchantId: scene.merchantId, launchId })
  const keywords = items.filter(i => i.step === 'KEYWORDS')
  return keywords.map(({ content }) => {
    if (content.kind !== 'KEYWORD') throw new Error('the step has keywords only')
    return { term: normalTerm(content.text), matchType: content.matchType }
  })
}
// The term of an exact keyword alone is out of reach without it: a broad or phrase keyword of the same words buys it too.
function indexOfOnlyExact(keywords: Awaited<ReturnType<typeof plannedKeywords>>): number {
  const count = Map.groupBy(keywords, k => k.term)
  const index = keywords.findIndex(k => k.matchType === 'EXACT' && count.get(k.term)?.length === 1)
  expect(index).toBeGreaterThanOrEqual(0)
  return index
}
const stepOf = (launch: Launch, name: string) => launch.steps.find(s => s.name === name)

describe('a launch of which something was refused', () => {
  test('tells each refused keyword in a seller’s words, runs without it, and retries it alone', async () => {
    const id = await acts.begin()
    const finished: unknown[] = []
    const silence = scene.services.events.subscribe((await scene.caller()).actor.accountId, event => {
      if (event.type === 'launch-finished') finished.push(event.data)
    })
    acts.fault('partial', '/sp/keywords', { items: [1, 3], selector: 'rangeError', reason: 'TOO_LOW' })
    await acts.run(id)
    const half = await acts.view(id)
    await expect.poll(() => finished).toEqual([{ launchId: id, name: half.campaignName, status: 'PARTIAL' }])
    expect([half.status, half.canRetry]).toEqual(['PARTIAL', true])
    expect(stepOf(half, 'KEYWORDS')?.errors).toMatchObject([
      { reason: 'TOO_LOW', message: 'The bid is below the marketplace’s minimum. Launch it again with a higher bid.' },
      { reason: 'TOO_LOW', kind: 'KEYWORD', phase: expect.stringMatching(/^[A-Z]/), matchType: expect.any(String) },
    ])
    expect(half.created.find(c => c.entity === 'AD_GROUP')).toMatchObject({ kind: 'AD_GROUP', phase: 'DISCOVERY' })
    expect(acts.campaignsOf(half.campaignName).every(c => c.state === 'ENABLED')).toBe(true)
    const before = scene.world.store.keywords.size

    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    expect(scene.world.store.keywords.size).toBe(before + 2)
    expect(await acts.view(id)).toMatchObject({ status: 'COMPLETED', canRetry: false })
    await expect.poll(() => finished).toMatchObject([{}, { launchId: id, status: 'COMPLETED' }])
    silence()
    expect(scene.calls.filter(c => c.path === '/sp/campaigns' && c.method === 'POST')).toEqual([])
  })

  test('keeps a term reachable whose keyword failed: its negatives are left out until it is made', async () => {
    const id = await acts.begin()
    const items = [indexOfOnlyExact(await plannedKeywords())]
    acts.fault('partial', '/sp/keywords', { items, selector: 'malformedValueError', reason: 'FORBIDDEN_CHARS' })
    await acts.run(id)
    const half = await acts.view(id)
    const failed = stepOf(half, 'KEYWORDS')?.errors[0]?.item.replace(/ \(.*\)$/, '')
    const negativesOf = ({ created }: Launch) =>
      created.filter(c => c.entity === 'NEGATIVE_KEYWORD' && c.name.startsWith(`${failed} kept out`))
    expect(negativesOf(half)).toEqual([])
    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    const whole = await acts.view(id)
    expect(whole.status).toBe('COMPLETED')
    expect(negativesOf(whole)).not.toEqual([])
  })

  test('keeps out what the user wants kept out, also where a keyword of the same words failed', async () => {
    const id = await acts.begin({
      template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
      setupMode: 'GUIDED',
      automationMode: 'MANUAL',
      keywordMatchType: 'BROAD',
      keywords: ['cheap press', 'garlic press'].map(keyword => ({ keyword, bid: 1 })),
      negativeKeywords: [{ keyword: 'Cheap press' }],
    })
    acts.fault('partial', '/sp/keywords', { items: [0], selector: 'rangeError', reason: 'TOO_LOW' })
    await acts.run(id)
    const half = await acts.view(id)
    expect(stepOf(half, 'KEYWORDS')?.status).toBe('PARTIAL')
    expect(half.created.filter(c => c.entity === 'NEGATIVE_KEYWORD').map(c => c.name)).toEqual([
      'Cheap press kept out of Keywords | Broad',
    ])
  })

  test.each(['/sp/adGroups', '/sp/productAds', '/sp/negativeKeywords'])(
    'stays paused as long as something essential is missing (%s), and runs once it is made',
    async path => {
      const id = await acts.begin()
      acts.fault('partial', path, { items: [2], selector: 'otherError', reason: 'OTHER_ERROR' })
      await acts.run(id)
      const half = await acts.view(id)
      expect(half.status).toBe('PARTIAL')
      expect(stepOf(half, 'ENABLE')?.errors[0]?.reason).toBe('HELD_BACK')
      expect(acts.campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('PAUSED'))
      await retryLaunch(await scene.caller(), id)
      await acts.run(id)
      expect((await acts.view(id)).status).toBe('COMPLETED')
      expect(acts.campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('ENABLED'))
    },
  )

  test('stays paused while an automatic target would buy at another bid than was confirmed', async () => {
    const id = await acts.begin()
    const match = { vendor: 'ads', method: 'PUT', path: '/sp/targets' } as const
    scene.world.faults.add({ match, kind: 'partial', items: [1], selector: 'rangeError', reason: 'TOO_LOW' })
    await acts.run(id)
    const half = await acts.view(id)
    expect(stepOf(half, 'AUTO_TARGETS')?.errors).toMatchObject([{ item: 'Loose match', reason: 'TOO_LOW' }])
    expect(acts.campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('PAUSED'))
    const { merchantId } = scene
    const edited = sql`update campaign set daily_budget_micros = 77000000 where merchant_id = ${merchantId}
      and amazon_id = ${acts.campaignsOf(half.campaignName)[0]?.campaignId}`
    await scene.services.db.tenant(merchantId, tx => edited.execute(tx))
    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(acts.campaignsOf(half.campaignName).map(c => c.state)).toEqual(Array(5).fill('ENABLED'))
    // What was edited while it rested stays so.
    const unchanged = sql`select state from campaign where merchant_id = ${merchantId} and daily_budget_micros = 77000000`
    const { rows } = await scene.services.db.tenant(merchantId, tx => unchanged.execute(tx))
    expect(rows).toEqual([{ state: 'ENABLED' }])
  })

  test('with no campaign made has FAILED, gives its names back, and can be tried again under them', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const id = await acts.begin({ campaignName })
    acts.fault('partial', '/sp/campaigns', { items: [0, 1, 2, 3, 4], selector: 'otherError', reason: 'OTHER_ERROR' })
    await acts.run(id)
    expect(await acts.view(id)).toMatchObject({ status: 'FAILED', created: [] })
    expect(stepOf(await acts.view(id), 'KEYWORDS')?.errors).toEqual([])
    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    await expect(acts.begin({ campaignName, budget: 61 })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is not tried again under a name that another launch has taken since', async () => {
    const campaignName = `Launch ${randomUUID().slice(0, 8)}`
    const id = await acts.begin({ campaignName })
    acts.fault('partial', '/sp/campaigns', { items: [0, 1, 2, 3, 4], selector: 'otherError', reason: 'OTHER_ERROR' })
    await acts.run(id)
    await acts.run(await acts.begin({ campaignName, budget: 61 }))
    await expect(retryLaunch(await scene.caller(), id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('an item that failed for the moment is sent again by itself', async () => {
    const id = await acts.begin()
    acts.fault('partial', '/sp/keywords', { items: [0], selector: 'throttledError', reason: 'THROTTLED' })
    await acts.run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
  })

  test('a campaign of the name that someone made in the console is never taken for ours', async () => {
    const id = await acts.begin()
    const { campaignName } = await acts.view(id)
    const other = [...scene.world.store.campaigns.values()][0]
    const name = `TL | ${campaignName} | Ranking | Exact`
    if (!other) throw new Error('the world has no campaign')
    scene.world.change(books =>
      books.campaigns.set('999000999', { ...other, campaignId: '999000999', name, state: 'PAUSED', tags: {} }),
    )
    await acts.run(id)
    const half = await acts.view(id)
    expect(half.status).toBe('PARTIAL')
    expect(stepOf(half, 'CAMPAIGNS')?.errors).toMatchObject([{ item: name, reason: 'NAME_NOT_UNIQUE' }])
    expect(half.created.map(c => c.id)).not.toContain('999000999')
    expect(scene.world.store.campaigns.get('999000999')?.state).toBe('PAUSED')
  })
})

describe('a marketplace', () => {
  test('that no longer accepts our permission ends the launch with what to do, and a retry continues from there', async () => {
    const id = await acts.begin()
    acts.fault('expired-token', '/sp/productAds', { times: 2 })
    await acts.run(id)
    const stopped = await acts.view(id)
    expect(stopped.status).toBe('PARTIAL')
    expect(stepOf(stopped, 'PRODUCT_ADS')).toMatchObject({
      status: 'FAILED',
      errors: [{ reason: 'UPSTREAM_UNAUTHORIZED' }],
    })
    expect(acts.campaignsOf(stopped.campaignName).every(c => c.state === 'PAUSED')).toBe(true)
    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
  })

  test('a job that failed for good closes its launch so that it can be retried', async () => {
    const id = await acts.begin()
    await giveUpLaunch(scene.services, { merchantId: scene.merchantId, launchId: id })
    expect(await acts.view(id)).toMatchObject({ status: 'FAILED', canRetry: true })
    await retryLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
  })
})

test('a product that became ineligible after the launch was accepted ends it with the reason', async () => {
  const id = await acts.begin()
  const set = (eligibility_status: 'ELIGIBLE' | 'INELIGIBLE') =>
    scene.services.db.system
      .updateTable('product')
      .set({ eligibility_status })
      .where('merchant_id', '=', scene.merchantId)
      .where('asin', '=', acts.productOf('ELIGIBLE').asin)
      .execute()
  await set('INELIGIBLE')
  await acts.run(id)
  await set('ELIGIBLE')
  const ended = await acts.view(id)
  expect(ended).toMatchObject({ status: 'FAILED', canRetry: true })
  expect(stepOf(ended, 'RECOMMENDATIONS')?.errors[0]).toMatchObject({
    reason: 'PRODUCT_NOT_ELIGIBLE',
    message: 'This product is not eligible for Sponsored Products campaigns.',
  })
  await retryLaunch(await scene.caller(), id)
  await expect(acts.begin({ campaignName: ended.campaignName, budget: 61 })).rejects.toMatchObject({ code: 'CONFLICT' })
  await acts.run(id)
  expect((await acts.view(id)).status).toBe('COMPLETED')
})

test('a launch without any recommendation says so in the review, creates nothing, and fails with the reason', async () => {
  const payload = acts.payloadOf({
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
  })
  const { db, clock } = scene.services
  const [subject] = payload.products.map(p => p.asin)
  const fetched_at = clock.now()
  await db.system
    .insertInto('recommendation_answer')
    .values({
      merchant_id: scene.merchantId,
      profile_id: scene.profileId,
      kind: 'KEYWORDS',
      subject: subject ?? '',
      answer: '[]',
      fetched_at,
    })
    .onConflict(conflict =>
      conflict.columns(['merchant_id', 'profile_id', 'kind', 'subject']).doUpdateSet({ answer: '[]', fetched_at }),
    )
    .execute()
  const shown = await previewLaunch(await scene.caller(), payload)
  expect([shown.campaigns, shown.warnings[0]]).toEqual([[], NOTHING_TO_TARGET])
  const { launchId } = await createLaunch(await scene.caller(), payload)
  await acts.run(launchId)
  const ended = await acts.view(launchId)
  await db.system.deleteFrom('recommendation_answer').execute()
  expect(ended).toMatchObject({ status: 'FAILED', created: [] })
  expect(stepOf(ended, 'RECOMMENDATIONS')).toMatchObject({ status: 'FAILED', errors: [{ message: NOTHING_TO_TARGET }] })
})

test('several workers on one launch make it once', async () => {
  const id = await acts.begin()
  const key = { merchantId: scene.merchantId, launchId: id }
  const signal = scene.watch()
  await Promise.all([1, 2, 3].map(() => runLaunch(scene.services, key, { signal }, quickTiming)))
  const launch = await acts.view(id)
  expect(launch.status).toBe('COMPLETED')
  expect(acts.campaignsOf(launch.campaignName)).toHaveLength(5)
  expect(scene.calls.filter(c => c.path === '/sp/campaigns' && c.method === 'POST')).toHaveLength(1)
})

// Last, because our own calls rest for as long as the marketplace asked.
test('a throttling marketplace pauses a launch, which shows until when', async () => {
  const id = await acts.begin()
  acts.fault('throttle', '/sp/adGroups', { retryAfterSeconds: 60 })
  const rested = await acts.run(id)
  expect(rested).toMatchObject({ again: true })
  expect(rested.again && rested.afterSeconds).toBeGreaterThanOrEqual(59)
  const resting = await acts.view(id)
  expect(resting.status).toBe('IN_PROGRESS')
  expect(Date.parse(resting.waitingUntil ?? '')).toBeGreaterThan(Date.now())
})
