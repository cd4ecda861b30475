import { smallestUnitMicros } from '#shared/money.ts'
import type { AdProduct } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import { type PlacementSlot, VIEWABLE } from '../simulation/auction.ts'
import { UNITS_PER_ORDER } from '../simulation/demand.ts'
import { INVALID_CLICKS, PRICE_SPREAD, SAME_SKU_SHARE, VIEW_THROUGH, WAVE } from '../simulation/run-auctions.ts'
import { CANCELLED, withinWeek } from '../simulation/lag.ts'
import { inStock, type Shop } from '../simulation/shop.ts'

/** What can be expected, as reports will have it once nothing is late any more. Orders count with all their units. */
export interface Expected {
  impressions: number
  clicks: number
  costMicros: number
  /** Orders and sales that follow the clicks (or paid views), without those cancelled. */
  orders: number
  salesMicros: number
  /** The part of them within seven days of the click, which is what reports of Sponsored Products show by default. */
  orders7: number
  sales7Micros: number
  /** What is left of all these sales at the margins of the products sold, after the cost. */
  profitMicros: number
}
export const expectedKeys = [
  'impressions',
  'clicks',
  'costMicros',
  'orders',
  'salesMicros',
  'orders7',
  'sales7Micros',
  'profitMicros',
] as const satisfies readonly (keyof Expected)[]

export const nothing = (): Expected => ({
  impressions: 0,
  clicks: 0,
  costMicros: 0,
  orders: 0,
  salesMicros: 0,
  orders7: 0,
  sales7Micros: 0,
  profitMicros: 0,
})

export function addTo(sum: Expected, part: Expected, times = 1): void {
  for (const key of expectedKeys) sum[key] += part[key] * times
}

/** Share of a product's price that is left before advertising, 0 to 1. */
export type MarginOf = (asin: string) => number

/** What one order brings on average: its sales, and what is left of them. */
export interface OrderWorth {
  salesMicros: number
  marginMicros: number
  /** Share of the orders within a week of the click. */
  withinWeek: number
}

/** What an order after an ad of a listing is worth, with the chance that something else of the shop is bought. */
export function orderWorths(shop: Shop, hour: number, marginOf: MarginOf) {
  const own = ({ product, priceMicros, slowness }: Listing): OrderWorth => {
    const salesMicros = UNITS_PER_ORDER * priceMicros
    return { salesMicros, marginMicros: salesMicros * marginOf(product.asin), withinWeek: withinWeek(slowness) }
  }
  const { length } = shop.listings
  const others = shop.listings.filter(listing => inStock(shop, listing, hour)).map(own)
  const meanOf = (key: keyof OrderWorth): number => others.reduce((sum, worth) => sum + worth[key], 0) / length
  const other = {
    salesMicros: meanOf('salesMicros'),
    marginMicros: meanOf('marginMicros'),
    withinWeek: meanOf('withinWeek'),
  }
  return (listing: Listing, adProduct: AdProduct): OrderWorth => {
    const worth = own(listing)
    const elsewhere = length < 2 ? 0 : 1 - SAME_SKU_SHARE[adProduct]
    // Who would buy something that is out of stock buys what was advertised.
    const stays = 1 - elsewhere * (others.length / length)
    return {
      salesMicros: stays * worth.salesMicros + elsewhere * other.salesMicros,
      marginMicros: stays * worth.marginMicros + elsewhere * other.marginMicros,
      withinWeek: stays * worth.withinWeek + elsewhere * other.withinWeek,
    }
  }
}

/** The mean of a number that is spread evenly from `from` to `to`, where it may not leave `least` to `most`. */
function meanWithin(from: number, to: number, least: number, most: number): number {
  if (to <= from) return Math.max(least, Math.min(most, from))
  const clamp = (value: number): number => Math.max(from, Math.min(to, value))
  const [low, high] = [clamp(least), clamp(most)]
  return (least * (low - from) + (high * high - low * low) / 2 + most * (to - high)) / (to - from)
}

/** The average price of a click, in whole units of the currency, between one unit and the most it may cost. */
function meanClickPrice({ costMicros, capMicros }: PlacementSlot, unitMicros: number): number {
  const price = costMicros / unitMicros
  const most = Math.max(1, Math.floor(capMicros / unitMicros))
  return unitMicros * meanWithin(price * (1 - PRICE_SPREAD), price * (1 + PRICE_SPREAD), 1, most)
}

/** What budgets see: clicks included that are found invalid later. */
export interface Spend {
  micros: number
  variance: number
  clicks: number
}
export const noSpend = (): Spend => ({ micros: 0, variance: 0, clicks: 0 })

/**
 * Adds what `impressions` of a slot bring on average in one hour. `mean` is what the whole candidate is shown in it: few
 * impressions come in waves, which makes the cost less even.
 */
export function addYield(
  { sum, spend }: { sum: Expected; spend: Spend },
  slot: PlacementSlot,
  worth: OrderWorth,
  { impressions, mean, currency }: { impressions: number; mean: number; currency: string },
): void {
  const paysViews = slot.viewMicros > 0
  const shownClicks = impressions * slot.clickRate
  const clicks = paysViews ? shownClicks : shownClicks * (1 - INVALID_CLICKS)
  const viewPrice = (slot.viewMicros * VIEWABLE) / 1000
  const price = paysViews ? 0 : meanClickPrice(slot, smallestUnitMicros(currency))
  const costMicros = impressions * viewPrice + clicks * price
  const viewOrders = paysViews ? impressions * VIEW_THROUGH * slot.conversion : 0
  const orders = (clicks * slot.conversion + viewOrders) * (1 - CANCELLED)
  const salesMicros = orders * worth.salesMicros
  sum.impressions += impressions
  sum.clicks += clicks
  sum.costMicros += costMicros
  sum.orders += orders
  sum.salesMicros += salesMicros
  sum.orders7 += orders * worth.withinWeek
  sum.sales7Micros += salesMicros * worth.withinWeek
  sum.profitMicros += orders * worth.marginMicros - costMicros
  const inWaves = mean < WAVE ? WAVE + 1 : 0
  spend.micros += impressions * viewPrice + shownClicks * price
  spend.variance +=
    impressions * viewPrice ** 2 * (1 + inWaves) + shownClicks * price ** 2 * (1 + inWaves * slot.clickRate)
  spend.clicks += shownClicks
}
