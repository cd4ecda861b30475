import { normalTerm } from '#shared/keyword-rules.ts'
import { funnelPhases } from '../templates.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'
import { describe, expect, test } from 'vitest'
import { fromMicros, toMicros } from '#shared/money.ts'
import {
  us,
  words,
  adviceOf,
  product,
  payloadOf,
  plan,
  groupsOf,
  groupOf,
  textsOf,
  budgetsOf,
  noAdvice,
} from '../../../../tests/support/launch-table/plan-scene.ts'
import { namesOf } from './plan-structure.ts'

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
    expect(p.campaigns.map(c => c.name)).toEqual(namesOf(payloadOf(), us).names)
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

  test.each([0, 1, 2, 3, 5, 11, 40, 80])('of %d recommended terms buys each exact in one phase at most', count => {
    const p = plan({ includeHighImpact: true }, { advice: adviceOf(count) })
    const exact = groupsOf(p).flatMap(g =>
      g.keywords.flatMap(k => (k.matchType === 'EXACT' ? [normalTerm(k.text)] : [])),
    )
    expect(new Set(exact).size).toBe(exact.length)
    expect(exact.length).toBe(Math.min(count, 23))
  })

  test('gives broad and phrase the root terms first, and then the strongest that nobody has', () => {
    const texts = [
      'steel water bottle',
      'water bottle',
      'insulated water bottle',
      'kids water bottle',
      'flask',
      'water bottle 32 oz',
      'hot flask',
      'hydration flask for kids',
    ]
    const keywords = texts.flatMap(text => adviceOf(1).keywords.map(k => ({ ...k, text })))
    const more = words(40).flatMap(word => adviceOf(1).keywords.map(k => ({ ...k, text: `flask ${word}` })))
    const p = plan({}, { advice: { ...noAdvice, keywords: [...keywords, ...more] } })
    // Ranking and Performance have 20, the roots among them.
    expect(textsOf(p, 'ranking-exact')).toEqual(texts.slice(0, 5))
    const tail = words(40).map(word => `flask ${word}`)
    expect(textsOf(p, 'research-phrase')).toEqual(['water bottle', 'flask', ...tail.slice(12, 26)])
    expect(textsOf(p, 'discovery-broad')).toEqual(['water bottle', 'flask', ...tail.slice(26)])
    expect(groupOf(p, 'discovery-broad').negativeKeywords).toEqual(expect.arrayContaining(['water bottle', 'flask']))
    expect(groupOf(p, 'research-phrase').negativeKeywords).toEqual(expect.arrayContaining(['water bottle', 'flask']))
  })

  test('keeps each later phase’s terms out of the earlier ones, and no other', () => {
    const p = plan({ includeHighImpact: true })
    for (const group of groupsOf(p)) {
      const own = funnelPhases.indexOf(group.phase)
      const later = groupsOf(p)
        .filter(g => funnelPhases.indexOf(g.phase) > own)
        .flatMap(g => g.keywords.map(k => k.text))
      expect(group.negativeKeywords.toSorted()).toEqual([...new Set(later)].toSorted())
      const isExact = group.match === 'EXACT'
      expect(isExact && group.keywords.some(k => group.negativeKeywords.includes(k.text))).toBe(false)
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
    const withRates = product({ orderValueMicros: toMicros(20), conversionRate: 0.1 })
    const p = plan({ strategy: 'GROWTH', targetAcos: 30, includeHighImpact: true }, { products: [withRates] })
    const bids = groupsOf(p).flatMap(g => [...g.keywords, ...g.autoTargets, { bid: g.defaultBid }].map(x => x.bid))
    expect(Math.max(...bids.map(b => b.micros))).toBe(toMicros('0.6'))
  })

  test('raises placements in Ranking and High Impact, lets only Growth and High Impact bid upwards, and Passive neither', () => {
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
    expect(raise('PASSIVE')).toEqual(raise('PASSIVE').map(() => [0, 'SALES_DOWN_ONLY']))
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
    const odd = ['söhne™ mat', '<brand> mat', 'mat 😀'].map(text => ({ ...long, text }))
    const p = plan({}, { advice: { ...noAdvice, keywords: [long, wordy, ...odd, ...adviceOf(4).keywords] } })
    expect([...new Set(groupsOf(p).flatMap(g => g.keywords.map(k => k.text)))].toSorted()).toEqual(words(4))
  })

  test('takes them in every script of a marketplace', () => {
    const texts = [
      'łódź & söhne',
      'ağ çantası',
      'ヨガ・マット',
      'योग मैट',
      'سجادة يوغا',
      "men's 12.5 mat",
      'x-large mat',
    ]
    const keywords = texts.map(text => ({ text, matchType: 'EXACT' as const, suggested: null }))
    const p = plan({}, { advice: { ...noAdvice, keywords } })
    expect(new Set(groupsOf(p).flatMap(g => g.keywords.map(k => k.text)))).toEqual(new Set(texts))
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
    const bought = groupsOf(p).flatMap(g => g.keywords.filter(k => normalTerm(k.text) === 'yoga mat 1'))
    expect(bought.filter(k => k.matchType === 'EXACT')).toHaveLength(1)
    expect(p.warnings.some(w => w.startsWith('Research (Phrase) takes recommended keywords'))).toBe(true)
  })

  test('lets a broad keyword share its text with an exact one, which is kept out of it', () => {
    const p = plan(
      guided([
        { keyword: 'red mat', matchType: 'BROAD', bid: 0.5 },
        { keyword: 'Red  Mat', matchType: 'EXACT', bid: 0.9 },
      ]),
      { advice: noAdvice },
    )
    expect(groupsOf(p).flatMap(g => g.keywords.map(k => [k.text, k.matchType]))).toEqual([
      ['red mat', 'BROAD'],
      ['Red  Mat', 'EXACT'],
    ])
    expect(groupOf(p, 'discovery-broad').negativeKeywords).toEqual(['Red  Mat'])
  })

  test('bounds the user’s bid by the campaign’s budget and says so', () => {
    const p = plan(guided([{ keyword: 'red mat', bid: 500 }]), { advice: noAdvice })
    const performance = p.campaigns.find(c => c.key === 'performance-exact')
    expect(performance?.adGroups[0]?.keywords[0]?.bid).toMatchObject({ micros: toMicros(35), limitedBy: 'BUDGET' })
    expect(p.warnings.join()).toContain('Your bid for “red mat” is limited by')
  })

  test('says of a hundred of the same in one sentence', () => {
    const many = Array.from({ length: 100 }, (_, i) => `red mat ${i}`)
    const p = plan(guided(many.map(keyword => ({ keyword, bid: 500 }))), { advice: noAdvice })
    expect(p.warnings.filter(w => w.includes('red mat'))).toEqual([
      // Performance comes before Ranking, which has the first five.
      'Your bids for “red mat 5”, “red mat 6”, “red mat 7” and 97 more are limited by the budget or the marketplace’s limits.',
    ])
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
