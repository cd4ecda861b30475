import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { FaultKind } from '#sandbox/core/faults.ts'
import { openLaunchScene, type Call, type Fate, type LaunchScene } from '../../../../tests/support/launch-scene.ts'
import { createPayload, type CreatePayloadInput } from '../contract.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { createLaunch } from './create-launch.ts'
import { getLaunch } from './log/get-launch.ts'
import { type RunResult, runLaunch } from './run/run-launch.ts'
import type { Timing } from './run/timing.ts'

const timing: Timing = { quietMs: 100, pollMs: 15, leaseMs: 250, maxSends: 3 }

let scene: LaunchScene
beforeAll(async () => {
  scene = await openLaunchScene()
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const eligible = () => {
  const product = scene.products.find(p => p.eligibility === 'ELIGIBLE')
  if (!product) throw new Error('the scenario has no eligible product')
  return { asin: product.asin, sku: product.sku ?? '' }
}
const funnel = (extra: Partial<CreatePayloadInput> = {}) =>
  v.parse(createPayload, {
    campaignName: `Launch ${randomUUID().slice(0, 8)}`,
    budget: 60.07,
    targetAcos: 30,
    setupMode: 'SMART',
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    products: [eligible()],
    ...extra,
  })
const begin = async (extra: Partial<CreatePayloadInput> = {}): Promise<number> =>
  (await createLaunch(await scene.caller(), funnel(extra))).launchId

/** Runs until the launch rests; a killed run is given up without a word, like a killed process. */
const run = async (launchId: number, fate?: (call: Call) => Fate): Promise<RunResult | 'KILLED'> => {
  const signal = scene.watch(fate)
  const killed = new Promise<'KILLED'>(resolve => signal.addEventListener('abort', () => resolve('KILLED')))
  const key = { merchantId: scene.merchantId, launchId }
  return Promise.race([killed, runLaunch(scene.services, key, { signal }, timing)])
}
const view = async (launchId: number) => getLaunch(await scene.caller(), launchId)
const planOf = async (launchId: number): Promise<LaunchPlan> => {
  const row = await scene.services.db.system
    .selectFrom('launch')
    .select('plan')
    .where('id', '=', launchId)
    .executeTakeFirstOrThrow()
  return row.plan as LaunchPlan
}

/** What the marketplace's own books hold of campaigns whose name contains `name`, as a tree of plain values. */
const booksOf = (name: string) => {
  const { books } = scene.world
  const under = <T extends { adGroupId: string | null; state: string }>(all: Iterable<T>, id: string) =>
    [...all].filter(one => one.adGroupId === id && one.state !== 'ARCHIVED')
  return [...books.campaigns.values()]
    .filter(c => c.name.includes(name))
    .map(c => ({
      name: c.name,
      state: c.state,
      budget: c.budgetMicros,
      groups: [...books.adGroups.values()]
        .filter(g => g.campaignId === c.campaignId)
        .map(g => ({
          defaultBid: g.defaultBidMicros,
          ads: under(books.productAds.values(), g.adGroupId).map(a => a.sku),
          keywords: under(books.keywords.values(), g.adGroupId)
            .map(k => `${k.matchType} ${k.keywordText} ${k.bidMicros}`)
            .toSorted(),
          targets: under(books.targets.values(), g.adGroupId)
            .map(t => [t.expression[0]?.type, t.expression[0]?.value, t.bidMicros].filter(Boolean).join(' '))
            .toSorted(),
          negatives: under(books.negativeKeywords.values(), g.adGroupId)
            .map(n => n.keywordText)
            .toSorted(),
        })),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
const autoNames: Record<string, string> = {
  CLOSE_MATCH: 'QUERY_HIGH_REL_MATCHES',
  LOOSE_MATCH: 'QUERY_BROAD_REL_MATCHES',
  SUBSTITUTES: 'ASIN_SUBSTITUTE_RELATED',
  COMPLEMENTS: 'ASIN_ACCESSORY_RELATED',
}
const expressionNames = {
  CATEGORY: 'ASIN_CATEGORY_SAME_AS',
  PRODUCT_EXACT: 'ASIN_SAME_AS',
  PRODUCT_SIMILAR: 'ASIN_EXPANDED_FROM',
}
/** The same tree, as the plan wants it. */
const wanted = (plan: LaunchPlan, state = 'ENABLED') =>
  plan.campaigns
    .map(c => ({
      name: c.name,
      state,
      budget: c.dailyBudgetMicros,
      groups: c.adGroups.map(g => ({
        defaultBid: g.defaultBid.micros,
        ads: g.products.map(p => p.sku),
        keywords: g.keywords.map(k => `${k.matchType} ${k.text} ${k.bid.micros}`).toSorted(),
        targets: [
          ...g.autoTargets.map(t => `${autoNames[t.group]} ${t.bid.micros}`),
          ...g.targets.map(t => `${expressionNames[t.match]} ${t.value} ${t.bid.micros}`),
        ].toSorted(),
        negatives: g.negativeKeywords.toSorted(),
      })),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))

const expectWhole = async (launchId: number) => {
  const launch = await view(launchId)
  expect(launch.steps.flatMap(s => s.errors)).toEqual([])
  expect(launch.status).toBe('COMPLETED')
  const plan = await planOf(launchId)
  expect(booksOf(launch.campaignName)).toEqual(wanted(plan))
  return { launch, plan }
}

describe('a funnel', () => {
  test('is made as planned, to the cent, in at most 12 calls, and is seen in the structure', async () => {
    const id = await begin({ includeHighImpact: true })
    expect(await run(id)).toEqual({ again: false })
    expect(scene.calls.map(c => `${c.method} ${c.path}`)).toHaveLength(10)
    const { launch, plan } = await expectWhole(id)
    expect(plan.campaigns).toHaveLength(6)
    expect(launch.created.filter(c => c.entity === 'CAMPAIGN')).toHaveLength(6)
    const mirrored = await scene.services.db.system
      .selectFrom('campaign')
      .select(['name', 'state', 'daily_budget_micros'])
      .where('merchant_id', '=', scene.merchantId)
      .where('name', 'like', `%${launch.campaignName}%`)
      .execute()
    expect(mirrored.map(c => `${c.name} ${c.state} ${c.daily_budget_micros}`).toSorted()).toEqual(
      plan.campaigns.map(c => `${c.name} ENABLED ${c.dailyBudgetMicros}`).toSorted(),
    )
  })

  test('run again changes nothing', async () => {
    const id = await begin()
    await run(id)
    await run(id)
    expect(scene.calls).toEqual([])
    await expectWhole(id)
  })

  // The first two calls may be answered from what is kept.
  test.each(
    Array.from({ length: 8 }, (_, i) => i + 1).flatMap(no => [
      [no, 'HANG_BEFORE'] as const,
      [no, 'HANG_AFTER'] as const,
    ]),
  )('killed at call %d (%s) is gone on with: nothing is lost, nothing is twice', async (no, fate) => {
    const id = await begin()
    expect(await run(id, call => (call.no === no ? fate : 'PASS'))).toBe('KILLED')
    expect(await run(id)).toEqual({ again: false })
    await expectWhole(id)
  })

  test('killed again and again, at every other call, comes out whole', async () => {
    const id = await begin({ includeHighImpact: true })
    let kills = 0
    for (let round = 0; round < 40; round++) {
      const at = 1 + (round % 3)
      const ended = await run(id, call => (call.no === at + 1 ? (round % 2 ? 'HANG_AFTER' : 'HANG_BEFORE') : 'PASS'))
      if (ended !== 'KILLED') break
      kills++
    }
    expect(kills).toBeGreaterThan(3)
    await expectWhole(id)
  })
})

const funnelCalls = [
  'POST /sp/targets/keywords/recommendations',
  'POST /sp/targets/bid/recommendations',
  'POST /sp/campaigns',
  'POST /sp/adGroups',
  'POST /sp/productAds',
  'POST /sp/keywords',
  'POST /sp/targets/list',
  'PUT /sp/targets',
  'POST /sp/negativeKeywords',
  'PUT /sp/campaigns',
]
const targetCalls = [
  'POST /sp/targets/products/recommendations',
  'POST /sp/campaigns',
  'POST /sp/adGroups',
  'POST /sp/productAds',
  'POST /sp/targets',
  'PUT /sp/campaigns',
]
const target = { template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN', productTargetType: 'PRODUCT' } as const
const faults: [FaultKind, object][] = [
  ['drop-before', {}],
  ['drop-after', {}],
  ['status', { status: 500 }],
  ['status', { status: 503 }],
  ['throttle', { retryAfterSeconds: 0 }],
  ['malformed', {}],
  ['partial', { items: [0], selector: 'internalServerError', reason: 'INTERNAL_ERROR' }],
  ['expired-token', {}],
  ['slow', { delayMs: 20 }],
]

/** A launch that meets the fault once at each of the calls, and goes on as its job would. */
const walk = async (calls: readonly string[], [kind, extra]: [FaultKind, object], input: object) => {
  await scene.services.db.system.deleteFrom('recommendation_answer').execute()
  const id = await begin(input)
  for (const call of calls) {
    const [method = '', path] = call.split(' ')
    scene.world.faults.add({ match: { vendor: 'ads', method, path }, kind, ...extra })
  }
  for (let round = 0; round < calls.length * 2; round++) {
    const ended = await run(id)
    if (ended === 'KILLED' || !ended.again) break
  }
  expect(scene.world.faults.list().map(f => f.match.path)).toEqual([])
  await expectWhole(id)
}

describe.each(faults)('a marketplace that answers once at every step with %s %j', (kind, extra) => {
  test('leads in a funnel to neither a loss nor a duplicate', () => walk(funnelCalls, [kind, extra], {}))
  test('leads in product targets to neither a loss nor a duplicate', () => walk(targetCalls, [kind, extra], target))
})

test('a marketplace that never answers leads to neither a loss nor a duplicate', async () => {
  const id = await begin()
  scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path: '/sp/keywords' }, kind: 'hang' })
  expect(await run(id)).toEqual({ again: false })
  await expectWhole(id)
})
