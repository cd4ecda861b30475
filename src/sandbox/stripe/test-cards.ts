import type { PaymentMethod } from './model.ts'

interface Decline {
  code: string
  decline_code?: string
  message: string
}

const declines = {
  generic: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  lost: { code: 'card_declined', decline_code: 'lost_card', message: 'Your card was declined.' },
  stolen: { code: 'card_declined', decline_code: 'stolen_card', message: 'Your card was declined.' },
  expired: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  cvc: { code: 'incorrect_cvc', decline_code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  processing: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  authentication: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
} satisfies Record<string, Decline>

interface TestCard {
  brand: string
  /** Declined at once, wherever it is entered. */
  declined?: Decline
  /** Can be saved, but every charge fails. */
  failsLater?: Decline
  /** Its owner must confirm: `once`, when it is saved or first charged, or each time. */
  authentication?: 'once' | 'always'
  /** Its owner has each payment given back. */
  isDisputed?: boolean
}

/** The provider's published test cards. */
const cards: Record<string, TestCard> = {
  4242424242424242: { brand: 'visa' },
  4000056655665556: { brand: 'visa' },
  5555555555554444: { brand: 'mastercard' },
  378282246310005: { brand: 'amex' },
  4000000000000002: { brand: 'visa', declined: declines.generic },
  4000000000009995: { brand: 'visa', declined: declines.insufficient },
  4000000000009987: { brand: 'visa', declined: declines.lost },
  4000000000009979: { brand: 'visa', declined: declines.stolen },
  4000000000000069: { brand: 'visa', declined: declines.expired },
  4000000000000127: { brand: 'visa', declined: declines.cvc },
  4000000000000119: { brand: 'visa', declined: declines.processing },
  4000000000000341: { brand: 'visa', failsLater: declines.generic },
  4000000000000259: { brand: 'visa', isDisputed: true },
  4000002500003155: { brand: 'visa', authentication: 'once' },
  4000002760003184: { brand: 'visa', authentication: 'always' },
}

const named: Record<string, string> = {
  visa: '4242424242424242',
  visa_debit: '4000056655665556',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  chargeDeclined: '4000000000000002',
  visa_chargeDeclined: '4000000000000002',
  chargeDeclinedInsufficientFunds: '4000000000009995',
  visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  visa_chargeDeclinedLostCard: '4000000000009987',
  visa_chargeDeclinedStolenCard: '4000000000009979',
  chargeDeclinedExpiredCard: '4000000000000069',
  chargeDeclinedIncorrectCvc: '4000000000000127',
  chargeDeclinedProcessingError: '4000000000000119',
  chargeCustomerFail: '4000000000000341',
  createDispute: '4000000000000259',
  authenticationRequiredOnSetup: '4000002500003155',
  authenticationRequired: '4000002760003184',
  threeDSecureRequired: '4000002760003184',
  threeDSecure2Required: '4000002760003184',
}

export const testCardOf = (number: string): TestCard | undefined => cards[number]

/** The card number behind `pm_card_visa` or `tok_visa`; null when there is none. */
export const tokenNumber = (id: string): string | null => named[id.replace(/^(pm_card_|tok_)/, '')] ?? null

/** Cards are valid to the end of their month. */
export function isExpired({ exp_month, exp_year }: { exp_month: number; exp_year: number }, now: number): boolean {
  return Date.UTC(exp_year, exp_month, 1) <= now * 1000
}

/** Why the card cannot be saved, or null. */
export function problemOnAttach({ _number: number, card }: PaymentMethod, now: number): Decline | null {
  if (isExpired(card, now)) return declines.expired
  return cards[number]?.declined ?? null
}

export type ChargeOutcome = { ok: true } | { ok: false; decline: Decline } | { ok: false; needsAction: true }

/**
 * What the bank says to a charge. `isConfirmed`: the owner has just confirmed it; `isPresent`: the owner is there to do so.
 */
export function chargeOutcome(
  method: PaymentMethod,
  now: number,
  { isPresent, isConfirmed }: { isPresent: boolean; isConfirmed: boolean },
): ChargeOutcome {
  const problem = problemOnAttach(method, now) ?? cards[method._number]?.failsLater
  if (problem) return { ok: false, decline: problem }
  const { authentication } = cards[method._number] ?? {}
  const needs = authentication === 'always' || (authentication === 'once' && !method._isSetUp)
  if (!needs || isConfirmed) return { ok: true }
  return isPresent ? { ok: false, needsAction: true } : { ok: false, decline: declines.authentication }
}

/** Whether the owner disputes what was charged to the card. */
export const isDisputed = (method: PaymentMethod): boolean => cards[method._number]?.isDisputed ?? false

/** Whether the owner must confirm that the card is saved. */
export const needsSetup = (method: PaymentMethod): boolean =>
  cards[method._number]?.authentication !== undefined && !method._isSetUp
