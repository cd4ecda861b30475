import type { LocalHour } from '../local-hours.ts'
import type { Listing } from '../queries/listing.ts'
import type { Sales } from '../records/sales.ts'

/** What has become of a listing through its own sales. */
export interface Standing {
  /** The local day until which it is counted. */
  day: number
  /** Orders of the last weeks and those expected of an average listing of its kind, older days counting ever less. */
  orders: number
  expected: number
  /** The part of today's expected ones. */
  today: number
  /** How much its absence is still felt: 0 not at all, 1 after a long time without stock. */
  absence: number
  /** Orders without an ad that will not come, because an ad had them first. */
  owed: number
}
export type StandingsDump = [listingKey: string, standing: Standing][]

/** Half of what a rank comes from is sales of the last so many days. */
const RANK_HALF_LIFE = 10
/** Days of expected orders by which a listing is believed average before it sold anything. */
const BELIEVED_DAYS = 6
const RANK_POWER = 0.35
/** Parts of an absence that each day without stock adds, and that each day with stock leaves. */
const ABSENCE_GROWS = 0.2
const ABSENCE_STAYS = 0.5 ** (1 / 5)
const LOST_BY_ABSENCE = 0.35
/** Nobody is owed more than so many days of orders. */
const OWED_DAYS = 4

/** Listings' rank and reputation, which follow from what they sold. */
export class Standings {
  private byListing = new Map<string, Standing>()

  /**
   * Counts an hour: `demand` shoppers relative to an average hour, and whether there is stock. On a new day, the sales of the
   * days before count.
   */
  pass(
    listing: Listing,
    local: LocalHour,
    { demand, inStock }: { demand: number; inStock: boolean },
    sales: Sales,
  ): void {
    let standing = this.byListing.get(listing.key)
    if (!standing) {
      standing = { day: local.day, orders: 0, expected: 0, today: 0, absence: 0, owed: 0 }
      this.byListing.set(listing.key, standing)
    }
    if (standing.day !== local.day) {
      const keeps = 0.5 ** (1 / RANK_HALF_LIFE)
      standing.orders = keeps * standing.orders + sales.ordersOn(listing.key, standing.day)
      standing.expected = keeps * standing.expected + standing.today
      standing.today = 0
      standing.day = local.day
      standing.absence = inStock
        ? ABSENCE_STAYS * standing.absence
        : standing.absence + ABSENCE_GROWS * (1 - standing.absence)
    }
    standing.today += listing.organicOrders * demand
  }

  /** Factor on the visits and orders without an ad: more for what sold well in the last weeks. */
  rankOf({ key, organicOrders }: Listing): number {
    const standing = this.byListing.get(key)
    if (!standing) return 1
    const believed = BELIEVED_DAYS * 24 * organicOrders
    const ratio = (standing.orders + believed) / (standing.expected + believed)
    return Math.max(0.5, Math.min(1.8, ratio ** RANK_POWER))
  }

  /** Factor on orders per click and visit: less for days or weeks after a time without stock. */
  trustOf({ key }: Listing): number {
    return 1 - LOST_BY_ABSENCE * (this.byListing.get(key)?.absence ?? 0)
  }

  /** An ad had an order that would have come without it. */
  owe({ key, organicOrders }: Listing): void {
    const standing = this.byListing.get(key)
    if (standing && standing.owed < OWED_DAYS * 24 * organicOrders) standing.owed++
  }

  /** How many of these orders without an ad really come. */
  settle({ key }: Listing, orders: number): number {
    const standing = this.byListing.get(key)
    if (!standing || standing.owed === 0) return orders
    const settled = Math.min(orders, standing.owed)
    standing.owed -= settled
    return orders - settled
  }

  dump(): StandingsDump {
    return [...this.byListing].map(([key, standing]) => [key, { ...standing }])
  }

  restore(dump: StandingsDump): void {
    this.byListing = new Map(dump)
  }
}
