import type { CommissionState } from './contract.ts'

/** Of what is paid for the plan's price. */
export const commissionPercent = 20
/** How long the invoices of a referral earn a commission, from the first one that was paid. */
export const earningMonths = 12
/** Days from the payment of an invoice until its commission is payable: enough for refunds. */
export const holdDays = 30

const dayMs = 86_400_000

/** The commission for an amount, both in the smallest unit of the currency: rounded half to even. */
export function commissionOf(baseAmount: bigint): bigint {
  const exact = baseAmount * BigInt(commissionPercent)
  const low = exact / 100n
  const rest = exact % 100n
  return rest > 50n || (rest === 50n && low % 2n === 1n) ? low + 1n : low
}

/** The moment from which invoices of a referral earn nothing: the same day and time, or the month's last day, in UTC. */
export function earnsUntil(firstPaidAt: Date): Date {
  const end = new Date(firstPaidAt)
  end.setUTCMonth(end.getUTCMonth() + earningMonths)
  // 29 February has no counterpart in the next year.
  if (end.getUTCDate() !== firstPaidAt.getUTCDate()) end.setUTCDate(0)
  return end
}

export const payableFrom = (invoicePaidAt: Date): Date => new Date(invoicePaidAt.getTime() + holdDays * dayMs)

/** The state of a commission at a moment. */
export function stateAt(
  commission: { payableAt: Date; paidOutAt: Date | null; reversedAt: Date | null },
  now: Date,
): CommissionState {
  if (commission.reversedAt) return 'REVERSED'
  if (commission.paidOutAt) return 'PAID'
  return commission.payableAt <= now ? 'PAYABLE' : 'PENDING'
}

// Letters only, so that no address takes a code for a number; without vowels, so that none spells a word.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 10

/** A new code of ten letters (43 bits). `random` has at least ten bytes below 240 among many. */
export function codeFrom(random: Uint8Array): string {
  // 240 is the largest multiple of 20 in a byte, so every letter is equally likely.
  const fair = [...random].filter(byte => byte < letters.length * 12).slice(0, codeLength)
  if (fair.length < codeLength) throw new RangeError('too few random bytes')
  return fair.map(byte => letters[byte % letters.length]).join('')
}

/** A code as it is stored: people write small letters and blanks. */
export const normalizeCode = (entered: string): string => entered.replace(/\s+/g, '').toUpperCase()

const shorten = (text: string): string => `${text.slice(0, 1)}•••`

/** What somebody else may see of an email address: `m•••@p•••.test`. */
export function shortenedEmail(email: string): string {
  const [mailbox = '', domain = ''] = email.split(/@(?=[^@]*$)/)
  const parts = domain.split('.')
  const end = parts.length > 1 ? `.${parts.at(-1)}` : ''
  return `${shorten(mailbox)}@${shorten(domain)}${end}`
}

/** Whether two addresses are the same mailbox: a part after a plus sign makes no difference. */
export function isSameMailbox(one: string, other: string): boolean {
  const plain = (email: string) => email.toLowerCase().replace(/\+[^@]*@/, '@')
  return plain(one) === plain(other)
}
