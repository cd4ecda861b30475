import { describe, expect, test } from 'vitest'
import { isUpgradeDue, overLimits, type PlanLimits, type StoredSubscription, standingOf, trialEnd } from './rules.ts'

const start = new Date('2026-03-01T10:00:00Z')
const end = trialEnd(start)
const after = (ms: number, from = start) => new Date(from.getTime() + ms)
const dayMs = 86_400_000
const trial: StoredSubscription = {
  status: 'trialing',
  trialStartedAt: start,
  trialEndsAt: end,
  periodEndsAt: end,
  cancelAtPeriodEnd: false,
  pastDueSince: null,
}
const paid: StoredSubscription = { ...trial, status: 'active', periodEndsAt: after(44 * dayMs) }

test('a trial lasts 14 days', () => {
  expect(end.toISOString()).toBe('2026-03-15T10:00:00.000Z')
})

describe('a trial', () => {
  test.each([
    [0, 14],
    [1, 14],
    [dayMs, 13],
    [13 * dayMs, 1],
    [14 * dayMs - 1, 1],
  ])('%i ms after its start gives access and has %i begun days left', (ms, days) => {
    expect(standingOf(trial, after(ms))).toMatchObject({
      status: 'trialing',
      hasAccess: true,
      hasActiveSubscription: true,
      requiresUpgrade: false,
      isTrialActive: true,
      isTrialExpired: false,
      trialDaysRemaining: days,
    })
  })

  test('that ran out without a card is paused and wants a plan', () => {
    expect(standingOf(trial, end)).toMatchObject({
      status: 'paused',
      hasAccess: false,
      hasActiveSubscription: false,
      requiresUpgrade: true,
      isTrialActive: false,
      isTrialExpired: true,
      trialDaysRemaining: 0,
    })
  })

  test('to be ended with its period gives access until then, and is canceled after', () => {
    const ending = { ...trial, cancelAtPeriodEnd: true }
    expect(standingOf(ending, after(dayMs))).toMatchObject({ hasAccess: true, cancelAtPeriodEnd: true })
    expect(standingOf(ending, end)).toMatchObject({ status: 'canceled', hasAccess: false, isTrialExpired: true })
  })

  test('canceled at once gives no access', () => {
    const ended = { ...trial, status: 'canceled' as const }
    expect(standingOf(ended, after(dayMs))).toMatchObject({ hasAccess: false, requiresUpgrade: true })
  })
})

describe('a paid subscription', () => {
  test('gives access, and its trial is no matter any more', () => {
    expect(standingOf(paid, after(30 * dayMs))).toMatchObject({
      hasAccess: true,
      requiresUpgrade: false,
      isTrialActive: false,
      isTrialExpired: false,
    })
  })

  test('canceled after it was paid asks for a plan without speaking of the trial', () => {
    const ended = { ...paid, status: 'canceled' as const }
    expect(standingOf(ended, after(60 * dayMs))).toMatchObject({ requiresUpgrade: true, isTrialExpired: false })
  })

  test.each([
    [7 * dayMs - 1, true],
    [7 * dayMs, false],
  ])('whose payment is %i ms late gives access: %s', (ms, hasAccess) => {
    const late = { ...paid, status: 'past_due' as const, pastDueSince: after(44 * dayMs) }
    const standing = standingOf(late, after(44 * dayMs + ms))
    expect(standing).toMatchObject({ hasAccess, requiresUpgrade: !hasAccess, hasActiveSubscription: true })
  })

  test.each(['incomplete', 'incomplete_expired'] as const)('that is %s gives nothing', status => {
    expect(standingOf({ ...paid, status }, start)).toMatchObject({ hasAccess: false, hasActiveSubscription: false })
  })
})

describe('the limits of a plan', () => {
  const limits: PlanLimits = { maxMerchants: 1, maxProfiles: 2, maxSpendMicros: 3_000 }
  const days = (spent: number, over = 37) =>
    Array.from({ length: 38 }, (_, n) => ({
      date: new Date(start.getTime() + (n - 37) * dayMs).toISOString().slice(0, 10),
      micros: n > 37 - over ? spent : 0,
    }))
  const none = { merchants: [], profiles: [], spendMicros: days(0) }
  const longAgo = after(-100 * dayMs)

  test('are kept by who has as much as they allow', () => {
    const usage = { merchants: [longAgo], profiles: [longAgo, longAgo], spendMicros: days(100) }
    expect(overLimits(limits, usage, longAgo)).toEqual([])
  })

  test('are exceeded from the moment of the first merchant or profile too many, and seven days later a plan is due', () => {
    const second = after(-7 * dayMs)
    const usage = { ...none, merchants: [second, longAgo], profiles: [longAgo, second, start] }
    const over = overLimits(limits, usage, longAgo)
    expect(over).toEqual([
      { limit: 'MERCHANTS', used: 2, allowed: 1, upgradeBy: start },
      { limit: 'PROFILES', used: 3, allowed: 2, upgradeBy: after(7 * dayMs) },
    ])
    expect([isUpgradeDue(over, after(-1)), isUpgradeDue(over, start)]).toEqual([false, true])
  })

  test('of ad spend are exceeded by what thirty days together cost', () => {
    const over = overLimits(limits, { ...none, spendMicros: days(1_000, 5) }, longAgo)
    // Three days are allowed; the fourth was yesterday.
    expect(over).toEqual([{ limit: 'SPEND', used: 5_000, allowed: 3_000, upgradeBy: new Date('2026-03-07T00:00:00Z') }])
  })

  test('count from the day the plan was chosen', () => {
    const usage = { merchants: [longAgo, longAgo], profiles: [], spendMicros: days(1_000) }
    expect(overLimits(limits, usage, start).map(one => one.upgradeBy)).toEqual([after(7 * dayMs), after(7 * dayMs)])
  })

  test('are none where a plan has none', () => {
    const usage = { merchants: [longAgo, longAgo], profiles: [longAgo], spendMicros: days(1e12) }
    expect(overLimits({ maxMerchants: null, maxProfiles: null, maxSpendMicros: null }, usage, longAgo)).toEqual([])
  })
})
