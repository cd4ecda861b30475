import type { TradeDay } from '../market.ts'
import { type Dice, poisson, roundByChance } from '../chance.ts'
import { dayNumber, dayText } from '../local-hours.ts'
import { type Good, priceFactor } from '../searches/truth.ts'

type Counts = [orders: number, units: number, salesMicros: number, sessions: number, pageViews: number]
export type TradeDump = [goodKey: string, days: [day: number, counts: Counts][]][]

/** What each product sold and who looked at it, by day: ads and shelf together. */
export interface TradeBook {
  add(goodKey: string, day: number, counts: Counts): void
  days(goods: readonly Good[], fromDay: string, toDay: string): TradeDay[]
  dump(): TradeDump
  restore(dump: TradeDump): void
}

export const createTradeBook = (): TradeBook => {
  let book = new Map<string, Map<number, Counts>>()
  return {
    add(goodKey, day, counts) {
      let days = book.get(goodKey)
      if (!days) book.set(goodKey, (days = new Map()))
      const sum = days.get(day)
      if (!sum) days.set(day, [...counts])
      else counts.forEach((count, i) => (sum[i] = (sum[i] as number) + count))
    },
    days(goods, fromDay, toDay) {
      const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
      return goods.flatMap(({ key, product }) =>
        [...(book.get(key) ?? [])]
          .filter(([day]) => day >= from && day <= to)
          .sort(([a], [b]) => a - b)
          .map(([day, [orders, units, salesMicros, sessions, pageViews]]) => ({
            sellerId: product.sellerId,
            marketplaceId: product.marketplaceId,
            asin: product.asin,
            sku: product.sku,
            day: dayText(day),
            orders,
            units,
            salesMicros,
            sessions,
            pageViews,
          })),
      )
    },
    dump: () => [...book].map(([key, days]) => [key, [...days]]),
    restore(dump) {
      book = new Map(dump.map(([key, days]) => [key, new Map(days)]))
    },
  }
}

/** How many a buyer takes of a thing: mostly one. */
export const unitsOfOrder = (dice: Dice): number => 1 + poisson(0.1, dice)

/** An hour of a product on the shelf, without ads. Sessions follow from orders and what part of visitors buy. */
export const organicHour = (good: Good, demand: number, dice: Dice): Counts => {
  const orders = poisson(good.organicOrders * demand * priceFactor(good), dice)
  let units = 0
  for (let i = 0; i < orders; i++) units += unitsOfOrder(dice)
  const visits = (good.organicOrders * demand) / (good.conversion * 1.1)
  const sessions = Math.max(orders, roundByChance(visits * (0.6 + 0.8 * dice()), dice))
  return [orders, units, units * good.product.priceMicros, sessions, sessions + roundByChance(sessions * 0.35, dice)]
}
