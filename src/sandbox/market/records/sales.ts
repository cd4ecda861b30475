import { dayNumber, dayText } from '../local-hours.ts'
import type { DailySales, HourlySales } from '../market.ts'
import type { Listing } from '../queries/listing.ts'

export type SalesCounts = [orders: number, units: number, salesMicros: number, sessions: number, pageViews: number]
/** Hours in which something was ordered, four numbers each: hour, orders, units, sales in micros. */
type PackedOrders = number[]
export type SalesDump = [listingKey: string, days: [day: number, counts: SalesCounts][], orders?: PackedOrders][]

/** What each listing sold and how often it was viewed, by day: advertised and organic together. */
export interface SalesStore {
  /** `hour` is in hours since 1970, `day` is the local day that contains it. */
  add(listingKey: string, hour: number, day: number, counts: SalesCounts): void
  byDay(listings: readonly Listing[], fromDay: string, toDay: string): DailySales[]
  /** Orders of the hours from `from` up to before `to`, by listing and then in the order they were added. */
  ordersByHour(listings: readonly Listing[], from: number, to: number): HourlySales[]
  dump(): SalesDump
  restore(dump: SalesDump): void
}

export function createSalesStore(): SalesStore {
  let daysByListing = new Map<string, Map<number, SalesCounts>>()
  let ordersByListing = new Map<string, PackedOrders>()
  return {
    add(listingKey, hour, day, counts) {
      const [orders, units, salesMicros] = counts
      if (orders > 0) {
        const packed = ordersByListing.get(listingKey)
        if (packed) packed.push(hour, orders, units, salesMicros)
        else ordersByListing.set(listingKey, [hour, orders, units, salesMicros])
      }
      let days = daysByListing.get(listingKey)
      if (!days) daysByListing.set(listingKey, (days = new Map()))
      const sum = days.get(day)
      if (!sum) days.set(day, [...counts])
      else counts.forEach((count, i) => (sum[i] = (sum[i] as number) + count))
    },
    byDay(listings, fromDay, toDay) {
      const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
      return listings.flatMap(({ key, product: { sellerId, marketplaceId, asin, sku } }) =>
        [...(daysByListing.get(key) ?? [])]
          .filter(([day]) => day >= from && day <= to)
          .sort(([a], [b]) => a - b)
          .map(([day, [orders, units, salesMicros, sessions, pageViews]]) => ({
            sellerId,
            marketplaceId,
            asin,
            sku,
            day: dayText(day),
            orders,
            units,
            salesMicros,
            sessions,
            pageViews,
          })),
      )
    },
    ordersByHour: (listings, from, to) =>
      listings.flatMap(({ key, product: { asin, sku } }) => {
        const packed = ordersByListing.get(key) ?? []
        const found: HourlySales[] = []
        for (let i = 0; i < packed.length; i += 4) {
          const [hour, orders, units, salesMicros] = packed.slice(i, i + 4) as [number, number, number, number]
          if (hour >= from && hour < to) found.push({ asin, sku, hour, orders, units, salesMicros })
        }
        return found
      }),
    dump: () => [...daysByListing].map(([key, days]) => [key, [...days], ordersByListing.get(key) ?? []]),
    restore(dump) {
      daysByListing = new Map(dump.map(([key, days]) => [key, new Map(days)]))
      ordersByListing = new Map(dump.map(([key, , orders = []]) => [key, orders]))
    },
  }
}
