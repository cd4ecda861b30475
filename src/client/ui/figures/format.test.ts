import { expect, it } from 'vitest'
import { compactText, dateText, decimalSign } from '#shared/region-format.ts'
import { moneyText } from '#shared/money.ts'
import { formatAge, formatDay, formatFigure, formatFigureShort, formatMoney } from './format.ts'

it('writes money with the digits of its currency', () => {
  expect(formatMoney(1234.5, 'USD')).toBe('$1,234.50')
  expect(formatMoney(1234, 'JPY')).toBe('¥1,234')
  expect(formatMoney(0.02, 'EUR')).toBe('€0.02')
})
it('shortens from ten thousand, never below', () => {
  expect(formatFigureShort(9999, 'count')).toBe('9,999')
  expect(formatFigureShort(12_412, 'count')).toBe('12.4K')
  expect(formatFigureShort(12_412.4, 'money', 'USD')).toBe('$12.4K')
  expect(formatFigureShort(2904.1, 'money', 'USD')).toBe('$2,904.10')
  expect(formatFigureShort(2904.1, 'money', 'CAD')).toBe('CA$2.9K')
  expect(formatFigureShort(290.41, 'money', 'CAD')).toBe('CA$290.41')
})
it('takes percentages as they are', () => {
  expect(formatFigure(12.345, 'percent')).toBe('12.35%')
  expect(formatFigureShort(12.345, 'percent')).toBe('12.3%')
})
it('writes a calendar day as it is, in any time zone', () => expect(formatDay('2026-11-03')).toBe('Nov 3'))
it.each([
  [59, 'just now'],
  [61, '1 min. ago'],
  [3 * 3600, '3 hr. ago'],
  [49 * 3600, '2 days ago'],
])('tells an age of %i s as %s', (seconds, text) => expect(formatAge(0, seconds * 1000)).toBe(text))

const at = new Date('2026-11-23T18:40:00Z')
it.each([
  ['en-GB', '€1,234.56', '€12.4K', '23 Nov 2026, 18:40', '.'],
  ['de-DE', '1.234,56 €', '12,4K €', '23.11.2026, 18:40', ','],
  ['fr-FR', '1 234,56 €', '12,4K €', '23 Nov 2026, 18:40', ','],
  ['es-ES', '1234,56 €', '12,4K €', '23 Nov 2026, 18:40', ','],
  ['ja-JP', '€1,234.56', '€12.4K', '2026/11/23 18:40', '.'],
  ['hi-IN', '€1,234.56', '€12.4K', '23 Nov 2026, 6:40 PM', '.'],
])('writes numbers and days of %s, with English words', (locale, full, compact, moment, sign) => {
  const plain = (text: string): string => text.replaceAll(/\s/gu, ' ')
  expect(plain(moneyText(1_234_560_000, 'EUR', { locale, timeZone: 'UTC' }))).toBe(full)
  expect(plain(compactText(locale, 12_412, { style: 'currency', currency: 'EUR' }))).toBe(compact)
  expect(plain(dateText(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }, at))).toBe(moment)
  expect(decimalSign(locale)).toBe(sign)
})
