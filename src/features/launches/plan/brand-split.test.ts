import { blockedBy } from '#shared/keyword-rules.ts'
import { describe, expect, test } from 'vitest'
import type { CreatePayloadInput } from '../launch-schema.ts'
import {
  adviceOf,
  budgetsOf,
  groupOf,
  groupsOf,
  marketOf,
  payloadOf,
  plan,
  product,
  textsOf,
  us,
} from '../../../../tests/support/launch-table/plan-scene.ts'
import { checkBudget } from './plan-budget.ts'
import { namesOf } from './plan-structure.ts'

const brands = { own: ['Alder'], competitors: ['Oxara'], unknownFor: [] as string[] }
const usual = adviceOf(40)
const named = ['alder mat', 'alder thick mat', 'oxara mat'].flatMap(text =>
  usual.keywords.slice(0, 3).map(row => ({ ...row, text })),
)
const advice = { ...usual, keywords: [...named, ...usual.keywords], brands }
const branded = { advice, products: [product({ brand: 'Alder' })] }
const apart = { separateBrandTerms: true }
const byHand = {
  setupMode: 'GUIDED',
  template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
  automationMode: 'MANUAL',
  keywordMatchType: 'EXACT',
} as const

test('nothing is split unless it is asked for', () => {
  const p = plan({}, branded)
  expect(p.campaigns).toHaveLength(5)
  expect(textsOf(p, 'ranking-exact')).toContain('alder mat')
})

test.each<[Partial<CreatePayloadInput>]>([
  [{}],
  [{ template: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL' }],
  [{ template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL' }],
  [{ ...byHand, setupMode: 'SMART', keywordMatchType: 'PHRASE' }],
])('every term of a brand is in the campaign of its kind, and no ad group keeps its own terms out: %j', input => {
  const p = plan({ ...apart, ...input }, branded)
  const phaseOf = (text: string) => {
    if (text.startsWith('alder')) return 'OWN_BRAND'
    return text.startsWith('oxara') ? 'COMPETITORS' : 'GENERIC'
  }
  const phases = groupsOf(p).flatMap(g => g.keywords.map(k => ({ ...k, phase: g.phase })))
  expect(phases.filter(k => phaseOf(k.text) !== 'GENERIC').every(k => k.phase === phaseOf(k.text))).toBe(true)
  expect(phases.some(k => k.phase === 'OWN_BRAND') && phases.some(k => k.phase === 'COMPETITORS')).toBe(true)
  expect(phases.some(k => phaseOf(k.text) === 'GENERIC' && ['OWN_BRAND', 'COMPETITORS'].includes(k.phase))).toBe(false)
  for (const g of groupsOf(p)) {
    const isBlocked = blockedBy([
      ...g.negativeKeywords.map(keyword => ({ keyword, matchType: 'NEGATIVE_EXACT' as const })),
      ...g.negativePhrases.map(keyword => ({ keyword, matchType: 'NEGATIVE_PHRASE' as const })),
    ])
    for (const k of g.keywords) expect(isBlocked(k.text, k.matchType === 'EXACT'), `${g.key} ${k.text}`).toBe(false)
    // One campaign serves a search: every ad group outside the campaign of its brand keeps it out.
    for (const text of ['alder mat', 'alder thick mat'])
      expect(g.phase === 'OWN_BRAND' || isBlocked(text, true), `${g.key} ${text}`).toBe(true)
    if (!['OWN_BRAND', 'COMPETITORS'].includes(g.phase)) expect(isBlocked('oxara mat', true), g.key).toBe(true)
  }
})

test('the wider match types of a brand keep out what the narrower buy, and generic ones keep whole phrases out', () => {
  const p = plan(apart, branded)
  expect(groupOf(p, 'own-brand-phrase').negativeKeywords).toEqual(['alder mat', 'alder thick mat'])
  expect(groupOf(p, 'own-brand-exact').negativeKeywords).toEqual([])
  expect(groupOf(p, 'discovery-auto').negativePhrases).toEqual(['alder mat', 'alder thick mat', 'oxara mat'])
  expect(groupOf(p, 'competitors-exact').negativePhrases).toEqual(['alder mat', 'alder thick mat'])
})

describe('the budget', () => {
  test('is shared exactly: a tenth for each campaign of brands, the minimum at least', () => {
    const p = plan({ ...apart, budget: 100.03 }, branded)
    expect(budgetsOf(p)).toEqual([10, 10, 16, 28.03, 16, 10, 10])
    // Seven campaigns; a tenth of 8 would be less than the minimum of 1.
    expect(budgetsOf(plan({ ...apart, budget: 8 }, branded)).every(budget => budget >= 1)).toBe(true)
    const yen = plan({ ...apart, budget: 1003 }, { ...branded, market: marketOf('JP') })
    expect(budgetsOf(yen).reduce((sum, one) => sum + one, 0)).toBe(1003)
    expect(budgetsOf(yen).every(budget => budget >= 100 && Number.isInteger(budget))).toBe(true)
  })
  test('must suffice for all campaigns that there may be', () => {
    expect(checkBudget(payloadOf({ ...apart, budget: 6.99 }), us).problem).toContain('at least 7 USD')
    expect(checkBudget(payloadOf({ ...apart, budget: 7 }), us).problem).toBeNull()
    expect(checkBudget(payloadOf({ budget: 5 }), us).problem).toBeNull()
  })
})

test('the names are among those taken before, differ, and keep to the limit, whatever campaigns there are', () => {
  const input = { ...apart, campaignName: 'M'.repeat(100) }
  const market = { ...us, campaignPrefix: 'P'.repeat(30) }
  const taken = namesOf(payloadOf(input), market).names
  const onlyOwn = { ...advice, brands: { ...brands, competitors: ['Nobody'] } }
  const { campaigns } = plan(input, { ...branded, advice: onlyOwn, market })
  expect(campaigns.map(c => c.phase)).not.toContain('COMPETITORS')
  expect(campaigns.every(c => taken.includes(c.name) && c.name.length <= 128)).toBe(true)
  expect(new Set(taken).size).toBe(7)
  expect(taken.at(-2)).toMatch(/\| Own brand \| Manual$/)
})

describe('while brands are not known nothing is split, and the review says so', () => {
  const unsplit = plan({}, branded)
  test.each([
    ['the product’s own', { ...branded, products: [product()] }, /the brand of “B0TESTASIN” is not known/],
    [
      'the competitors’',
      { ...branded, advice: { ...advice, brands: { ...brands, unknownFor: ['B0TESTASIN'] } } },
      /the brands that compete with “B0TESTASIN” in its category are not known/,
    ],
    ['no term names one', { ...branded, advice: { ...usual, brands } }, /no keyword names a brand/],
  ])('%s', (_, scene, warning) => {
    const p = plan(apart, scene)
    expect(p.warnings.join(' ')).toMatch(warning)
    expect(p.campaigns.map(c => [c.key, c.dailyBudgetMicros])).toEqual(
      unsplit.campaigns.map(c => [c.key, c.dailyBudgetMicros]),
    )
  })
})

test('in guided mode only the user’s own terms go to campaigns of brands, and recommended ones with a brand to none', () => {
  const input = {
    ...apart,
    setupMode: 'GUIDED',
    keywordMatchType: 'EXACT',
    keywords: [{ keyword: 'Alder bag', bid: 1 }],
  }
  const p = plan(input as Partial<CreatePayloadInput>, branded)
  expect(p.campaigns.map(c => c.phase)).toContain('OWN_BRAND')
  expect(textsOf(p, 'own-brand-exact')).toEqual(['Alder bag'])
  const others = groupsOf(p).filter(g => g.phase !== 'OWN_BRAND')
  expect(others.flatMap(g => g.keywords.map(k => k.text)).filter(text => /alder|oxara/i.test(text))).toEqual([])
  expect(others.every(g => g.negativeKeywords.includes('Alder bag'))).toBe(true)
})
