import { describe, expect, test } from 'vitest'
import { toMicros } from '#shared/money.ts'
import { boundBid, chooseBid, clickCap, marketDefaultBid, ownBid, presentBid, typicalBid } from './bid-rules.ts'

const usd = {
  currency: 'USD',
  minBidMicros: toMicros('0.02'),
  maxBidMicros: toMicros(1000),
  budgetMicros: null,
  capMicros: null,
}
const suggested = { lowMicros: toMicros('0.4'), medianMicros: toMicros('0.6'), highMicros: toMicros('0.9') }

describe('a bid by strategy', () => {
  test.each([
    ['PASSIVE', 0.4],
    ['NORMAL', 0.6],
    ['GROWTH', 0.9],
  ] as const)('%s takes %d of the suggested range 0.40 / 0.60 / 0.90', (strategy, amount) => {
    expect(chooseBid(suggested, strategy, toMicros(1), usd)).toMatchObject({
      micros: toMicros(amount),
      source: 'SUGGESTED',
      limitedBy: null,
    })
  })

  test.each([
    ['PASSIVE', 0.8],
    ['NORMAL', 1],
    ['GROWTH', 1.3],
  ] as const)('without a suggestion %s takes the default times %d', (strategy, amount) => {
    expect(chooseBid(null, strategy, toMicros(1), usd)).toMatchObject({ micros: toMicros(amount), source: 'DEFAULT' })
  })

  test('is lowered to target ACOS x order value x conversion rate', () => {
    const capMicros = clickCap(30, toMicros(20), 0.08)
    expect(capMicros).toBe(toMicros('0.48'))
    expect(chooseBid(suggested, 'GROWTH', toMicros(1), { ...usd, capMicros })).toMatchObject({
      micros: toMicros('0.48'),
      limitedBy: 'TARGET_ACOS',
    })
  })

  test('has no cap while order value or conversion rate is unknown', () => {
    expect(clickCap(30, null, 0.08)).toBeNull()
    expect(clickCap(30, toMicros(20), null)).toBeNull()
  })

  test('never falls below the marketplace’s minimum, whatever the cap says', () => {
    expect(boundBid(toMicros(1), { ...usd, capMicros: toMicros('0.001') })).toEqual({
      micros: toMicros('0.02'),
      limitedBy: 'MARKET_MINIMUM',
    })
  })

  test('never passes the campaign’s budget or the marketplace’s maximum', () => {
    expect(boundBid(toMicros(5), { ...usd, budgetMicros: toMicros(2) })).toEqual({
      micros: toMicros(2),
      limitedBy: 'BUDGET',
    })
    expect(boundBid(toMicros(5000), usd)).toEqual({ micros: toMicros(1000), limitedBy: 'MARKET_MAXIMUM' })
  })

  test('in yen is a whole number', () => {
    const yen = { ...usd, currency: 'JPY', minBidMicros: toMicros(2), maxBidMicros: toMicros(100_000) }
    expect(boundBid(toMicros('37.6'), yen).micros).toBe(toMicros(38))
    expect(boundBid(toMicros(90), { ...yen, capMicros: toMicros('55.9') }).micros).toBe(toMicros(55))
    expect(marketDefaultBid(yen)).toBe(toMicros(75))
  })
})

test('a person’s own bid ignores the ACOS cap but not the budget', () => {
  const bounds = { ...usd, capMicros: toMicros('0.1'), budgetMicros: toMicros(3) }
  expect(ownBid(toMicros(2), suggested, bounds)).toMatchObject({
    micros: toMicros(2),
    source: 'YOURS',
    limitedBy: null,
  })
  expect(ownBid(toMicros(4), null, bounds)).toMatchObject({ micros: toMicros(3), limitedBy: 'BUDGET' })
})

test('the typical bid is the middle of the known medians', () => {
  expect(typicalBid([null, suggested, { ...suggested, medianMicros: 1 }, { ...suggested, medianMicros: 2 }])).toBe(2)
  expect(typicalBid([null])).toBeNull()
})

test('a bid tells where it comes from and what moved it', () => {
  const bid = chooseBid(suggested, 'GROWTH', 0, { ...usd, capMicros: toMicros('0.5') })
  expect(presentBid(bid, 'GROWTH', 'USD').why).toBe(
    'High end of the marketplace’s suggested range 0.40–0.90 USD, lowered so that an average click still meets the target ACOS.',
  )
  expect(presentBid(bid, 'GROWTH', 'USD', true).why).toBe(
    'High end of the marketplace’s suggested range, lowered so that an average click still meets the target ACOS.',
  )
  expect(presentBid(chooseBid(null, 'PASSIVE', toMicros(1), usd), 'PASSIVE', 'USD').why).toBe(
    'No suggestion from the marketplace: the default bid x 0.8.',
  )
})
