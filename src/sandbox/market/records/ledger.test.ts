import { expect, test } from 'vitest'
import { type Dimensions, Ledger } from './ledger.ts'

function dimensions(searchTerm: string): Dimensions {
  return {
    campaignId: 'c',
    adGroupId: 'g',
    adId: 'a',
    targetId: 't',
    asin: 'B0',
    searchTerm,
    seed: 1,
  }
}

function fill(lines: number): Ledger {
  const ledger = new Ledger()
  const numbers = ['one', 'two'].map(query => ledger.dimensionKeyOf(dimensions(query)))
  for (let i = 0; i < lines; i++)
    ledger.add({
      hour: 1000 + Math.floor(i / 3),
      dimensionKey: numbers[i % 2] ?? 0,
      placement: i % 3,
      impressions: i,
      clicks: i % 5,
      invalid: 0,
      clickPrice: 50,
      viewCost: 0,
      lostAtTop: i % 7,
    })
  ledger.conversions.push({
    row: 1,
    delayHours: 2,
    reportedAfter: 5,
    removedAfter: 0,
    units: 1,
    salesMicros: 1e6,
    sameSku: 1,
  })
  return ledger
}

test('lines are found by hour, however many there are', () => {
  const ledger = fill(5000)
  expect(ledger.rowFrom(0)).toBe(0)
  expect(ledger.rowFrom(1001)).toBe(3)
  expect(ledger.rowFrom(9999)).toBe(5000)
  expect(ledger.line(4999)).toMatchObject({ hour: 1000 + 1666, impressions: 4999 })
  expect([ledger.conversionFrom(0), ledger.conversionFrom(1), ledger.conversionFrom(2)]).toEqual([0, 0, 1])
})

test.each([0, 5, 5000])('a ledger of %i lines is restored from its dump and can be continued', lines => {
  const ledger = fill(lines)
  const again = Ledger.from(JSON.parse(JSON.stringify(ledger.dump())))
  const line = {
    hour: 99_999,
    dimensionKey: again.dimensionKeyOf(dimensions('two')),
    placement: 0,
    impressions: 1,
    clicks: 0,
    invalid: 0,
    clickPrice: 1,
    viewCost: 0,
    lostAtTop: 0,
  }
  expect(line.dimensionKey).toBe(1)
  expect(again.add(line)).toBe(lines)
  ledger.add(line)
  expect(again.dump()).toEqual(ledger.dump())
})

test('lines written before auctions were counted have neither won nor lost any', () => {
  const dump = fill(5).dump()
  const old = Ledger.from({ ...dump, packed: dump.packed.slice(0, -1) })
  expect(old.line(4)).toMatchObject({ impressions: 4, lostAtTop: -1 })
})

test('impressions are summed by search term, for the requested hours and terms', () => {
  const ledger = fill(9)
  expect(ledger.impressionsByTerm(new Set(['one', 'three']), 1001, 1003)).toEqual(new Map([['one', 4 + 6 + 8]]))
})
