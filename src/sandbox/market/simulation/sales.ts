import type { TradeDay, TradeHour } from '../market.ts'
import { type Dice, poisson, roundByChance } from '../random.ts'
import { dayNumber, dayText } from '../local-hours.ts'
import { type Good, priceFactor } from '../queries/listing.ts'

type Counts = [orders: number, units: number, salesMicros: number, sessions: number, pageViews: number]
/** Hours in which something was ordered, four numbers each: hour, orders, units, sales in micro-units. */
type Orders = number[]
export type TradeDump = [goodKey: string, days: [day: number, counts: Counts][], orders?: Orders][]

/** What each product sold and who looked at it, by day: ads and shelf together. */
export interface TradeBook {
  /** `hour` is the hour since the epoch, `day` the local day that it lies in. */
  add(goodKey: string, hour: number, day: number, counts: Counts): void
  days(goods: readonly Good[], fromDay: string, toDay: string): TradeDay[]
  /** Orders of the hours from `from` up to before `to`, by product and then in the order they were told in. */
  orders(goods: readonly Good[], from: number, to: number): TradeHour[]
  dump(): TradeDump
  restore(dump: TradeDump): void
}

export const createTradeBook = (): TradeBook => {
  let book = new Map<string, Map<number, Counts>>()
  let orderBook = new Map<string, Orders>()
  return {
    add(goodKey, hour, day, counts) {
      const [orders, units, salesMicros] = counts
      if (orders > 0) {
        const known = orderBook.get(goodKey)
        if (known) known.push(hour, orders, units, salesMicros)
        else orderBook.set(goodKey, [hour, orders, units, salesMicros])
      }
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
    orders: (goods, from, to) =>
      goods.flatMap(({ key, product: { asin, sku } }) => {
        const told = orderBook.get(key) ?? []
        const found: TradeHour[] = []
        for (let i = 0; i < told.length; i += 4) {
          const [hour, orders, units, salesMicros] = told.slice(i, i + 4) as [number, number, number, number]
          if (hour >= from && hour < to) found.push({ asin, sku, hour, orders, units, salesMicros })
        }
        return found
      }),
    dump: () => [...book].map(([key, days]) => [key, [...days], orderBook.get(key) ?? []]),
    restore(dump) {
      book = new Map(dump.map(([key, days]) => [key, new Map(days)]))
      orderBook = new Map(dump.map(([key, , orders = []]) => [key, orders]))
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
