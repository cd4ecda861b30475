import { describe, expect, test } from 'vitest'
import { knownAdvice, terms } from '../../../../tests/support/launch-table/known-advice.ts'
import { budgetsOf, marketOf, payloadOf, product } from '../../../../tests/support/launch-table/plan-scene.ts'
import { sharesProblem } from './budget-shares.ts'
import type { LaunchPlan } from './launch-plan.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'
import { problems as problemsOf } from '../problems.ts'
import { planLaunch } from './plan-launch.ts'

const plan = (extra: Partial<CreatePayloadInput>, key = 'US'): LaunchPlan =>
  planLaunch({ payload: payloadOf(extra), market: marketOf(key), products: [product()], advice: knownAdvice })
const problems = (extra: Partial<CreatePayloadInput>) => problemsOf(payloadOf(extra), null).map(p => p.message)

describe('shares of the budget that the user set', () => {
  const budgetShares = { DISCOVERY: 10, RESEARCH: 20.5, PERFORMANCE: 49.5, RANKING: 20 }

  test('are kept to the cent, the remainder to Performance', () => {
    expect(budgetsOf(plan({ budget: 33.33, budgetShares }))).toEqual([1.67, 1.66, 6.83, 16.51, 6.66])
    expect(budgetsOf(plan({ budget: 2002, budgetShares }, 'JP'))).toEqual([100, 100, 410, 992, 400])
  })
  test('lift a share below the marketplace’s minimum to it', () => {
    const least = budgetsOf(plan({ budget: 10, budgetShares }))
    expect(least.slice(0, 2)).toEqual([1, 1])
    expect(Math.round(least.reduce((a, b) => a + b * 100, 0))).toBe(1000)
  })
  test('give the automatic campaign of an ad group funnel half of Discovery', () => {
    expect(budgetsOf(plan({ template: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL', budgetShares }))).toEqual([5, 95])
  })
  test('must add up to 100, name High Impact when it is included, and belong to a funnel', () => {
    expect(problems({ budgetShares })).toEqual([])
    expect(problems({ budgetShares: { ...budgetShares, RANKING: 19 } })).toEqual([
      'The shares must add up to 100%; they add up to 99%',
    ])
    expect(problems({ budgetShares, includeHighImpact: true })).toEqual(['High Impact needs a share of the budget'])
    expect(problems({ budgetShares, includeRanking: false })).toEqual(['Ranking is left out: it takes no share'])
    const { RANKING: _, ...others } = budgetShares
    expect(problems({ budgetShares: { ...others, PERFORMANCE: 69.5 } })).toEqual([
      'Ranking needs a share of the budget',
    ])
    expect(problems({ budgetShares: { ...others, PERFORMANCE: 69.5 }, includeRanking: false })).toEqual([])
    expect(sharesProblem({ ...budgetShares, RANKING: 10, HIGH_IMPACT: 10 }, payloadOf())).toContain('not included')
    expect(problems({ budgetShares, template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', automationMode: 'AUTO' })).toEqual([
      'Only a funnel shares its budget among phases',
    ])
  })
})

describe('negative keywords of the user', () => {
  const negativeKeywords = [
    { keyword: 'Yoga Mat 3' },
    { keyword: 'yoga mat 3', matchType: 'NEGATIVE_EXACT' as const },
    { keyword: 'mat 12', matchType: 'NEGATIVE_PHRASE' as const },
  ]
  const groupsOf = (p: LaunchPlan) => p.campaigns.flatMap(c => c.adGroups)

  test('stand in every ad group, once each, beside what the phases keep out of each other', () => {
    const groups = groupsOf(plan({ negativeKeywords, includeHighImpact: true }))
    expect(groups).toHaveLength(6)
    for (const group of groups) {
      expect(group.negativeKeywords.filter(t => t.toLowerCase() === 'yoga mat 3')).toHaveLength(1)
      expect(group.negativePhrases).toEqual(['mat 12'])
    }
    expect(groups.at(-1)?.negativeKeywords).toEqual(['Yoga Mat 3'])
  })
  test('keep the recommended terms that they would block from being bought', () => {
    const bought = groupsOf(plan({ negativeKeywords })).flatMap(g => g.keywords.map(k => k.text))
    expect(new Set(bought).size).toBe(40)
    expect(bought).not.toContain('yoga mat 3')
    expect(bought).not.toContain('yoga mat 12')
    expect(bought).toContain(terms(42, 42)[0])
  })
  test('are refused where they would block a keyword of the user’s own', () => {
    const keywords = [
      { keyword: 'red mat 12 xl', matchType: 'BROAD' as const, bid: 1 },
      { keyword: 'yoga mat 3', matchType: 'EXACT' as const, bid: 1 },
      { keyword: 'yoga mat 3', matchType: 'PHRASE' as const, bid: 1 },
    ]
    const guided = { setupMode: 'GUIDED' as const, keywordMatchType: 'EXACT' as const, keywords, negativeKeywords }
    expect(problems(guided)).toEqual([
      '“red mat 12 xl” would never be shown: a negative keyword keeps it out',
      '“yoga mat 3” would never be shown: a negative keyword keeps it out',
    ])
  })
  test('are refused where products are targeted, and as a phrase of more than 4 words', () => {
    expect(problems({ template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN', negativeKeywords })).toEqual([
      'Campaigns that target products cannot have negative keywords',
    ])
    const wordy = { keyword: 'a b c d e', matchType: 'NEGATIVE_PHRASE' as const }
    expect(() => payloadOf({ negativeKeywords: [wordy] })).toThrow('A negative phrase has at most 4 words')
  })
})

test('more keywords of a match type than an ad group holds are refused with how many to take out', () => {
  const keywords = terms(1, 1003).map(keyword => ({ keyword, bid: 1 }))
  const manual = { automationMode: 'MANUAL' as const, keywordMatchType: 'BROAD' as const, setupMode: 'GUIDED' as const }
  expect(problems({ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', ...manual, keywords })).toEqual([
    'An ad group holds at most 1000 keywords: remove 3 of the broad ones',
  ])
})

describe('rows entered more than once', () => {
  const guided = { setupMode: 'GUIDED' as const, keywordMatchType: 'EXACT' as const }
  const warningsOf = (input: Partial<CreatePayloadInput>) =>
    plan({ ...guided, ...input }).warnings.filter(w => w.includes('more than once'))
  const mat = (bid: number) => ({ keyword: 'red mat', bid })
  const withKeywords = (...keywords: { keyword: string; bid: number }[]) => [
    { asin: 'B0TESTASIN', sku: 'MAT-1', keywords },
  ]
  test('are merged, and the review says so', () => {
    expect(warningsOf({ keywords: [mat(1), { keyword: 'Red  Mat', bid: 1 }] })).toEqual([
      '“red mat” was entered more than once and merged.',
    ])
    expect(warningsOf({ products: withKeywords(mat(1)), keywords: [mat(2)] })).toEqual([
      '“red mat” was entered more than once and merged: of different bids the first counts.',
    ])
  })
  test('are not what the flattened list repeats by design, nor another match type', () => {
    expect(warningsOf({ products: withKeywords(mat(1)), keywords: [mat(1)] })).toEqual([])
    expect(warningsOf({ keywords: [mat(1), { ...mat(1), matchType: 'BROAD' }] })).toEqual([])
  })
})

test.each(['a*b?', '50% off', 'press/crusher', 'salt - pepper', '40" screen', 'press.', 'press, steel'])(
  'the keyword %s, which the marketplace would refuse, is refused before the launch',
  keyword => {
    expect(() => payloadOf({ keywords: [{ keyword, bid: 1 }] })).toThrow(/remove it/)
    expect(() => payloadOf({ negativeKeywords: [{ keyword }] })).toThrow(/remove it/)
  },
)
