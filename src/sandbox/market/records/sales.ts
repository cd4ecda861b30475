import { dayNumber, dayText } from '../local-hours.ts'
import type { DailySales, HourlySales } from '../market.ts'
import type { Listing } from '../queries/listing.ts'

export type SalesCounts = [orders: number, units: number, salesMicros: number, sessions: number, pageViews: number]
type HourlyOrders = [hour: number, orders: number, units: number, salesMicros: number]
/** Orders are packed: four numbers each, as `HourlyOrders`. */
export type SalesDump = [listingKey: string, days: [day: number, counts: SalesCounts][], orders?: number[]][]

/** What each listing sold and how often it was viewed, by day: advertised and organic together. */
export class Sales {
  private daysByListing = new Map<string, Map<number, SalesCounts>>()
  private ordersByListing = new Map<string, number[]>()

  /** `hour` is in hours since 1970, `day` is the local day that contains it. */
  add(listingKey: string, hour: number, day: number, counts: SalesCounts): void {
    const [orders, units, salesMicros] = counts
    if (orders > 0) {
      const packed = this.ordersByListing.get(listingKey)
      if (packed) packed.push(hour, orders, units, salesMicros)
      else this.ordersByListing.set(listingKey, [hour, orders, units, salesMicros])
    }
    let days = this.daysByListing.get(listingKey)
    if (!days) this.daysByListing.set(listingKey, (days = new Map()))
    const sum = days.get(day)
    if (!sum) days.set(day, [...counts])
    else counts.forEach((count, i) => (sum[i] = (sum[i] as number) + count))
  }

  ordersOn(listingKey: string, day: number): number {
    return this.daysByListing.get(listingKey)?.get(day)?.[0] ?? 0
  }

  byDay(listings: readonly Listing[], fromDay: string, toDay: string): DailySales[] {
    const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
    return listings.flatMap(({ key, product: { sellerId, marketplaceId, asin, sku } }) =>
      [...(this.daysByListing.get(key) ?? [])]
        .filter(([day]) => day >= from && day <= to)
        .sort(([a], [b]) => a - b)
        .map(([day, [orders, units, salesMicros, sessions, pageViews]]) => {
          const counts = { orders, units, salesMicros, sessions, pageViews }
          return { sellerId, marketplaceId, asin, sku, day: dayText(day), ...counts }
        }),
    )
  }

  /** Orders of the hours from `from` up to before `to`, by listing and then in the order they were added. */
  ordersByHour(listings: readonly Listing[], from: number, to: number): HourlySales[] {
    return listings.flatMap(({ key, product: { asin, sku } }) => {
      const packed = this.ordersByListing.get(key) ?? []
      const found: HourlySales[] = []
      for (let i = 0; i < packed.length; i += 4) {
        const [hour, orders, units, salesMicros] = packed.slice(i, i + 4) as HourlyOrders
        if (hour >= from && hour < to) found.push({ asin, sku, hour, orders, units, salesMicros })
      }
      return found
    })
  }

  dump(): SalesDump {
    return [...this.daysByListing].map(([key, days]) => [key, [...days], this.ordersByListing.get(key) ?? []])
  }

  restore(dump: SalesDump): void {
    this.daysByListing = new Map(dump.map(([key, days]) => [key, new Map(days)]))
    this.ordersByListing = new Map(dump.map(([key, , orders = []]) => [key, orders]))
  }
}
