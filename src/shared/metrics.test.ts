import { expect, expectTypeOf, test } from 'vitest'
import { addSums, derivedNames, type Figures, type FigureSums, fill, noSums, toFigures } from './metrics.ts'
import { type Amount, fromMicros, type Micros, toMicros } from './money.ts'

function ratiosOf(sums: FigureSums) {
  const figures = toFigures(sums)
  return fill(derivedNames, name => figures[name])
}

test('ratios are of sums: percentages, money for each click, and a plain return', () => {
  const money = { costMicros: toMicros(10), salesMicros: toMicros(40) }
  const sums = { ...noSums, impressions: 1000, clicks: 20, orders: 2, units: 3, ...money }
  expect(ratiosOf(sums)).toEqual({ ctr: 2, cpc: 0.5, cvr: 10, acos: 25, roas: 4 })
})

test('a ratio over nothing is unknown, and never 0', () => {
  expect(ratiosOf(noSums)).toEqual({ ctr: null, cpc: null, cvr: null, acos: null, roas: null })
  expect(toFigures({ ...noSums, clicks: 3, costMicros: toMicros(2) })).toMatchObject({ acos: null, roas: 0 })
})

test('ACOS of two campaigns is of their sums, not the mean of theirs', () => {
  const a = { ...noSums, costMicros: toMicros(10), salesMicros: toMicros(100) }
  const b = { ...noSums, costMicros: toMicros(90), salesMicros: toMicros(100) }
  expect(toFigures(addSums([a, b])).acos).toBe(50)
})

test('money of sums comes out in decimals, for measured and derived metrics alike', () => {
  expect(toFigures({ ...noSums, costMicros: toMicros(1.5), clicks: 3 })).toMatchObject({
    cost: 1.5,
    cpc: 0.5,
    clicks: 3,
  })
})

test('mixing up micros and amounts does not compile', () => {
  const micros: Micros = toMicros('1.5')
  const amount: Amount = fromMicros(micros)
  // @ts-expect-error an amount is not micros
  const wrongMicros: Micros = amount
  // @ts-expect-error micros are not an amount
  const wrongAmount: Amount = micros
  // @ts-expect-error micros are converted once
  const twice = () => toMicros(micros)
  // @ts-expect-error and so are amounts
  const back = () => fromMicros(amount)
  // @ts-expect-error figures in decimals are not sums in micros
  const sums = (figures: Figures): Pick<FigureSums, 'costMicros'> => ({ costMicros: figures.cost })
  // @ts-expect-error and the other way round
  const figures = (row: FigureSums): Pick<Figures, 'cost'> => ({ cost: row.costMicros })
  expect([wrongMicros, wrongAmount, twice, back, sums, figures]).toHaveLength(6)
  expectTypeOf<FigureSums>().toHaveProperty('salesMicros').toEqualTypeOf<Micros>()
})
