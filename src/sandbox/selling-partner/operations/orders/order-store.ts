import { hashText, mix } from '../../../market/random.ts'
import type { SpRequest } from '../operation.ts'
import { productsOf } from '../product-fields.ts'

const HOUR_MS = 3_600_000

/** One order as it was placed. Its current state follows from its age. */
export interface PlacedOrder {
  orderId: string
  marketplaceId: string
  placedAt: number
  sku: string
  asin: string
  units: number
  unitMicros: number
  business: boolean
  /** The order's other properties are drawn from it. */
  seed: number
}

const BUSINESS_SHARE = 0.12

const SEVEN_DIGITS = 10_000_000
// Each is the other's inverse modulo seven digits, so that a number that looks random encodes an hour.
const [SCATTER, GATHER] = [4_782_969, 7_613_129]

const digits = (value: number): string => String(value % SEVEN_DIGITS).padStart(7, '0')

/** An order's number. Its middle part encodes the hour, so that an order is found without searching all. */
const orderIdOf = (hour: number, seed: number): string =>
  `${111 + (mix(seed, 1) % 9)}-${digits(hour * SCATTER)}-${digits(mix(seed, 3))}`

/** The order of the seller with this number; undefined when there is none. */
export function orderWithId(request: SpRequest, orderId: string): PlacedOrder | undefined {
  const middle = /^\d{3}-(\d{7})-\d{7}$/.exec(orderId)?.[1]
  if (middle === undefined) return undefined
  const from = ((Number(middle) * GATHER) % SEVEN_DIGITS) * HOUR_MS
  return request.seller.marketplaceIds
    .flatMap(id => ordersOf(request, id, from, from + HOUR_MS))
    .find(order => order.orderId === orderId)
}

/**
 * The seller's orders placed from `from` on and before `to`, oldest first. The market counts orders by the hour; each
 * gets its minute, number and buyer from its position in that hour, so that it is the same on every request.
 */
export function ordersOf(request: SpRequest, marketplaceId: string, from: number, to: number): PlacedOrder[] {
  const { seller, world } = request
  const positions = new Map<string, number>()
  const hours = world
    .market()
    .ordersByHour(
      seller.sellerId,
      marketplaceId,
      new Date(Math.floor(from / HOUR_MS) * HOUR_MS),
      new Date(Math.min(to, request.now.getTime())),
    )
  const prices = new Map(productsOf(request, marketplaceId).map(product => [product.sku, product.priceMicros]))
  const placed = hours.flatMap(({ sku, asin, hour, orders, units, salesMicros }) =>
    Array.from({ length: orders }, (_, i): PlacedOrder => {
      const key = `${seller.sellerId}|${marketplaceId}|${sku}|${hour}`
      const position = positions.get(key) ?? 0
      positions.set(key, position + 1)
      const seed = mix(hashText(key, 11), position)
      return {
        orderId: orderIdOf(hour, seed),
        marketplaceId,
        placedAt: hour * HOUR_MS + (mix(seed, 4) % 3600) * 1000,
        sku,
        asin,
        // Nearly every order is for one unit. The first order of the hour gets the units sold beyond that.
        units: 1 + (i === 0 ? units - orders : 0),
        unitMicros: units > 0 ? salesMicros / units : (prices.get(sku) ?? 0),
        business: (mix(seed, 5) % 1000) / 1000 < BUSINESS_SHARE,
        seed,
      }
    }),
  )
  return placed
    .filter(order => order.placedAt >= from && order.placedAt < to)
    .sort((a, b) => a.placedAt - b.placedAt || (a.orderId < b.orderId ? -1 : 1))
}
