import { describe, expect, test } from 'vitest'
import { adviceOf, groupsOf, marketOf, plan, product } from '../../../../tests/support/launch-table/plan-scene.ts'
import { intensities } from '../../../../tests/support/launch-table/expected-tree.ts'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'
import { templates } from '../templates.ts'
import type { LaunchPlan, PlannedCampaign } from './launch-plan.ts'

/** The most that a click can cost, calculated here independently: bid x (1 + placement raise) x 2 where bids go up and down. */
const worstOf = (micros: Micros, { biddingStrategy, topOfSearchPercent }: PlannedCampaign) =>
  micros * (1 + topOfSearchPercent / 100) * (biddingStrategy === 'SALES_UP_AND_DOWN' ? 2 : 1)

function bidsOf(campaign: PlannedCampaign) {
  return campaign.adGroups.flatMap(g => [
    g.defaultBid.micros,
    ...[...g.keywords, ...g.autoTargets, ...g.targets].map(x => x.bid.micros),
  ])
}

const choices: Partial<CreatePayloadInput>[] = templates.flatMap((template): Partial<CreatePayloadInput>[] => {
  if (template.endsWith('FUNNEL')) return [false, true].map(includeHighImpact => ({ template, includeHighImpact }))
  if (!template.endsWith('KEYWORD_CAMPAIGN')) return [{ template }]
  const manual = (['BROAD', 'PHRASE', 'EXACT'] as const).map(keywordMatchType => ({
    template,
    automationMode: 'MANUAL' as const,
    keywordMatchType,
  }))
  return [{ template, automationMode: 'AUTO' as const }, ...manual]
})
const cases = choices.flatMap(choice => intensities.map(strategy => ({ ...choice, strategy })))

// A click may cost target ACOS x 20 x 0.1: from 0.02 to 2, or as many yen as cents.
const targets = [1, 2.5, 4, 7.7, 15, 22.5, 40, 61, 99.9]
const scales = [0.03, 0.2, 0.77, 1, 3.5, 40]

describe('the worst click stays within the cap', () => {
  test.each(cases)('$template $strategy high impact $includeHighImpact $automationMode $keywordMatchType', input => {
    for (const [key, inCents] of [
      ['US', 1],
      ['JP', 100],
    ] as const) {
      const market = marketOf(key)
      for (const scale of scales)
        for (const targetAcos of targets) {
          const withRates = product({ orderValueMicros: toMicros(20 * inCents), conversionRate: 0.1 })
          const advice = adviceOf(30, scale * inCents)
          const p = plan({ ...input, targetAcos, budget: 500 * inCents }, { products: [withRates], market, advice })
          const cap = (targetAcos / 100) * 2 * toMicros(inCents)
          for (const c of p.campaigns) {
            // No bid can be lower than the marketplace's least.
            const most = Math.max(cap, market.minBidMicros)
            const worst = Math.max(...bidsOf(c).map(bid => worstOf(bid, c)))
            if (worst > most + 0.5) expect([key, scale, targetAcos, c.key, worst / most]).toEqual('within the cap')
          }
        }
    }
  })
})

test('the passive strategy only lets the marketplace lower bids, raises no placement and bids low', () => {
  for (const choice of choices) {
    const p = plan({ ...choice, strategy: 'PASSIVE' })
    expect(p.campaigns.map(c => c.biddingStrategy)).toEqual(p.campaigns.map(() => 'SALES_DOWN_ONLY'))
    expect(p.campaigns.map(c => c.topOfSearchPercent)).toEqual(p.campaigns.map(() => 0))
    for (const { keywords } of groupsOf(p))
      expect(keywords.every(k => k.bid.micros === k.bid.suggested?.lowMicros)).toBe(true)
    const hasHighImpact = groupsOf(p).some(g => g.phase === 'HIGH_IMPACT')
    expect(p.warnings.some(w => w.startsWith('High Impact bids low'))).toBe(hasHighImpact)
  }
})

describe('raises take no more than the cap leaves above the bids', () => {
  const raisesAt = (targetAcos: number, strategy: 'NORMAL' | 'GROWTH') => {
    const withRates = product({ orderValueMicros: toMicros(20), conversionRate: 0.1 })
    const p = plan({ strategy, targetAcos, includeHighImpact: true }, { products: [withRates] })
    const of = (key: string) => {
      const c = p.campaigns.find(one => one.key === key)
      return [c?.biddingStrategy, c?.topOfSearchPercent, fromMicros(c?.adGroups[0]?.keywords[0]?.bid.micros ?? 0)]
    }
    return { ranking: of('ranking-exact'), highImpact: of('high-impact-exact'), warnings: p.warnings }
  }
  const raiseWarning = (warnings: LaunchPlan['warnings']) => warnings.find(w => w.startsWith('The marketplace raises'))

  test('all of them where there is room', () => {
    // Bids of 1 and 1.5, clicks up to 1.5 and 6.
    const { ranking, highImpact, warnings } = raisesAt(75, 'NORMAL')
    expect(ranking).toEqual(['SALES_DOWN_ONLY', 50, 1])
    expect(highImpact).toEqual(['SALES_DOWN_ONLY', 0, 1.5])
    expect(raiseWarning(warnings)).toContain('in High Impact less')
  })
  test('part of a placement raise before any upward bidding', () => {
    const { ranking, highImpact, warnings } = raisesAt(100, 'GROWTH')
    expect(ranking).toEqual(['SALES_DOWN_ONLY', 33, 1.5])
    expect(highImpact).toEqual(['SALES_DOWN_ONLY', 33, 1.5])
    expect(raiseWarning(warnings)).toContain('no click costs more than the 2.00 USD that meets the target ACOS')
  })
})

test('a bid of the user’s own above the cap stays and is announced', () => {
  const withRates = product({ orderValueMicros: toMicros(20), conversionRate: 0.1 })
  const keywords = [{ keyword: 'red mat', bid: 0.7 }]
  const p = plan(
    { setupMode: 'GUIDED', keywordMatchType: 'EXACT', keywords, strategy: 'GROWTH', targetAcos: 30 },
    { products: [withRates] },
  )
  const performance = p.campaigns.find(c => c.key === 'performance-exact')
  expect(performance).toMatchObject({ biddingStrategy: 'SALES_DOWN_ONLY' })
  expect(performance?.adGroups[0]?.keywords[0]?.bid.micros).toBe(toMicros('0.7'))
  expect(p.warnings).toContain(
    'Your bid for “red mat” is above 0.60 USD, the most that a click may cost to meet the target ACOS.',
  )
})

test('a cap below the lowest bid of the marketplace is announced', () => {
  const withRates = product({ orderValueMicros: toMicros('0.5'), conversionRate: 0.01 })
  expect(plan({}, { products: [withRates] }).warnings.join()).toContain(
    'less than the lowest bid the marketplace accepts',
  )
})

describe('where the cap binds, phases and automatic groups keep their order', () => {
  const withRates = product({ orderValueMicros: toMicros(20), conversionRate: 0.1 })
  const capped = (input: Partial<CreatePayloadInput>) => plan({ targetAcos: 10, ...input }, { products: [withRates] })
  // A click may cost 10 % x 20 x 0.1 = 0.20; every suggestion is above.
  test.each([
    ['SINGLE_PRODUCT_CAMPAIGN_FUNNEL', true],
    ['SINGLE_PRODUCT_AD_GROUP_FUNNEL', true],
    ['MULTI_PRODUCT_AD_GROUP_FUNNEL', false],
  ] as const)('in a %s, at every intensity', (template, includeHighImpact) => {
    for (const strategy of intensities) {
      const groups = groupsOf(capped({ template, strategy, includeHighImpact }))
      const bids = groups.map(g => [g.key, new Set(g.keywords.map(k => fromMicros(k.bid.micros)))])
      const of = (amount: number) => new Set([amount])
      expect(bids.slice(1), strategy).toEqual([
        ['discovery-broad', of(0.14)],
        ['research-phrase', of(0.17)],
        ['performance-exact', of(0.2)],
        ['ranking-exact', of(0.2)],
        ...(includeHighImpact ? [['high-impact-exact', of(0.2)]] : []),
      ])
      expect(groups[0]?.autoTargets.map(t => [t.group, fromMicros(t.bid.micros)])).toEqual([
        ['CLOSE_MATCH', 0.14],
        // 0.75 and 0.6 of 0.14, and 0.9 of it, rounded down to the cent.
        ['LOOSE_MATCH', 0.1],
        ['SUBSTITUTES', 0.12],
        ['COMPLEMENTS', 0.08],
      ])
    }
  })
  test('and the review says so', () => {
    expect(capped({}).warnings[0]).toBe(
      'A click may cost at most 0.20 USD to meet the target ACOS, which is less than the marketplace suggests for some bids. The phases keep their order and bid at most a part of it: Discovery 70%, Research 85%, Performance 100%, Ranking 100%. So do the automatic groups, within their phase: close match 100%, substitutes 90%, loose match 75%, complements 60%.',
    )
    expect(capped({ targetAcos: 100 }).warnings).toEqual([])
  })
})

describe('a Ranking phase that is left out', () => {
  const shareOf = (input: Partial<CreatePayloadInput>) =>
    plan({ includeRanking: false, ...input }).campaigns.map(c => [c.key, fromMicros(c.dailyBudgetMicros)])
  test('gives its budget to the other phases in proportion, and its terms to Performance', () => {
    expect(shareOf({})).toEqual([
      ['discovery-auto', 15.5],
      ['discovery-broad', 15.5],
      ['research-phrase', 25],
      ['performance-exact', 44],
    ])
    const p = plan({ includeRanking: false })
    expect(groupsOf(p).find(g => g.phase === 'PERFORMANCE')?.keywords[0]?.text).toBe('yoga mat 1')
    expect(p.warnings).toEqual([
      'Ranking is left out. The other phases share its part of the budget in proportion (Discovery 31%, Research 25%, Performance 44%), and Performance takes its keywords.',
    ])
  })
  test('does so with High Impact, and in an ad group funnel', () => {
    expect(shareOf({ includeHighImpact: true }).map(([, budget]) => budget)).toEqual([11.75, 11.75, 17.5, 35.5, 23.5])
    const p = plan({ includeRanking: false, template: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL' })
    expect(p.campaigns.map(c => fromMicros(c.dailyBudgetMicros))).toEqual([15.5, 84.5])
    expect(groupsOf(p).map(g => g.phase)).toEqual(['DISCOVERY', 'DISCOVERY', 'RESEARCH', 'PERFORMANCE'])
  })
})

describe('the cap of bids that serve several products', () => {
  const template = 'MULTI_PRODUCT_AD_GROUP_FUNNEL' as const
  const cheap = product({ orderValueMicros: toMicros(10), conversionRate: 0.1 })
  const dear = product({ asin: 'B0TESTASI2', sku: 'MAT-2', orderValueMicros: toMicros(30), conversionRate: 0.1 })
  const fresh = product({ asin: 'B0TESTASI3', sku: 'MAT-3' })
  const of = (products: (typeof cheap)[]) =>
    plan({ template, targetAcos: 20, products: products.map(({ asin, sku }) => ({ asin, sku })) }, { products })
  const highest = (p: LaunchPlan) => Math.max(...p.campaigns.flatMap(bidsOf))
  test('is that of the product that can pay most, and the review names the others', () => {
    expect(highest(of([cheap]))).toBe(toMicros('0.2'))
    expect(highest(of([cheap, dear]))).toBe(toMicros('0.6'))
    expect(of([cheap, dear]).warnings).toContain(
      'Bids serve all products and are capped by the one that can pay most, at 0.60 USD a click. For “B0TESTASIN” a click may cost less to meet the target ACOS, from 0.20 USD on.',
    )
  })
  test('is none where a product has no history', () => {
    expect(highest(of([cheap, fresh]))).toBe(toMicros(1.5))
    expect(of([cheap, fresh]).warnings).toContain(
      'No cap by the target ACOS: these bids serve all products, and it is not known yet how “B0TESTASI3” sells.',
    )
    expect(of([fresh, product()]).warnings.join()).not.toContain('No cap')
  })
})
