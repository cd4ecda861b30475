import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { type LaunchAdvice, type LaunchPlan, noAdvice, type PlanMarket, type PlanProduct } from './launch-plan.ts'
import { marketProblems } from './market-rules.ts'
import { createPayload, type CreatePayloadInput } from '../payload.ts'
import { normalTerm, payloadProblems } from '../payload-rules.ts'
import { campaignNamesOf, planLaunch } from './plan-launch.ts'
import { phaseOrder } from './plan-structure.ts'
import { quotas } from './plan-terms.ts'
import { templates } from '../templates.ts'

const marketOf = (key: string, extra: Partial<PlanMarket> = {}): PlanMarket => {
  const facts = marketplaceByKey(key)
  if (!facts) throw new Error(`no marketplace ${key}`)
  return { ...facts, accountType: 'seller', campaignPrefix: 'TL', ...extra }
}
const us = marketOf('US')

const range = (low: number, median: number, high: number) => ({
  lowMicros: toMicros(low),
  medianMicros: toMicros(median),
  highMicros: toMicros(high),
})
const words = (n: number) => Array.from({ length: n }, (_, i) => `yoga mat ${i + 1}`)
const adviceOf = (n: number, scale = 1): LaunchAdvice => ({
  keywords: words(n).flatMap(text => [
    { text, matchType: 'EXACT' as const, suggested: range(0.5 * scale, scale, 1.5 * scale) },
    { text, matchType: 'PHRASE' as const, suggested: range(0.4 * scale, 0.8 * scale, 1.2 * scale) },
    { text, matchType: 'BROAD' as const, suggested: range(0.3 * scale, 0.6 * scale, 0.9 * scale) },
  ]),
  auto: [
    { group: 'CLOSE_MATCH', suggested: range(0.4 * scale, 0.7 * scale, scale) },
    { group: 'LOOSE_MATCH', suggested: range(0.2 * scale, 0.3 * scale, 0.5 * scale) },
  ],
  categories: [{ id: '11', name: 'Mats', suggested: range(0.2 * scale, 0.4 * scale, 0.6 * scale) }],
  products: ['B0RIVAL001', 'B0RIVAL002'].map(asin => ({ asin, suggested: null })),
})
const product = (extra: Partial<PlanProduct> = {}): PlanProduct => ({
  asin: 'B0TESTASIN',
  sku: 'MAT-1',
  title: 'Mat',
  orderValueMicros: null,
  conversionRate: null,
  ...extra,
})

const payloadOf = (input: Partial<CreatePayloadInput> = {}) =>
  v.parse(createPayload, {
    campaignName: 'Mats',
    budget: 100,
    targetAcos: 30,
    setupMode: 'SMART',
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    products: [{ asin: 'B0TESTASIN', sku: 'MAT-1' }],
    ...input,
  })
const plan = (
  input: Partial<CreatePayloadInput> = {},
  { advice = adviceOf(80), market = us, products = [product()] } = {},
): LaunchPlan => planLaunch({ payload: payloadOf(input), market, products, advice })

const groupsOf = (p: LaunchPlan) => p.campaigns.flatMap(c => c.adGroups)
const groupOf = (p: LaunchPlan, key: string) => {
  const group = groupsOf(p).find(g => g.key === key)
  if (!group) throw new Error(`no ad group ${key}`)
  return group
}
const textsOf = (p: LaunchPlan, key: string) => groupOf(p, key).keywords.map(k => k.text)
const budgetsOf = (p: LaunchPlan) => p.campaigns.map(c => fromMicros(c.dailyBudgetMicros))

describe('a smart campaign funnel', () => {
  test('is a campaign a phase, Discovery being one automatic and one broad', () => {
    const p = plan()
    expect(p.campaigns.map(c => [c.name, c.targetingType, fromMicros(c.dailyBudgetMicros)])).toEqual([
      ['TL | Mats | Discovery | Auto', 'AUTO', 12.5],
      ['TL | Mats | Discovery | Broad', 'MANUAL', 12.5],
      ['TL | Mats | Research | Phrase', 'MANUAL', 20],
      ['TL | Mats | Performance | Exact', 'MANUAL', 35],
      ['TL | Mats | Ranking | Exact', 'MANUAL', 20],
    ])
    expect(p.campaigns.map(c => c.name)).toEqual(campaignNamesOf(payloadOf(), us))
  })

  test('with High Impact has six campaigns and the budget 20, 15, 30, 15, 20', () => {
    const p = plan({ includeHighImpact: true })
    expect(p.campaigns.at(-1)?.name).toBe('TL | Mats | High Impact | Exact')
    expect(budgetsOf(p)).toEqual([10, 10, 15, 30, 15, 20])
  })

  test('gives the strongest terms to the furthest phases, each in its match type', () => {
    const p = plan({ includeHighImpact: true })
    expect(textsOf(p, 'high-impact-exact')).toEqual(words(3))
    expect(textsOf(p, 'ranking-exact')).toEqual(words(8).slice(3))
    expect(textsOf(p, 'performance-exact')).toEqual(words(23).slice(8))
    expect(new Set(groupOf(p, 'research-phrase').keywords.map(k => k.matchType))).toEqual(new Set(['PHRASE']))
    expect(new Set(groupOf(p, 'discovery-broad').keywords.map(k => k.matchType))).toEqual(new Set(['BROAD']))
  })

  test.each([0, 1, 2, 3, 5, 11, 40, 80])('puts each of %d recommended terms in exactly one phase', count => {
    const p = plan({ includeHighImpact: true }, { advice: adviceOf(count) })
    const terms = groupsOf(p).flatMap(g => g.keywords.map(k => normalTerm(k.text)))
    expect(new Set(terms).size).toBe(terms.length)
    expect(terms.length).toBe(Math.min(count, 63))
  })

  test('keeps each later phase’s terms out of the earlier ones, and no other', () => {
    const p = plan({ includeHighImpact: true })
    for (const group of groupsOf(p)) {
      const own = phaseOrder.indexOf(group.phase)
      const later = groupsOf(p)
        .filter(g => phaseOrder.indexOf(g.phase) > own)
        .flatMap(g => g.keywords.map(k => k.text))
      expect(group.negativeKeywords.toSorted()).toEqual(later.toSorted())
      expect(group.keywords.some(k => group.negativeKeywords.includes(k.text))).toBe(false)
    }
    expect(groupOf(p, 'high-impact-exact').negativeKeywords).toEqual([])
  })

  test('bids what the marketplace suggests for the match type, by strategy', () => {
    const bidsOf = (strategy: 'PASSIVE' | 'NORMAL' | 'GROWTH') => {
      const p = plan({ strategy })
      return ['discovery-broad', 'research-phrase', 'performance-exact'].map(key =>
        fromMicros(groupOf(p, key).keywords[0]?.bid.micros ?? 0),
      )
    }
    expect(bidsOf('PASSIVE')).toEqual([0.3, 0.4, 0.5])
    expect(bidsOf('NORMAL')).toEqual([0.6, 0.8, 1])
    expect(bidsOf('GROWTH')).toEqual([0.9, 1.2, 1.5])
  })

  test('bids for the four automatic groups each by itself, and by the default where nothing is suggested', () => {
    const { autoTargets } = groupOf(plan({ strategy: 'GROWTH' }), 'discovery-auto')
    // The middle of the known medians (0.3, 0.7) is 0.7; 0.7 x 1.3 = 0.91.
    expect(autoTargets.map(t => [t.group, fromMicros(t.bid.micros)])).toEqual([
      ['CLOSE_MATCH', 1],
      ['LOOSE_MATCH', 0.5],
      ['SUBSTITUTES', 0.91],
      ['COMPLEMENTS', 0.91],
    ])
  })

  test('never bids past what the target ACOS allows, where order value and conversion rate are known', () => {
    const known = product({ orderValueMicros: toMicros(20), conversionRate: 0.1 })
    const p = plan({ strategy: 'GROWTH', targetAcos: 30, includeHighImpact: true }, { products: [known] })
    const bids = groupsOf(p).flatMap(g => [...g.keywords, ...g.autoTargets, { bid: g.defaultBid }].map(x => x.bid))
    expect(Math.max(...bids.map(b => b.micros))).toBe(toMicros('0.6'))
  })

  test('competes at the top of search in Ranking, and lets only Growth and High Impact bid upwards', () => {
    const raise = (strategy: 'PASSIVE' | 'NORMAL' | 'GROWTH') =>
      plan({ strategy, includeHighImpact: true }).campaigns.map(c => [c.topOfSearchPercent, c.biddingStrategy])
    expect(raise('NORMAL')).toEqual([
      [0, 'SALES_DOWN_ONLY'],
      [0, 'SALES_DOWN_ONLY'],
      [0, 'SALES_DOWN_ONLY'],
      [0, 'SALES_DOWN_ONLY'],
      [50, 'SALES_DOWN_ONLY'],
      [100, 'SALES_UP_AND_DOWN'],
    ])
    expect(raise('PASSIVE')[4]).toEqual([25, 'SALES_DOWN_ONLY'])
    expect(raise('GROWTH')[4]).toEqual([100, 'SALES_UP_AND_DOWN'])
  })

  test('without a single recommended term is the automatic campaign with the whole budget, and says so', () => {
    const p = plan({}, { advice: noAdvice })
    expect(p.campaigns.map(c => [c.key, fromMicros(c.dailyBudgetMicros)])).toEqual([['discovery-auto', 100]])
    expect(p.warnings).toHaveLength(4)
  })

  test('leaves out recommended terms that the marketplace would refuse as keywords', () => {
    const long = { text: 'x'.repeat(81), matchType: 'EXACT' as const, suggested: null }
    const wordy = { text: 'a b c d e f g h i j k', matchType: 'EXACT' as const, suggested: null }
    const p = plan({}, { advice: { ...noAdvice, keywords: [long, wordy, ...adviceOf(4).keywords] } })
    expect(
      groupsOf(p)
        .flatMap(g => g.keywords.map(k => k.text))
        .toSorted(),
    ).toEqual(words(4))
  })
})

describe('a guided campaign funnel', () => {
  const guided = (keywords: CreatePayloadInput['keywords'], extra: Partial<CreatePayloadInput> = {}) => ({
    setupMode: 'GUIDED' as const,
    keywordMatchType: 'EXACT' as const,
    keywords,
    ...extra,
  })

  test('takes the user’s keywords by their match type, at the user’s bids', () => {
    const p = plan(
      guided([
        { keyword: 'Cork Mat', matchType: 'BROAD', bid: 0.33 },
        { keyword: 'thick mat', matchType: 'PHRASE', bid: 0.44 },
        { keyword: 'red mat', bid: 0.55 },
      ]),
      { advice: noAdvice },
    )
    expect(groupOf(p, 'discovery-broad').keywords).toMatchObject([
      { text: 'Cork Mat', bid: { micros: toMicros('0.33'), source: 'YOURS' } },
    ])
    expect(textsOf(p, 'research-phrase')).toEqual(['thick mat'])
    expect(textsOf(p, 'performance-exact')).toEqual(['red mat'])
    expect(groupOf(p, 'discovery-broad').negativeKeywords).toEqual(['thick mat', 'red mat'])
  })

  test('gives the strongest quarter of the exact keywords to Ranking', () => {
    const keywords = words(8).map((keyword, i) => ({ keyword, bid: 1 + i / 10 }))
    const p = plan(guided(keywords), { advice: noAdvice })
    expect(textsOf(p, 'ranking-exact')).toEqual(['yoga mat 8', 'yoga mat 7'])
    expect(textsOf(p, 'performance-exact')).toHaveLength(6)
  })

  test('fills with recommendations the phases for which nothing was chosen, and says so', () => {
    const p = plan(guided([{ keyword: 'Yoga Mat 1', bid: 1 }]))
    expect(textsOf(p, 'performance-exact')).toEqual(['Yoga Mat 1'])
    expect(textsOf(p, 'research-phrase').length).toBeGreaterThan(0)
    expect(
      groupsOf(p)
        .flatMap(g => g.keywords)
        .filter(k => normalTerm(k.text) === 'yoga mat 1'),
    ).toHaveLength(1)
    expect(p.warnings.some(w => w.startsWith('Research (Phrase) takes recommended keywords'))).toBe(true)
  })

  test('keeps a term chosen twice in its furthest phase alone', () => {
    const p = plan(
      guided([
        { keyword: 'red mat', matchType: 'BROAD', bid: 0.5 },
        { keyword: 'Red  Mat', matchType: 'EXACT', bid: 0.9 },
      ]),
      { advice: noAdvice },
    )
    expect(groupsOf(p).flatMap(g => g.keywords.map(k => [k.text, k.matchType]))).toEqual([['Red  Mat', 'EXACT']])
    expect(p.warnings.join()).toContain('furthest phase')
  })

  test('bounds the user’s bid by the campaign’s budget and says so', () => {
    const p = plan(guided([{ keyword: 'red mat', bid: 500 }]), { advice: noAdvice })
    const performance = p.campaigns.find(c => c.key === 'performance-exact')
    expect(performance?.adGroups[0]?.keywords[0]?.bid).toMatchObject({ micros: toMicros(35), limitedBy: 'BUDGET' })
    expect(p.warnings.join()).toContain('red mat')
  })
})

describe('a keyword campaign', () => {
  const template = 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN' as const

  test('automatic is one automatic campaign with the whole budget', () => {
    const p = plan({ template, automationMode: 'AUTO' })
    expect(p.campaigns).toMatchObject([
      { name: 'TL | Mats | Keywords | Auto', targetingType: 'AUTO', dailyBudgetMicros: toMicros(100) },
    ])
    expect(p.campaigns[0]?.adGroups[0]?.autoTargets).toHaveLength(4)
  })

  test.each(['BROAD', 'PHRASE', 'EXACT'] as const)('manual and smart takes recommended %s keywords', matchType => {
    const p = plan({ template, automationMode: 'MANUAL', keywordMatchType: matchType })
    expect(p.campaigns).toHaveLength(1)
    expect(p.campaigns[0]?.adGroups[0]?.keywords.map(k => k.matchType)).toEqual(Array(25).fill(matchType))
  })

  test('manual and guided makes a campaign for each match type that was chosen, sharing the budget', () => {
    const keywords = [
      { keyword: 'red mat', matchType: 'EXACT' as const, bid: 1 },
      { keyword: 'red mat', matchType: 'BROAD' as const, bid: 0.5 },
    ]
    const p = plan({
      template,
      setupMode: 'GUIDED',
      automationMode: 'MANUAL',
      keywordMatchType: 'EXACT',
      keywords,
      budget: 10.01,
    })
    expect(p.campaigns.map(c => [c.name, fromMicros(c.dailyBudgetMicros)])).toEqual([
      ['TL | Mats | Keywords | Broad', 5.01],
      ['TL | Mats | Keywords | Exact', 5],
    ])
    expect(groupsOf(p).flatMap(g => g.negativeKeywords)).toEqual([])
  })
})

describe('every template', () => {
  const complete: Partial<CreatePayloadInput> = {
    automationMode: 'MANUAL',
    keywordMatchType: 'PHRASE',
    keywords: [
      { keyword: 'red mat', bid: 1 },
      { keyword: 'blue mat', matchType: 'EXACT', bid: 1 },
    ],
  }
  const cases = templates.flatMap(template =>
    (['SMART', 'GUIDED'] as const).flatMap(setupMode =>
      (['CATEGORY', 'PRODUCT'] as const).map(productTargetType => ({ template, setupMode, productTargetType })),
    ),
  )

  test.each(cases)('$template, $setupMode, $productTargetType holds what the marketplace demands', one => {
    const input = {
      ...complete,
      ...one,
      categories: [{ id: '11', name: 'Mats', bid: 1 }],
      productTargets: [{ asin: 'B0RIVAL009', bid: 1 }],
    }
    expect(payloadProblems(payloadOf(input))).toEqual([])
    const p = plan(input)
    expect(p.campaigns.reduce((sum, c) => sum + c.dailyBudgetMicros, 0)).toBe(toMicros(100))
    expect(new Set(p.campaigns.map(c => c.name)).size).toBe(p.campaigns.length)
    expect(new Set(groupsOf(p).map(g => g.key)).size).toBe(groupsOf(p).length)
    for (const c of p.campaigns)
      for (const g of c.adGroups) {
        expect(g.autoTargets.length > 0).toBe(c.targetingType === 'AUTO')
        expect([g.autoTargets, g.keywords, g.targets].filter(list => list.length)).toHaveLength(1)
        expect(g.products).toEqual([{ asin: 'B0TESTASIN', sku: 'MAT-1' }])
        for (const { bid } of [...g.keywords, ...g.autoTargets, ...g.targets, { bid: g.defaultBid }])
          expect(bid.micros <= c.dailyBudgetMicros && bid.micros >= us.minBidMicros).toBe(true)
      }
  })

  test('a multi-product template advertises all products in each ad group', () => {
    const products = [product(), product({ asin: 'B0TESTASI2', sku: 'MAT-2' })]
    const input = {
      template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL' as const,
      products: products.map(({ asin, sku }) => ({ asin, sku })),
    }
    const p = plan(input, { products })
    expect(p.campaigns.map(c => [c.targetingType, c.adGroups.length])).toEqual([
      ['AUTO', 1],
      ['MANUAL', 4],
    ])
    expect(groupsOf(p).every(g => g.products.length === 2)).toBe(true)
    expect(budgetsOf(p)).toEqual([12.5, 87.5])
  })
})

test('in yen every budget and bid is a whole number within the market’s limits', () => {
  const jp = marketOf('JP')
  const p = plan(
    { budget: 1003, strategy: 'GROWTH', includeHighImpact: true },
    { advice: adviceOf(60, 87), market: jp },
  )
  const amounts = [
    ...p.campaigns.map(c => c.dailyBudgetMicros),
    ...groupsOf(p).flatMap(g => [...g.keywords, ...g.autoTargets].map(k => k.bid.micros)),
  ]
  expect(amounts.every(micros => hasUnitPrecision(micros, 'JPY'))).toBe(true)
  expect(budgetsOf(p).reduce((a, b) => a + b, 0)).toBe(1003)
  expect(Math.min(...budgetsOf(p))).toBeGreaterThanOrEqual(100)
})

test('the same input gives the same plan', () => {
  expect(plan({ includeHighImpact: true })).toEqual(plan({ includeHighImpact: true }))
})

test.each([
  [10, [3, 5, 15, 20, 20]],
  [1, [3, 5]],
  [63, [3, 5, 15, 20, 20]],
  [4, [0, 3, 3]],
])('%d terms are shared out exactly', (count, capacities) => {
  const shares = quotas(count, capacities)
  expect(shares.reduce((a, b) => a + b, 0)).toBe(
    Math.min(
      count,
      capacities.reduce((a, b) => a + b, 0),
    ),
  )
  expect(shares.every((s, i) => s <= (capacities[i] ?? 0))).toBe(true)
})

describe('the marketplace’s limits', () => {
  const messages = (input: Partial<CreatePayloadInput>, market = us) =>
    marketProblems(payloadOf(input), market).map(p => p.message)

  test('a budget too small for the campaigns of the structure is refused with the least that would do', () => {
    expect(messages({ budget: 4.99 })).toEqual([
      'The budget must be at least 5 USD a day: it is shared by 5 campaigns, and the marketplace asks at least 1 for each',
    ])
    expect(messages({ budget: 5 })).toEqual([])
    expect(messages({ budget: 599, includeHighImpact: true }, marketOf('JP'))).toHaveLength(1)
  })

  test('a yen has no decimals', () => {
    expect(messages({ budget: 1000.5 }, marketOf('JP'))).toEqual(['The budget has more decimals than JPY has'])
  })

  test('a bid outside the marketplace’s range names its keyword', () => {
    expect(messages({ keywords: [{ keyword: 'red mat', matchType: 'EXACT', bid: 0 }] })).toEqual([
      'The bid for “red mat” must be between 0.02 and 1000 USD',
    ])
  })
})
