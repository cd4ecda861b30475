import { expect, test } from 'vitest'
import {
  codeFrom,
  commissionOf,
  earnsUntil,
  isSameMailbox,
  normalizeCode,
  payableFrom,
  shortenedEmail,
  stateAt,
} from './rules.ts'

test.each([
  [9900n, 1980n],
  [2900n, 580n],
  [1n, 0n],
  [2n, 0n],
  [3n, 1n],
  [12n, 2n],
  [13n, 3n],
  [9_007_199_254_740_993_00n, 180_143_985_094_819_860n],
])('a fifth of %s is %s', (base, commission) => {
  expect(commissionOf(base)).toBe(commission)
})

test('a referral earns for twelve calendar months from its first payment', () => {
  expect(earnsUntil(new Date('2026-11-23T10:30:00Z'))).toEqual(new Date('2027-11-23T10:30:00Z'))
  expect(earnsUntil(new Date('2028-02-29T23:00:00Z'))).toEqual(new Date('2029-02-28T23:00:00Z'))
})

test('a commission is pending for thirty days, then payable, until it is paid or reversed', () => {
  const paidAt = new Date('2026-11-01T00:00:00Z')
  const commission = { payableAt: payableFrom(paidAt), paidOutAt: null, reversedAt: null }
  expect(stateAt(commission, new Date('2026-11-30T23:59:59Z'))).toBe('PENDING')
  const later = new Date('2026-12-01T00:00:00Z')
  expect(stateAt(commission, later)).toBe('PAYABLE')
  expect(stateAt({ ...commission, paidOutAt: later }, later)).toBe('PAID')
  expect(stateAt({ ...commission, paidOutAt: later, reversedAt: later }, later)).toBe('REVERSED')
})

test('a code has ten letters, all equally likely, and is found as people write it', () => {
  const code = codeFrom(Uint8Array.from({ length: 12 }, (_, i) => (i === 0 ? 255 : i)))
  expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{10}$/)
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 240; byte++) {
    const letter = codeFrom(new Uint8Array(10).fill(byte)).charAt(0)
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(new Set(counts.values())).toEqual(new Set([12]))
  expect(() => codeFrom(new Uint8Array(10).fill(250))).toThrow(RangeError)
  expect(normalizeCode(` ${code.slice(0, 5).toLowerCase()} ${code.slice(5)} `)).toBe(code)
})

test.each([
  ['mara@people.test', 'm•••@p•••.test'],
  ['m@mail.people.co.uk', 'm•••@m•••.uk'],
  ['"a@b"@localhost', '"•••@l•••'],
])('of %s others see %s', (email, shown) => {
  expect(shortenedEmail(email)).toBe(shown)
})

test('an address with a part after a plus sign is the same mailbox', () => {
  expect(isSameMailbox('Mara+2@people.test', 'mara@people.test')).toBe(true)
  expect(isSameMailbox('mara@people.test', 'mara@other.test')).toBe(false)
})
