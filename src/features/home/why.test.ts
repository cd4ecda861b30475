import { describe, expect, test } from 'vitest'
import { noSums } from '#shared/metrics.ts'
import { apportion, explain, type Explained, explainedNames, type Mover, doubtOf } from './why.ts'

const micros = (amount: number) => Math.round(amount * 1_000_000)
const sums = (clicks: number, cost: number, orders: number, sales: number) => ({
  ...noSums,
  clicks,
  costMicros: micros(cost),
  orders,
  salesMicros: micros(sales),
})
const mover = (campaignId: number | null, before: Mover['before'], after: Mover['after']): Mover => ({
  campaignId,
  name: campaignId === null ? null : `Campaign ${campaignId}`,
  before,
  after,
})
const effects = (explained: Explained | null) =>
  Object.fromEntries((explained?.factors ?? []).map(({ name, effect }) => [name, effect]))
const cents = (amount: number) => Math.round(amount * 100)

describe('a change worked out by hand', () => {
  // CPC 0.50 to 0.60, conversion 10 % in both, an order 20 in both: ACOS 25 % to 30 %, and clicks 1000 to 1200.
  const dearer = [mover(1, sums(1000, 500, 100, 2000), sums(1200, 720, 120, 2400))]

  test('dearer clicks alone explain all of a higher ACOS', () => {
    const explained = explain('acos', dearer, 'USD')
    expect(explained).toMatchObject({ before: 25, after: 30, change: 5 })
    expect(effects(explained)).toEqual({ cpc: 5, cvr: 0, aov: 0 })
  })

  test('spend is split by logarithms: 220 more, half of it by clicks and half by their price, which both rose by a fifth', () => {
    expect(effects(explain('cost', dearer, 'USD'))).toEqual({ clicks: 110, cpc: 110 })
  })

  test('sales grow with the clicks when neither conversion nor order value moved', () => {
    expect(effects(explain('sales', dearer, 'USD'))).toEqual({ clicks: 400, cvr: 0, aov: 0 })
  })

  test('factors that work against each other are shown as such', () => {
    // CPC doubles, conversion doubles: ACOS stays at 25 %; each alone moves 25 x ln 2 = 17.33 points.
    const explained = explain('acos', [mover(1, sums(1000, 500, 100, 2000), sums(1000, 1000, 200, 4000))], 'USD')
    expect(explained?.change).toBe(0)
    expect(effects(explained)).toEqual({ cpc: 17.33, cvr: -17.33, aov: 0 })
  })

  test('a dear campaign that gets more of the clicks raises the price of a click by its weight alone', () => {
    // A pays 1.00, B pays 0.20 a click in both periods. A's share of the clicks goes from 50 % to 75 %: CPC 0.60 to 0.80.
    const shifted = [
      mover(1, sums(500, 500, 50, 1000), sums(750, 750, 75, 1500)),
      mover(2, sums(500, 100, 50, 1000), sums(250, 50, 25, 500)),
    ]
    const explained = explain('acos', shifted, 'USD')
    expect(explained).toMatchObject({ before: 30, after: 40, change: 10 })
    const [cpc] = explained?.factors ?? []
    // Of 0.20 more: A adds 0.25 x (1.00 - 0.70) = 0.075, B -0.25 x (0.20 - 0.70) = 0.125; in points 3.75 and 6.25.
    expect(cpc?.parts).toMatchObject([
      { campaignId: 2, within: 0, mix: 6.25, effect: 6.25 },
      { campaignId: 1, within: 0, mix: 3.75, effect: 3.75 },
    ])
  })

  test('a campaign that is new moves the whole by its weight, not by a rate that it never had before', () => {
    const started = [
      mover(1, sums(1000, 500, 100, 2000), sums(1000, 500, 100, 2000)),
      mover(2, noSums, sums(1000, 1500, 100, 2000)),
    ]
    const [cpc] = explain('acos', started, 'USD')?.factors ?? []
    expect(cpc).toMatchObject({ before: 0.5, after: 1, effect: 25 })
    expect(cpc?.parts.find(part => part.campaignId === 2)).toMatchObject({ before: null, after: 1.5, within: 0 })
  })

  test('what is not named is one part without a campaign', () => {
    const many = Array.from({ length: 9 }, (_, i) => mover(i + 1, sums(100, 50, 10, 200), sums(100, 50 + i, 10, 200)))
    const [cpc] = explain('acos', many, 'USD', 3)?.factors ?? []
    expect(cpc?.parts.map(part => part.campaignId)).toEqual([9, 8, 7, null])
    expect(cents(cpc?.parts.reduce((sum, part) => sum + part.effect, 0) ?? 0)).toBe(cents(cpc?.effect ?? 0))
  })
})

test.each([
  ['no sales before', sums(100, 50, 0, 0), sums(100, 50, 10, 200)],
  ['no clicks at all after', sums(100, 50, 10, 200), noSums],
])('with %s nothing is explained', (_what, before, after) => {
  expect(explain('acos', [mover(1, before, after)], 'USD')).toBeNull()
})

test('few counts, and a move that comes by chance, are named as a doubt', () => {
  const many = sums(1000, 500, 100, 2000)
  expect(doubtOf('cpc', sums(29, 10, 3, 60), many)).toBe('FEW_CLICKS')
  expect(doubtOf('cpc', sums(30, 10, 3, 60), many)).toBeNull()
  expect(doubtOf('aov', sums(400, 200, 9, 180), many)).toBe('FEW_ORDERS')
  expect(doubtOf('aov', sums(400, 200, 10, 200), many)).toBeNull()
  // 10 % against 8 % of 1000 clicks: 1.56 standard errors; against 7.5 %: 1.98.
  expect(doubtOf('cvr', sums(1000, 500, 80, 1600), many)).toBe('CHANCE')
  expect(doubtOf('cvr', sums(1000, 500, 75, 1500), many)).toBeNull()
})

test('whole numbers next to their shares add up to their total, whichever way it was rounded', () => {
  expect(apportion(10, [3.4, 3.3, 3.3])).toEqual([4, 3, 3])
  expect(apportion(-10, [-3.4, -3.3, -3.3])).toEqual([-4, -3, -3])
  expect(apportion(9, [3.9, 3.9, 1.9])).toEqual([4, 4, 1])
})

// A generator with a seed, so that a failure comes again.
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('for any account the parts add up to the factors and the factors to the whole, to the cent and in yen', () => {
  let tried = 0
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomOf(seed)
    const some = (most: number) => (random() < 0.15 ? 0 : Math.floor(random() ** 3 * most))
    const period = () => {
      const clicks = some(5000)
      const orders = Math.min(clicks, some(clicks * 0.3))
      return sums(clicks, clicks && some(90_000) / 100, orders, orders && some(4_000_000) / 100)
    }
    const movers = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => mover(i + 1, period(), period()))
    for (const currency of ['USD', 'JPY'])
      for (const metric of explainedNames) {
        const explained = explain(metric, movers, currency, 4)
        if (!explained) continue
        tried++
        const total = (values: number[]) => values.reduce((sum, value) => sum + cents(value), 0)
        const at = { seed, metric, currency }
        expect({ ...at, sum: total(explained.factors.map(f => f.effect)) }).toEqual({
          ...at,
          sum: cents(explained.change),
        })
        for (const { name, effect, parts } of explained.factors) {
          expect({ ...at, name, sum: total(parts.map(p => p.effect)) }).toEqual({ ...at, name, sum: cents(effect) })
          for (const part of parts) expect(cents(part.within) + cents(part.mix)).toBe(cents(part.effect))
          expect(parts.every(part => Number.isFinite(part.effect))).toBe(true)
        }
      }
  }
  expect(tried).toBeGreaterThan(1500)
})
