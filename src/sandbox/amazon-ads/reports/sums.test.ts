import { expect, test } from 'vitest'
import type { Purchase } from '../../market/market.ts'
import { cellOf, type ReportContext, type ReportRow } from './columns.ts'
import { addPurchases, differenceOf, emptySums } from './sums.ts'

function purchase(change: Partial<Purchase>): Purchase {
  return {
    asin: 'B0TEST0001',
    within: 1,
    units: 2,
    salesMicros: 20e6,
    sameSku: true,
    newToBrand: false,
    byView: false,
    ...change,
  }
}

function counted(purchases: Purchase[]) {
  const sums = emptySums()
  addPurchases(sums, purchases)
  return (...columns: string[]) => columns.map(column => Number(cellOf(column)(sums as ReportRow, {} as ReportContext)))
}

test('an order counts in every window that is long enough, and in no shorter one', () => {
  const cells = counted([purchase({}), purchase({ within: 7 }), purchase({ within: 30 })])
  expect(cells('purchases1d', 'purchases7d', 'purchases14d', 'purchases30d')).toEqual([1, 2, 2, 3])
  expect(cells('sales1d', 'sales7d', 'sales30d', 'unitsSoldClicks30d')).toEqual([20, 40, 60, 6])
})

test('an order after a view counts among all, not among those of clicks', () => {
  const cells = counted([purchase({}), purchase({ byView: true, newToBrand: true })])
  expect(cells('purchases', 'purchasesClicks')).toEqual([2, 1])
  expect(cells('sales', 'salesClicks', 'salesPromotedClicks')).toEqual([40, 20, 20])
  expect(cells('newToBrandPurchases', 'newToBrandPurchasesClicks', 'newToBrandPurchasesPercentage')).toEqual([1, 0, 50])
})

test('what was bought instead is all that is not the advertised product', () => {
  const cells = counted([purchase({}), purchase({ sameSku: false, units: 3 })])
  expect(cells('purchasesSameSku7d', 'purchasesOtherSku7d', 'unitsSoldOtherSku7d')).toEqual([1, 1, 3])
  expect(cells('conversionsBrandHalo', 'attributedSalesSameSku7d', 'salesOtherSku7d')).toEqual([1, 20, 20])
})

test('a cancelled order makes a negative difference', () => {
  const [before, after] = [emptySums(), emptySums()]
  addPurchases(before, [purchase({})])
  before.clicks = 3
  const difference = differenceOf(after, before) ?? expect.unreachable()
  expect([difference.clicks, difference.windows.d7.orders, difference.windows.d30.salesMicros]).toEqual([-3, -1, -20e6])
})
