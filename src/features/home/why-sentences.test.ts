import { expect, it } from 'vitest'
import { noSums } from '#shared/metrics.ts'
import { explain, type Explained, type ExplainedName, type Mover } from './why.ts'
import { sentencesOf } from './why-sentences.ts'

const sums = (clicks: number, cost: number, orders: number, sales: number) => ({
  ...noSums,
  clicks,
  costMicros: cost * 1_000_000,
  orders,
  salesMicros: sales * 1_000_000,
})
const account = (metric: ExplainedName, ...periods: [Mover['before'], Mover['after']][]) =>
  explain(
    metric,
    periods.map(([before, after], i) => ({ campaignId: i + 1, name: `Campaign ${'AB'[i]}`, before, after })),
    'USD',
  )
const read = (explained: Explained | null) =>
  sentencesOf(explained ?? expect.fail('it is explained'), 'USD').map(pieces =>
    pieces.map(piece => (typeof piece === 'string' ? piece : `[${piece.name}]`)).join(''),
  )

it('says what changed, what did most of it and where, and what worked against it', () => {
  // Clicks cost 50 % more in A alone; conversion rose from 10 % to 12 %.
  const explained = account(
    'acos',
    [sums(1000, 500, 100, 2000), sums(1000, 1000, 124, 2480)],
    [sums(1000, 500, 100, 2000), sums(1000, 500, 116, 2320)],
  )
  expect(read(explained)).toEqual([
    'ACOS rose from 25% to 31.25%.',
    'What drove it is the price of a click: clicks cost 50% more ($0.75 after $0.50), most of all in [Campaign A].',
    'Against that, more of the clicks became orders (12% after 10%), which took off 5.11 points, most of all in [Campaign A] and [Campaign B].',
  ])
})

it('says that clicks moved between campaigns where that is the cause', () => {
  const explained = account(
    'acos',
    [sums(500, 500, 50, 1000), sums(750, 750, 75, 1500)],
    [sums(500, 100, 50, 1000), sums(250, 50, 25, 500)],
  )
  expect(read(explained).slice(1)).toEqual([
    'Nearly all of it is the price of a click: clicks cost 33% more ($0.80 after $0.60), mostly because the clicks shifted between campaigns, such as [Campaign B] and [Campaign A].',
    'Conversion and the value of an order hardly mattered.',
  ])
})

it('is careful where counts are small', () => {
  const [, second] = read(account('acos', [sums(100, 50, 10, 200), sums(100, 50, 8, 160)]))
  expect(second).toMatch(/fewer of the clicks became orders \(8% after 10%\).* It may be chance/)
  const [, few] = read(account('cost', [sums(20, 10, 2, 40), sums(20, 20, 2, 40)]))
  expect(few).toMatch(/Fewer than 30 clicks .* too few to say/)
})

it('does not make a change of what hardly moved', () => {
  const [first, second] = read(account('cost', [sums(1000, 500, 100, 2000), sums(900, 504, 100, 2000)]))
  expect(first).toBe('Ad spend hardly changed: $504.00 after $500.00.')
  expect(second).toMatch(/^What moved most is the price of a click: clicks cost 12% more/)
})
