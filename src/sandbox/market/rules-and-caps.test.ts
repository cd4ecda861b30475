import { describe, expect, test } from 'vitest'
import type { BidRule, BudgetRule } from '../core/model/rules.ts'
import type { Store } from '../core/model/store.ts'
import {
  busyWorld as scarceWorld,
  DAY,
  HOUR,
  inOrder,
  MADE,
  now,
  profileId,
  spend,
} from '../../../tests/support/market-world.ts'
import { createMarket, type Market } from './create-market.ts'
import type { Fact } from './market.ts'

const stamp = { profileId, createdAt: MADE, updatedAt: MADE, campaignIds: ['c'] }
const budgetRule = (ruleId: string, more: Partial<BudgetRule> = {}): BudgetRule => ({
  ruleId,
  name: ruleId,
  state: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: null,
  percent: 50,
  condition: null,
  ...stamp,
  ...more,
})
const bidRule = (optimizationRuleId: string, more: Partial<BidRule> = {}): BidRule => ({
  optimizationRuleId,
  name: optimizationRuleId,
  status: 'ENABLED',
  from: MADE,
  to: null,
  days: null,
  minutes: null,
  percent: 40,
  ...stamp,
  ...more,
})
/** So much in stock that nothing that was sold makes a difference. */
function busyWorld(change: { bid?: number; budget?: number }): Store {
  const store = scarceWorld(change)
  for (const product of store.products.values()) product.fulfillable = 1_000_000_000
  return store
}
const open = (store: Store): Market => createMarket(store, { seed: 5, startsAt: new Date(MADE) })
/** All that was found out by much later, after the market has come to `now` in steps. */
function factsAfter(store: Store, stepHours = 30 * 24): Fact[] {
  const market = open(store)
  for (let at = MADE; at < now.getTime(); at += stepHours * HOUR) market.advance(new Date(at))
  market.advance(now)
  // Whatever it dumps it can continue from.
  market.restore(JSON.parse(JSON.stringify(market.dump())))
  market.advance(new Date(now.getTime() + DAY))
  return market.facts(profileId, '2026-10-22', '2026-11-22', new Date(now.getTime() + 90 * DAY))
}
const onDay = (facts: readonly Fact[], day: string): number => spend(facts.filter(fact => fact.day === day))

describe('schedule rules of bids', () => {
  const evening = { minutes: { from: 18 * 60, to: 22 * 60 }, days: ['FRIDAY' as const] }
  const isEvening = ({ day, hour }: Fact): boolean =>
    hour >= 18 && hour < 22 && new Date(`${day}T12:00:00Z`).getUTCDay() === 5

  test('add up in the hours they are for, and leave all others as they are', () => {
    const ruled = busyWorld({ bid: 1 })
    ruled.bidRules.set('one', bidRule('one', evening))
    ruled.bidRules.set('two', bidRule('two', { ...evening, percent: 20 }))
    ruled.bidRules.set('off', bidRule('off', { percent: 90, status: 'PAUSED' }))
    ruled.bidRules.set('other', bidRule('other', { percent: 90, campaignIds: ['d'] }))
    const facts = factsAfter(ruled)
    expect(inOrder(facts)).toEqual(inOrder(factsAfter(ruled, 5)))
    const plain = factsAfter(busyWorld({ bid: 1 }))
    const raised = factsAfter(busyWorld({ bid: 1.6 }))
    // Later, rivals may answer what the raised bids took from them.
    const part = (some: readonly Fact[], inEvening: boolean): string[] =>
      inOrder(some.filter(fact => fact.day < '2026-11-02' && isEvening(fact) === inEvening))
    expect(part(facts, false)).toEqual(part(plain, false))
    expect(part(facts, true)).toEqual(part(raised, true))
    expect(facts.filter(isEvening).length).toBeGreaterThan(5)
  })
})

describe('budget rules', () => {
  const limited = (rules: readonly BudgetRule[]): Store => {
    const store = busyWorld({ bid: 6, budget: 12 })
    for (const rule of rules) store.budgetRules.set(rule.ruleId, rule)
    return store
  }
  const week = { startDate: '2026-11-09', endDate: '2026-11-15' }

  test('raise the budgets of their days by the sum of their parts', () => {
    const store = limited([budgetRule('one', { ...week, percent: 100 }), budgetRule('two', week)])
    const facts = factsAfter(store)
    expect(inOrder(facts)).toEqual(inOrder(factsAfter(store, 7)))
    const plain = factsAfter(limited([]))
    expect(onDay(plain, '2026-11-12')).toBeLessThanOrEqual(24e6)
    expect(onDay(facts, '2026-11-12')).toBeGreaterThan(25e6)
    expect(onDay(facts, '2026-11-12')).toBeLessThanOrEqual(60e6)
    expect(onDay(facts, '2026-11-07')).toBe(onDay(plain, '2026-11-07'))
    const market = open(store)
    market.advance(new Date('2026-11-12T20:00:00Z'))
    const usage = market.budgetUsage('c', new Date('2026-11-12T20:00:00Z'))
    expect(usage.budgetMicros).toBe(30e6)
    expect(usage.share).toBeCloseTo(usage.spentMicros / 30e6)
    expect(market.budgetUsage('c', new Date('2026-11-16T20:00:00Z')).budgetMicros).toBe(12e6)
  })

  test('look at the last seven days where they have a condition, once a day', () => {
    const condition = (comparison: 'LESS_THAN' | 'GREATER_THAN') =>
      ({ metric: 'CTR', comparison, threshold: 0.05 }) as const
    const at = new Date('2026-11-12T20:00:00Z')
    const inForce = (rule: BudgetRule, budget = 12) => {
      const store = busyWorld({ bid: 6, budget })
      store.budgetRules.set('r', rule)
      const market = open(store)
      market.advance(at)
      return market.budgets.inForce('c', at)
    }
    const holding = budgetRule('r', { condition: condition('GREATER_THAN') })
    expect(inForce(holding)).toMatchObject({ budgetMicros: 18e6, rules: ['r'] })
    expect(inForce(budgetRule('r', { condition: condition('LESS_THAN') }))).toMatchObject({
      budgetMicros: 12e6,
      rules: [],
    })
    expect(inForce(holding, 9)).toMatchObject({ budgetMicros: 9e6, rules: [] })
    expect(inForce({ ...holding, state: 'PAUSED' })).toMatchObject({ budgetMicros: 12e6 })
  })
})

describe('portfolios', () => {
  const capped = (amount: number, more: object = {}): Store => {
    const store = busyWorld({ bid: 6 })
    const campaign = store.campaigns.get('c')
    if (!campaign) throw new Error('no campaign')
    store.campaigns.set('c', { ...campaign, portfolioId: 'p' })
    const dates = { policy: 'MONTHLY_RECURRING' as const, startDate: null, endDate: null }
    const { createdAt, updatedAt } = stamp
    const portfolio = { portfolioId: 'p', profileId, name: 'p', state: 'ENABLED' as const, createdAt, updatedAt }
    store.portfolios.set('p', { ...portfolio, ...dates, amountMicros: amount * 1e6, ...more })
    return store
  }

  test('stop their campaigns when the month has cost as much as they may, until the cap is raised', () => {
    const store = capped(100)
    const facts = factsAfter(store)
    expect(inOrder(facts)).toEqual(inOrder(factsAfter(store, 11)))
    const ofMonth = (month: string): Fact[] => facts.filter(({ day }) => day.startsWith(month))
    for (const month of ['2026-10', '2026-11']) {
      expect(spend(ofMonth(month))).toBeGreaterThan(90e6)
      expect(spend(ofMonth(month))).toBeLessThanOrEqual(100e6)
    }
    const market = open(store)
    market.advance(now)
    expect(market.budgets.outOf('c', now)).toBe('PORTFOLIO')
    const portfolio = store.portfolios.get('p')
    if (portfolio) store.portfolios.set('p', { ...portfolio, amountMicros: 200e6 })
    const later = new Date(now.getTime() + 3 * HOUR)
    market.advance(later)
    expect(market.budgets.outOf('c', later)).toBeNull()
    const after = market.facts(profileId, '2026-11-21', '2026-11-21', new Date(now.getTime() + 90 * DAY))
    expect(spend(after)).toBeGreaterThan(0)
  })

  test('serve on their own days only', () => {
    const range = { policy: 'DATE_RANGE', startDate: '2026-11-05', endDate: '2026-11-10' }
    const days = new Set(factsAfter(capped(100_000, range)).map(({ day }) => day))
    expect([...days].sort()).toEqual(['05', '06', '07', '08', '09', '10'].map(day => `2026-11-${day}`))
  })
})

describe('rule-based bidding', () => {
  const aimed = (roas: number | null, budget = 5000): Store => {
    const store = busyWorld({ bid: 1, budget })
    const campaign = store.campaigns.get('c')
    if (!campaign) throw new Error('no campaign')
    store.campaigns.set('c', { ...campaign, strategy: 'RULE_BASED' })
    if (roas !== null)
      store.roasRules.set('r', { ...stamp, campaignOptimizationId: 'r', name: 'r', roas, campaignIds: ['c'] })
    return store
  }
  const isLater = ({ day }: Fact): boolean => day >= '2026-11-05'
  const within = (some: readonly Fact[]) => ({
    cost: spend(some),
    roas: some.reduce((sum, fact) => sum + fact.salesMicros.d7, 0) / spend(some),
  })

  test('buys more where the aim is low and less where it is high, once a campaign is known', () => {
    const fixed = factsAfter(aimed(null))
    const [low, high] = [factsAfter(aimed(0.2)), factsAfter(aimed(2))]
    expect(inOrder(low)).toEqual(inOrder(factsAfter(aimed(0.2), 9)))
    // For ten days it bids as it is set.
    const young = (some: readonly Fact[]): string[] => inOrder(some.filter(({ day }) => day < '2026-11-01'))
    expect(young(low)).toEqual(young(fixed))
    const [bought, usual, saved] = [low, fixed, high].map(facts => within(facts.filter(isLater)))
    expect(bought?.cost).toBeGreaterThan(1.2 * (usual?.cost ?? 0))
    expect(saved?.cost).toBeLessThan(0.7 * (usual?.cost ?? 0))
    expect(saved?.roas).toBeGreaterThan(usual?.roas ?? 0)
    const most = Math.max(...low.filter(fact => fact.clicks > 0).map(fact => fact.costMicros / fact.clicks))
    expect(most).toBeLessThanOrEqual(3e6)
    expect(inOrder(factsAfter(aimed(0.2, 9)))).toEqual(inOrder(factsAfter(aimed(null, 9))))
  })
})
