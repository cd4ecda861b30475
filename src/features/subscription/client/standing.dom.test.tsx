import { describe, expect, test } from 'vitest'
import type { Plan, Subscription } from '../contract.ts'
import { describeCancellation, describeStanding } from './standing.ts'
import { choicesOf } from './subscription-page.tsx'

const plan = (id: number, name: string): Plan => ({
  id,
  name,
  type: 'GROWTH',
  basePrice: 99,
  minimumTaxablePrice: 5000,
  adSpendPercentage: 2.5,
  maxMerchants: null,
  maxProfiles: null,
  maxSpend: null,
  currency: 'USD',
  trialDays: 14,
  stripePriceId: null,
})
const growth = plan(2, 'Growth')
const agency = plan(3, 'Agency')
const active: Subscription = {
  hasAccess: true,
  requiresUpgrade: false,
  hasActiveSubscription: true,
  status: 'active',
  isTrialActive: false,
  isTrialExpired: false,
  trialDaysRemaining: 0,
  trialStartDate: null,
  trialEndDate: null,
  planId: 2,
  planName: 'Growth',
  cancelAtPeriodEnd: false,
  periodEndDate: '2026-12-24T12:00:00.000Z',
  isOwn: true,
  isBilled: true,
  hasCard: true,
  hasOpenInvoice: false,
  paymentError: null,
  graceEndDate: null,
  isMerchantTrialUsed: false,
  overLimits: [],
}
const trial: Subscription = {
  ...active,
  status: 'trialing',
  isTrialActive: true,
  trialDaysRemaining: 3,
  trialEndDate: '2026-11-26T12:00:00.000Z',
}
const locked = { hasAccess: false, requiresUpgrade: true }
const ended = { ...active, ...locked, hasActiveSubscription: false, isBilled: false }

// [state, what is said, the steps, what Growth (the present plan) offers, what Agency offers]
const states: [string, Partial<Subscription>, RegExp, string[], string[], string[]][] = [
  [
    'a trial that nobody pays',
    { ...trial, isBilled: false, hasCard: null },
    /will not be charged: you have not subscribed/,
    [],
    ['BUY'],
    ['BUY', 'TRY'],
  ],
  ['a trial with a card', trial, /Then \$99\.00 a month is charged to your card/, [], [], ['CHANGE']],
  ['a trial whose card is gone', { ...trial, hasCard: false }, /there is no card: add one/, ['CARD'], [], ['CHANGE']],
  ['a trial that will end', { ...trial, cancelAtPeriodEnd: true }, /will not continue/, ['RESUME'], [], ['CHANGE']],
  ['a paid plan', active, /It renews on/, [], [], ['CHANGE']],
  ['a paid plan that will end', { ...active, cancelAtPeriodEnd: true }, /It ends on/, ['RESUME'], [], ['CHANGE']],
  ['a paid plan without a card', { ...active, hasCard: false }, /no card to charge/, ['CARD'], [], ['CHANGE']],
  [
    'a late payment',
    { ...active, status: 'past_due', paymentError: 'insufficient_funds', graceEndDate: '2026-11-30T12:00:00.000Z' },
    /insufficient funds\. Pay by .*30/,
    ['PAY', 'CARD'],
    [],
    [],
  ],
  [
    'a payment that is too late',
    { ...active, ...locked, status: 'past_due' },
    /access has ended; pay to get it back/,
    ['PAY', 'CARD'],
    [],
    [],
  ],
  ['no payment', { ...active, ...locked, status: 'unpaid' }, /Pay the open invoice/, ['PAY', 'CARD'], [], []],
  [
    'a first payment that is open',
    { ...ended, status: 'incomplete' },
    /not finished\. Finish it/,
    ['PAY'],
    ['BUY'],
    ['BUY'],
  ],
  [
    'a first payment that was given up',
    { ...ended, status: 'incomplete_expired' },
    /nothing was charged/,
    [],
    ['BUY'],
    ['BUY'],
  ],
  ['an end after payment', { ...ended, status: 'canceled' }, /has ended\..*choose a plan/i, [], ['BUY'], ['BUY']],
  [
    'an end of the trial',
    { ...ended, status: 'paused', isTrialExpired: true },
    /Choose a plan to see it again/,
    [],
    ['BUY'],
    ['BUY'],
  ],
  [
    'a trial of another merchant',
    { ...trial, isBilled: false, isMerchantTrialUsed: true },
    /Subscribe to a plan to work with it/,
    [],
    ['BUY'],
    ['BUY', 'TRY'],
  ],
]

describe('a subscriber reads what is so and what to do', () => {
  test.each(states)('with %s', (_name, state, sentence, steps, own, other) => {
    const s = { ...active, ...state }
    const text = describeStanding(s, growth)
    expect(text.sentence).toMatch(sentence)
    expect(text.steps).toEqual(steps)
    expect(choicesOf(growth, s).map(({ kind }) => kind)).toEqual(own)
    expect(choicesOf(agency, s).map(({ kind }) => kind)).toEqual(other)
  })

  test('without any subscription, or with that of somebody else', () => {
    expect(choicesOf(growth, null).map(({ kind }) => kind)).toEqual(['TRY', 'BUY'])
    expect(choicesOf(growth, { ...active, isOwn: false })).toEqual([])
  })
})

test('who cancels learns what happens to the access, to what was paid and to the fee on the ad spend until then', () => {
  expect(describeCancellation(active, true)).toMatch(
    /not refunded\. The fee on your ad spend of this month until today/,
  )
  expect(describeCancellation(active, false)).toMatch(
    /until the end of the period\. The fee on your ad spend until then/,
  )
  for (const isImmediate of [true, false])
    expect(describeCancellation({ ...active, ...trial }, isImmediate)).not.toMatch(/fee|refunded/)
})
