import { describe, expect, test } from 'vitest'
import { adLimits } from '#shared/ad-limits.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { decide } from './decide.ts'
import { findBreak } from './estimate.ts'
import type {
  CampaignFacts,
  DayFigures,
  Decision,
  Facts,
  FamilyFacts,
  Memory,
  Settings,
  TargetFacts,
  TermFacts,
} from './model.ts'

const today = '2026-06-30'
const now = new Date(`${today}T10:00:00Z`)
const us = marketplaceByKey('US') ?? expect.unreachable()
const limits = adLimits(us, { adType: 'SPONSORED_PRODUCTS', advertiser: 'seller' } as Parameters<typeof adLimits>[1])
const dollars = (amount: number): number => Math.round(amount * 1e6)

/** The same figures on each of the last days. */
const daily = (each: Partial<DayFigures>, count = 60): DayFigures[] =>
  daysOf(addDays(today, -count), addDays(today, -1)).map(day => ({
    day,
    clicks: 0,
    costMicros: 0,
    orders: 0,
    salesMicros: 0,
    ...each,
  }))
const target = (id: string, more: Partial<TargetFacts> = {}): TargetFacts => ({
  id,
  campaignId: 'c1',
  adGroupId: 'g1',
  familyId: 'bottles',
  kind: 'keyword',
  matchType: 'PHRASE',
  text: `words ${id}`,
  bidMicros: dollars(1),
  isEnabled: true,
  suggestedHighMicros: null,
  days: [],
  ...more,
})
const campaign = (id: string, more: Partial<CampaignFacts> = {}): CampaignFacts => ({
  id,
  budgetMicros: dollars(50),
  spentTodayMicros: 0,
  strategyRaise: 0,
  topRaise: 0,
  ruleRaise: 0,
  limits,
  days: daily({ costMicros: dollars(20) }).map(day => ({ ...day, budgetMicros: dollars(50) })),
  places: null,
  ...more,
})
const family = (more: Partial<FamilyFacts> = {}): FamilyFacts => ({
  id: 'bottles',
  priceMicros: dollars(30),
  margin: 0.45,
  coverDays: 60,
  brandWords: ['driftwood'],
  keywordHome: { campaignId: 'c1', adGroupId: 'exact' },
  productHome: null,
  ...more,
})
// 10 clicks a day at 0.80 and an order a day: an ACOS of 27 % at an order value of 30.
const usual = { clicks: 10, costMicros: dollars(8), orders: 1, salesMicros: dollars(30) }
const facts = (more: Partial<Facts> = {}): Facts => ({
  currency: 'USD',
  reportedAt: `${today}T08:00:00Z`,
  shown: [0, 1],
  account: daily(usual),
  categoryRate: 0.08,
  families: [family()],
  campaigns: [campaign('c1')],
  targets: [target('usual', { days: daily(usual) })],
  terms: [],
  ...more,
})
const settings = (more: Partial<Settings> = {}): Settings => ({
  targetAcos: 0.3,
  strategy: 'PROFIT',
  highestBidMicros: null,
  budgetMicros: dollars(50),
  untouched: [],
  ...more,
})
const run = (of: Facts, set = settings(), memory: Memory = {}) => decide(of, set, memory, { now, today })
const bidOf = (decisions: readonly Decision[], id: string): Decision | undefined =>
  decisions.find(one => one.kind === 'bid' && one.entityId === id)

describe('bids', () => {
  const dear = target('dear', { days: daily({ clicks: 4, costMicros: dollars(4) }) })
  const good = target('good', {
    days: daily({ clicks: 4, costMicros: dollars(3), orders: 1, salesMicros: dollars(30) }),
  })

  test('go down where clicks bring fewer orders than elsewhere, and up where they bring more, a bounded step', () => {
    const { decisions } = run(facts({ targets: [target('usual', { days: daily(usual) }), dear, good] }))
    expect(bidOf(decisions, 'dear')).toMatchObject({
      before: dollars(1),
      after: dollars(0.75),
      evidence: { clicks: 240, orders: 0 },
    })
    expect(bidOf(decisions, 'good')).toMatchObject({ before: dollars(1), after: dollars(1.2), cause: 'WORTH_MORE' })
    const [low = 0, high = 0] = bidOf(decisions, 'good')?.evidence.band ?? []
    expect(low).toBeLessThan(0.25)
    expect(high).toBeGreaterThan(0.2)
  })

  test('a target without clicks is believed what its ad group is, not that it never sells', () => {
    const { decisions } = run(
      facts({ targets: [target('usual', { days: daily(usual) }), target('new', { bidMicros: dollars(0.3) })] }),
    )
    expect(bidOf(decisions, 'new')).toMatchObject({ after: dollars(0.36), cause: 'THIN' })
  })

  test('never end above what a click earns, the highest bid, or three times the suggestion', () => {
    const all = [
      target('earns', { days: good.days, bidMicros: dollars(3) }),
      target('suggested', { days: good.days, suggestedHighMicros: dollars(0.35), bidMicros: dollars(1.04) }),
      target('above', { days: good.days, bidMicros: dollars(9) }),
    ]
    const { decisions } = run(facts({ targets: all }), settings({ highestBidMicros: dollars(5), targetAcos: 0.9 }))
    // A quarter of the clicks sell for 30, of which 45 % are left: a click earns about 3.30.
    expect(Number(bidOf(decisions, 'earns')?.after)).toBeLessThanOrEqual(dollars(3.375))
    expect(bidOf(decisions, 'suggested')).toBeUndefined()
    // The seller's own limit holds at once.
    expect(bidOf(decisions, 'above')).toMatchObject({ after: dollars(5), cause: 'ABOVE_HIGHEST_BID' })
  })

  test('an exact keyword counts what its search brought through other targets', () => {
    const exact = target('exact', { matchType: 'EXACT', text: 'steel bottle', adGroupId: 'exact' })
    const term: TermFacts = {
      text: 'steel bottle',
      isAsin: false,
      targetId: 'usual',
      campaignId: 'c1',
      adGroupId: 'g1',
      familyId: 'bottles',
      isNegated: true,
      isTargeted: true,
      days: good.days,
    }
    const worth = (terms: TermFacts[]) =>
      bidOf(run(facts({ targets: [target('usual', { days: daily(usual) }), exact], terms })).decisions, 'exact')
        ?.evidence.rate
    expect(worth([term]) ?? 0).toBeGreaterThan(0.2)
    expect(worth([]) ?? 0).toBeLessThan(0.12)
  })

  test('rest for three days, and longer while few clicks came; pinned, paused and untouched ones stay', () => {
    const memory = (changedOn: string): Memory => ({
      multiplier: 0.4,
      steeredOn: today,
      targets: { dear: { changedOn }, good: { pinnedUntil: addDays(today, 1) } },
    })
    const of = facts({
      targets: [dear, good, target('off', { days: good.days, isEnabled: false }), target('mine', { days: good.days })],
    })
    const changed = (on: string) =>
      run(of, settings({ untouched: ['mine'] }), memory(on)).decisions.filter(one => one.kind === 'bid')
    expect(changed(addDays(today, -2))).toEqual([])
    expect(changed(addDays(today, -3)).map(one => one.entityId)).toEqual(['dear'])
  })

  test('fall with the stock, and rest on the floor when it is gone', () => {
    const exact = { ...good, matchType: 'EXACT' as const }
    const low = run(facts({ targets: [good], families: [family({ coverDays: 7 })] })).decisions
    expect(Number(bidOf(low, 'good')?.after ?? dollars(1))).toBeLessThanOrEqual(dollars(1))
    const gone = run(facts({ targets: [exact], families: [family({ coverDays: 1 })] })).decisions
    expect(bidOf(gone, 'good')).toMatchObject({ after: limits.minBidMicros, cause: 'STOCK_GONE' })
  })
})

describe('the group', () => {
  test('is steered down when it is dearer than its target, by at most 12 % each third day', () => {
    const of = facts({ targets: [target('usual', { days: daily({ ...usual, costMicros: dollars(14) }) })] })
    const first = run(of, settings({ strategy: 'REACH' }))
    const { memory } = run(of, settings({ strategy: 'REACH' }), { ...first.memory, steeredOn: addDays(today, -3) })
    const change = (memory.multiplier ?? 0) / (first.memory.multiplier ?? 1)
    expect(change).toBeLessThan(0.97)
    expect(change).toBeGreaterThanOrEqual(Math.exp(-0.12))
    expect(run(of, settings(), first.memory).memory.multiplier).toBe(first.memory.multiplier)
  })

  test('bids less, instead of running dry, when its budget ends early', () => {
    const days = daily({ costMicros: dollars(50) }).map(day => ({ ...day, budgetMicros: dollars(50) }))
    expect(run(facts({ campaigns: [campaign('c1', { days })] })).memory.moneyFactor).toBeCloseTo(0.88)
  })

  test('splits its budget by what campaigns want, to the cent, and never above the total', () => {
    const rich = campaign('c2', {
      budgetMicros: dollars(33.33),
      days: daily({ costMicros: dollars(1) }).map(day => ({ ...day, budgetMicros: dollars(33.33) })),
    })
    const short = campaign('c1', {
      budgetMicros: dollars(16.67),
      days: daily({ costMicros: dollars(16.6) }).map(day => ({ ...day, budgetMicros: dollars(16.67) })),
    })
    const { decisions } = run(facts({ campaigns: [short, rich] }))
    const after = new Map(decisions.filter(one => one.kind === 'budget').map(one => [one.entityId, Number(one.after)]))
    expect(after.get('c1')).toBeGreaterThan(dollars(20))
    expect((after.get('c1') ?? 0) + (after.get('c2') ?? 0)).toBeLessThanOrEqual(dollars(50))
    for (const value of after.values()) expect(value % 10_000).toBe(0)
  })

  test('raises the top of search where clicks there convert better, in steps', () => {
    const places = {
      top: daily({ clicks: 5, orders: 1 }),
      other: daily({ clicks: 10, orders: 1 }),
    }
    const { decisions } = run(facts({ campaigns: [campaign('c1', { places })] }))
    expect(decisions.find(one => one.kind === 'placement')).toMatchObject({ before: 0, after: 0.15 })
  })
})

describe('searches', () => {
  const term = (text: string, more: Partial<TermFacts> = {}): TermFacts => ({
    text,
    isAsin: false,
    targetId: 'auto',
    campaignId: 'c1',
    adGroupId: 'g1',
    familyId: 'bottles',
    isNegated: false,
    isTargeted: false,
    days: [],
    ...more,
  })
  const auto = target('auto', {
    kind: 'auto',
    matchType: null,
    text: '',
    days: daily({ ...usual, clicks: 30, orders: 3 }),
  })
  const wasted = daily({ clicks: 1, costMicros: dollars(0.9) })
  const kinds = (terms: TermFacts[]) =>
    run(facts({ targets: [auto], terms })).decisions.filter(one => ['negative', 'harvest'].includes(one.kind))

  test('that cost much and sell nothing are negated in their source; the own brand and fresh orders are spared', () => {
    const fresh = wasted.map((day, i) => (i === 55 ? { ...day, orders: 1, salesMicros: dollars(30) } : day))
    const found = kinds([
      term('free bottle', { days: wasted }),
      term('driftwood bottle', { days: wasted }),
      term('late bottle', { days: fresh }),
      term('few', { days: daily({ clicks: 1, costMicros: dollars(0.9) }, 3) }),
    ])
    expect(found).toMatchObject([{ kind: 'negative', entityId: 'g1', after: 'free bottle' }])
    expect(found[0]?.evidence.certainty).toBeGreaterThan(0.9)
  })

  test('that sell get a keyword of their own and leave their source, as one decision', () => {
    const sells = daily({ clicks: 1, costMicros: dollars(0.5), orders: 0.2, salesMicros: dollars(6) })
    const found = kinds([term('steel bottle', { days: sells }), term('known', { days: sells, isTargeted: true })])
    expect(found).toMatchObject([
      { kind: 'harvest', entityId: 'exact', before: 'steel bottle', cause: 'TERM_SELLS' },
      { kind: 'negative', entityId: 'g1', after: 'steel bottle' },
    ])
    expect(new Set(found.map(one => one.groupId)).size).toBe(1)
    // At most 1.7 times what its clicks cost.
    expect(Number(found[0]?.after)).toBeLessThanOrEqual(dollars(0.85))
  })
})

describe('holds back', () => {
  test('when reports are old: nothing is changed, and a row says why', () => {
    const { decisions, memory } = run(facts({ reportedAt: '2026-06-28T20:00:00Z' }), settings(), { multiplier: 0.4 })
    expect(decisions).toMatchObject([{ kind: 'breaker', cause: 'REPORTS_OLD', before: null, after: null }])
    expect(memory).toEqual({ multiplier: 0.4 })
  })

  test('when everything stops selling at once: nothing is raised for days', () => {
    const from = addDays(today, -3)
    const stopped = daily({ ...usual, clicks: 40, orders: 4 }).map(day =>
      day.day >= from ? { ...day, orders: 0, salesMicros: 0 } : day,
    )
    const { decisions, memory } = run(facts({ targets: [target('usual', { days: stopped, bidMicros: dollars(0.1) })] }))
    expect(decisions[0]).toMatchObject({ kind: 'breaker', cause: 'CONVERSION_BROKE_DOWN' })
    expect(decisions.filter(one => one.kind === 'bid' && Number(one.after) > Number(one.before))).toEqual([])
    expect(memory.frozenUntil).toBe(addDays(today, 3))
  })

  test('when spend breaks out while the forecast rises: the raises of the last days go back', () => {
    const spend = daily({ costMicros: dollars(10) }).map(day =>
      day.day === addDays(today, -1) ? { ...day, costMicros: dollars(40) } : day,
    )
    const of = facts({
      campaigns: [campaign('c1', { days: spend.map(day => ({ ...day, budgetMicros: dollars(50) })) })],
    })
    const raised = { changedOn: addDays(today, -1), beforeMicros: dollars(0.8) }
    const { decisions } = run(of, settings(), { multiplier: 0.4, forecastAcos: 0.1, targets: { usual: raised } })
    expect(decisions.find(one => one.entityId === 'usual')).toMatchObject({ kind: 'breaker', after: dollars(0.8) })
  })

  test('when most bids want the same full step: the seller is asked', () => {
    const all = Array.from({ length: 12 }, (_, i) => target(`t${i}`, { bidMicros: dollars(5), days: daily(usual) }))
    const bids = run(facts({ targets: all })).decisions.filter(one => one.kind === 'bid')
    expect(bids).toHaveLength(12)
    expect(bids.every(one => one.asks)).toBe(true)
  })
})

test('one row says that nothing changed, and from the same facts the same rows follow', () => {
  const of = facts()
  const first = run(of)
  const copy = JSON.parse(JSON.stringify(of)) as Facts
  expect(run(copy)).toEqual(first)
  const settled = run(of, settings(), { ...first.memory, targets: { usual: { changedOn: today } }, budgetsOn: today })
  expect(settled.decisions).toMatchObject([{ kind: 'none', cause: 'NOTHING_TO_DO', evidence: { targetAcos: 0.3 } }])
})

test('a lasting change of what clicks bring is found by its day, chance is not', () => {
  const steady = daily({ clicks: 40 }).map((day, i) => ({ ...day, orders: [3, 4, 5, 4][i % 4] ?? 4 }))
  expect(findBreak(steady, [0, 1], today)).toBeNull()
  const fallen = steady.map(day => (day.day >= addDays(today, -12) ? { ...day, orders: 1 } : day))
  const found = findBreak(fallen, [0, 1], today)
  expect(found?.day).toBe(addDays(today, -12))
  expect(found?.factor).toBeLessThan(0.45)
})
