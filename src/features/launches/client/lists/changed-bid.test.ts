import { expect, it } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { byPercent, changedBid } from './chosen-items.tsx'

function of(key: string) {
  const found = marketplaces.find(m => m.key === key)
  if (!found) throw new Error(`There is no ${key}`)
  return found
}

it('sets, raises and lowers in the digits of the currency', () => {
  expect(changedBid({ bid: 1 }, () => 0.55, of('US'))).toBe(0.55)
  expect(changedBid({ bid: 1.11 }, byPercent(15), of('US'))).toBe(1.28)
  expect(changedBid({ bid: 0.8 }, byPercent(-50), of('US'))).toBe(0.4)
  expect(changedBid({ bid: 101 }, byPercent(1), of('JP'))).toBe(102)
})
it('stays within what the marketplace takes', () => {
  expect(changedBid({ bid: 0.03 }, byPercent(-90), of('US'))).toBe(0.02)
  expect(changedBid({ bid: 900 }, byPercent(50), of('US'))).toBe(1000)
  expect(changedBid({ bid: 900 }, byPercent(1e15), of('US'))).toBe(1000)
  expect(changedBid({ bid: 1, highBid: 7.3 }, item => item.highBid, of('EG'))).toBe(5.5)
  expect(changedBid({ bid: 30, lowBid: 37.6 }, item => item.lowBid, of('JP'))).toBe(38)
})
it('takes what is suggested, and leaves the rest alone', () => {
  const suggested = { bid: 1, lowBid: 0.5, medianBid: 0.9, highBid: 1.4 }
  expect(changedBid(suggested, item => item.highBid, of('US'))).toBe(1.4)
  expect(changedBid({ bid: 1 }, item => item.highBid, of('US'))).toBe(1)
})
