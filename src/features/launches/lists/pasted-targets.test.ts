import { expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { pastedTargets } from './pasted-targets.ts'

const market = marketplaceByKey('US')
if (!market) throw new Error('no marketplace US')
const read = (text: string, bid: number | null = 0.5) =>
  pastedTargets(text, { chosen: [{ asin: 'B0CHOSEN01', bid: 1 }], bid, market })
const short = (text: string, bid?: number | null) => read(text, bid).map(t => [t.line, t.asin, t.bid, t.fault])

test('ASINs come one a line, between commas, or as a column beside their bids, in any case', () => {
  expect(short('b0aaaaaaaa\nB0BBBBBBBB, B0CCCCCCCC')).toEqual([
    [1, 'B0AAAAAAAA', 0.5, null],
    [2, 'B0BBBBBBBB', 0.5, null],
    [2, 'B0CCCCCCCC', 0.5, null],
  ])
  expect(short('ASIN\tBid\nB0AAAAAAAA\t$1.20\nB0BBBBBBBB\t0,80')).toEqual([
    [2, 'B0AAAAAAAA', 1.2, null],
    [3, 'B0BBBBBBBB', 0.8, null],
  ])
})
test('the address of a product page stands for its product', () => {
  const address = 'https://www.example.com/Some-Mat/dp/B0AAAAAAAA/ref=sr_1?th=1'
  expect(short(`${address}\nhttps://www.example.com/gp/product/B0BBBBBBBB`).map(row => row[1])).toEqual([
    'B0AAAAAAAA',
    'B0BBBBBBBB',
  ])
})
test('each row that cannot be taken says why', () => {
  expect(read('B0CHOSEN01\nB0AAAAAAAA\nB0AAAAAAAA\nB0SHORT\nB0BBBBBBBB\t5000').map(t => t.fault)).toEqual([
    'It is in the list already',
    null,
    'It is in the list already',
    'An ASIN has exactly 10 letters and digits',
    'The bid must be between 0.02 and 1000 USD',
  ])
  expect(read('B0AAAAAAAA', null)[0]?.fault).toBe('Enter a bid')
})
