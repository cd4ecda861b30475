import { describe, expect, test } from 'vitest'
import { type StoredSubscription, standingOf, trialEnd } from './rules.ts'

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
