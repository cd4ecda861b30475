import { describe, expect, test } from 'vitest'
import { noSums } from '#shared/metrics.ts'
import { type Bands, buildCards, type HomeDay, profitOf } from '../cards.ts'
import { bucketOf, comparedDays, importedDays } from '../days.ts'

const day = (date: string, part: Partial<HomeDay> = {}): HomeDay => ({ ...noSums, date, totalSalesMicros: 0, ...part })
const micros = (amount: number) => amount * 1_000_000
const noProfit = { valueMicros: null, unknownBecause: 'x', note: null, terms: [] }
const periodOf = (days: HomeDay[], imported = days) => ({ days, imported, profit: noProfit })
const cards = (days: HomeDay[], before: HomeDay[] = [], bands: Bands | null = null) =>
  Object.fromEntries(
    buildCards(periodOf(days), { now: periodOf(days), before: periodOf(before) }, bands).map(c => [c.metric, c]),
  )

describe('cards', () => {
  test('ACOS is of the sums of both periods, never a mean of days', () => {
    const { acos } = cards(
      [day('1', { costMicros: 10, salesMicros: 100 }), day('2', { costMicros: 90, salesMicros: 100 })],
      [day('0', { costMicros: 5, salesMicros: 50 })],
    )
    expect(acos).toMatchObject({ value: 50, previous: 10, sparkline: [10, 90] })
  })

  test('without sales ACOS is not known and says why, while ROAS is 0', () => {
    const { acos, roas } = cards([day('1', { costMicros: 10 })])
    expect(acos).toMatchObject({ value: null, unknownBecause: expect.stringContaining('no attributed sales') })
    expect(roas?.value).toBe(0)
  })

  test('TACOS needs the total sales of every day: a part is not taken for the whole', () => {
    expect(cards([day('1', { costMicros: 10, totalSalesMicros: 200 })]).tacos?.value).toBe(5)
    const { tacos } = cards([
      day('1', { costMicros: 10, totalSalesMicros: 200 }),
      day('2', { costMicros: 10, totalSalesMicros: null }),
    ])
    expect(tacos).toMatchObject({ value: null, unknownBecause: expect.stringContaining('have not arrived') })
  })

  test('a day that began after the last import counts for nothing, rather than make TACOS unknown', () => {
    const days = [day('1', { costMicros: 10, totalSalesMicros: 200 }), day('2', { totalSalesMicros: null })]
    const built = buildCards(periodOf(days, importedDays(days, '1')), null, null)
    expect(built.find(card => card.metric === 'tacos')?.value).toBe(5)
    expect(importedDays(days, null)).toEqual([])
  })

  test('each ratio comes with the amounts of its formula, a sum with none', () => {
    const { acos, roas, tacos, spend } = cards([
      day('1', { costMicros: micros(10), salesMicros: micros(40), totalSalesMicros: micros(200) }),
      day('2', { costMicros: micros(2.5), salesMicros: micros(10), totalSalesMicros: micros(50) }),
    ])
    const [spent, sold, total] = [
      { name: 'spend', value: 12.5 },
      { name: 'sales', value: 50 },
      { name: 'totalSales', value: 250 },
    ]
    expect([acos?.terms, roas?.terms, tacos?.terms, spend?.terms]).toEqual([
      [spent, sold],
      [sold, spent],
      [spent, total],
      [],
    ])
    expect(cards([day('1', { costMicros: 10 })]).acos?.terms).toEqual([])
  })

  test('money is summed exactly', () => {
    const { spend } = cards([day('1', { costMicros: micros(0.1) }), day('2', { costMicros: micros(0.2) })])
    expect(spend).toMatchObject({ value: 0.3, sparkline: [0.1, 0.2] })
  })

  test('each figure that is still settling says where it will end, ROAS the other way round than ACOS', () => {
    const bands = {
      cost: { low: 9, high: 10 },
      sales: { low: 40, high: 60 },
      orders: { low: 4, high: 6 },
      acos: { low: 20, high: 25 },
    }
    const built = cards([day('1')], [], bands)
    const { spend, sales, orders, acos, roas, ...others } = built
    expect([spend, sales, orders, acos].map(card => card?.band)).toEqual(Object.values(bands))
    expect(roas?.band).toEqual({ low: 4, high: 5 })
    expect(Object.values(others).map(card => card.band)).toEqual([null, null, null, null])
    expect(cards([day('1')], [], { ...bands, acos: null }).roas?.band).toBeNull()
    expect(cards([day('1')]).spend?.band).toBeNull()
  })

  test('counts are sums, with a value a day', () => {
    expect(cards([day('1', { clicks: 3 }), day('2', { clicks: 4 })]).clicks).toMatchObject({
      value: 7,
      previous: 0,
      sparkline: [3, 4],
    })
  })
})

describe('profit', () => {
  const sold = {
    salesMicros: 50,
    feesMicros: 15,
    goodsMicros: 10,
    withCosts: 1,
    missingCogs: 0,
    missingFees: 0,
  }

  test('is sales less fees, goods and ads', () => {
    expect(profitOf(sold, 10)).toEqual({
      valueMicros: 15,
      unknownBecause: null,
      note: null,
      terms: [
        { name: 'productSales', valueMicros: 50 },
        { name: 'fees', valueMicros: 15 },
        { name: 'goods', valueMicros: 10 },
        { name: 'spend', valueMicros: 10 },
      ],
    })
  })

  test('says of how many products the costs are missing', () => {
    expect(profitOf({ ...sold, missingCogs: 1 }, 10)).toMatchObject({
      valueMicros: 15,
      note: 'COGS missing on 1 product: left out.',
    })
  })

  test('is not known when no product’s costs are, and is known when nothing was sold', () => {
    const none = { ...sold, salesMicros: 0, feesMicros: 0, goodsMicros: 0, withCosts: 0 }
    expect(profitOf({ ...none, missingCogs: 1, missingFees: 1 }, 4)).toMatchObject({
      valueMicros: null,
      unknownBecause: 'Not known: COGS missing on 1 product, fees not known of 1 product.',
    })
    expect(profitOf(none, 4).valueMicros).toBe(-4)
    expect(profitOf(null, 4).valueMicros).toBeNull()
  })
})

test('weeks begin on Monday, months on the first', () => {
  expect(bucketOf('2026-03-01', 'WEEK')).toBe('2026-02-23')
  expect(bucketOf('2026-03-02', 'WEEK')).toBe('2026-03-02')
  expect(bucketOf('2026-03-31', 'MONTH')).toBe('2026-03-01')
})

describe('the days that a change compares', () => {
  const range = { dateFrom: '2026-03-01', dateTo: '2026-03-10' }
  const compare = (asOf: string | null, timezone = 'America/Los_Angeles') =>
    comparedDays(range, asOf === null ? null : new Date(asOf), timezone)

  test('are all of a range that was over at the last import', () => {
    expect(compare('2026-03-12T12:00:00Z')).toEqual({
      from: '2026-03-01',
      to: '2026-03-10',
      previousFrom: '2026-02-19',
      previousTo: '2026-02-28',
    })
  })

  test('leave out a day that is not over, and compare as many days as are left', () => {
    expect(compare('2026-03-10T20:00:00Z')).toEqual({
      from: '2026-03-01',
      to: '2026-03-09',
      previousFrom: '2026-02-20',
      previousTo: '2026-02-28',
    })
  })

  test('are counted by the import, not by the clock: a day that went on after it is not over', () => {
    // 7:30 in the evening of the 8th in Los Angeles, noon of the 9th in Tokyo.
    expect(compare('2026-03-09T03:30:00Z')?.to).toBe('2026-03-07')
    expect(compare('2026-03-09T03:30:00Z', 'Asia/Tokyo')?.to).toBe('2026-03-08')
  })

  test('are none while no day of the range is over, or nothing was imported', () => {
    expect(compare('2026-03-01T20:00:00Z')).toBeNull()
    expect(compare(null)).toBeNull()
  })

  test('a card compares the days that are over while its value counts all', () => {
    const [today, over, before] = [
      day('3', { costMicros: micros(1) }),
      day('2', { costMicros: micros(10) }),
      day('1', { costMicros: micros(8) }),
    ]
    const [spend] = buildCards(periodOf([over, today]), { now: periodOf([over]), before: periodOf([before]) }, null)
    expect(spend).toMatchObject({ value: 11, compared: 10, previous: 8 })
  })
})
