import { formatDayRange, formatFullDay } from '#client/ui/figures/format.ts'
import type { Invoice, PaymentCard } from '../contract.ts'

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export const cardName = ({ brand, last4 }: PaymentCard): string => `${brands[brand] ?? 'Card'} ending in ${last4}`

const twoDigits = (n: number): string => String(n).padStart(2, '0')

export function cardExpiry({ expMonth, expYear, expiry }: PaymentCard): string {
  return `${expiry === 'EXPIRED' ? 'Expired' : 'Expires'} ${twoDigits(expMonth)}/${twoDigits(expYear % 100)}`
}

export const expiryTags = { VALID: null, SOON: 'Expires soon', EXPIRED: 'Expired' } as const

export const kindLabels: Record<Invoice['kind'], string> = {
  PLAN: 'Plan',
  AD_SPEND: 'Ad spend fee',
  OTHER: 'Other',
}

/** The state of an invoice, and how it is marked. */
export function invoiceState({ status, attemptCount }: Invoice): { label: string; tone: string } {
  if (status === 'open' && attemptCount > 0) return { label: 'Payment failed', tone: 'tag-danger' }
  return states[status]
}

const states: Record<Invoice['status'], { label: string; tone: string }> = {
  draft: { label: 'Being prepared', tone: '' },
  open: { label: 'To pay', tone: 'tag-accent' },
  paid: { label: 'Paid', tone: 'tag-good' },
  uncollectible: { label: 'Overdue', tone: 'tag-danger' },
  void: { label: 'Canceled', tone: '' },
}

/** The calendar day of a moment, in UTC as the provider counts periods. */
export const dayText = (at: string): string => formatFullDay(at.slice(0, 10))

export function periodText({ periodStart, periodEnd }: Pick<Invoice, 'periodStart' | 'periodEnd'>): string | null {
  if (periodStart === null || periodEnd === null || periodStart.slice(0, 10) === periodEnd.slice(0, 10)) return null
  return formatDayRange(periodStart.slice(0, 10), periodEnd.slice(0, 10))
}

export const invoiceName = ({ number, kind }: Pick<Invoice, 'number' | 'kind'>): string =>
  number === null ? `${kindLabels[kind]} (no number yet)` : `Invoice ${number}`
