import { expect, test } from 'vitest'
import { areRatesOld, convertMicros, shippedRates, toExchangeRates } from './exchange-rates.ts'
import { marketplaces } from './marketplaces.ts'
import { hasUnitPrecision, toMicros } from './money.ts'

const rates = toExchangeRates('2026-03-02', { USD: 1.1298, JPY: 178.49 })

test('converted money is rounded to the unit of the currency that it becomes', () => {
  expect(convertMicros(toMicros(10), 'USD', 'JPY', rates)).toBe(toMicros(1580))
  expect(convertMicros(toMicros(1234), 'JPY', 'USD', rates)).toBe(toMicros(7.81))
  expect(convertMicros(toMicros(0.01), 'USD', 'EUR', rates)).toBe(toMicros(0.01))
})

test.each(marketplaces.map(m => m.currency))('an amount of any size in %s becomes whole units of every other', from => {
  for (const { currency } of marketplaces)
    for (const micros of [1, 9_999, 123_456_789, 7_654_321_987_654]) {
      const converted = convertMicros(micros, from, currency, shippedRates)
      if (from !== currency && converted !== null) expect(hasUnitPrecision(converted, currency)).toBe(true)
    }
})

test('money in its own currency stays exactly what it is', () => {
  expect(convertMicros(1_234_567, 'USD', 'USD', rates)).toBe(1_234_567)
})

test('a currency without a rate is not converted, and one pegged to the dollar follows it', () => {
  expect(convertMicros(toMicros(10), 'EGP', 'USD', rates)).toBeNull()
  expect(convertMicros(toMicros(10), 'USD', 'AED', rates)).toBe(toMicros(36.72))
  expect(toExchangeRates('2026-03-02', { JPY: 178.49 }).perEuro).toEqual({ EUR: 1, JPY: 178.49 })
})

test('the shipped table has a day and every currency of a marketplace but the one without a source', () => {
  expect(shippedRates.day).toBe('2026-10-01')
  const missing = marketplaces.map(m => m.currency).filter(currency => !(currency in shippedRates.perEuro))
  expect([...new Set(missing)]).toEqual(['EGP'])
})

test('rates are old after more than a week', () => {
  expect(areRatesOld('2026-03-02', '2026-03-09')).toBe(false)
  expect(areRatesOld('2026-03-02', '2026-03-10')).toBe(true)
})
