import { roundToUnit } from '#shared/money.ts'
import type { MarketEvent, Profile, Store } from '../../core/model/store.ts'
import { hourIndexOf } from '../local-hours.ts'
import type { Listing } from '../queries/listing.ts'

/** What market events multiply, 1 without any. */
export type Effect = Pick<MarketEvent, 'demand' | 'rivals' | 'conversion'>
/** The effect of all events together on a category. */
export type EffectOf = (categoryId: string) => Effect

/** When the next great day for a category begins, in hours since 1970; null when none is near. */
export type RushAfter = (categoryId: string, hour: number) => number | null

/** A day on which so many more people search that those who know of it wait for it, and from how many hours before. */
const RUSH_DEMAND = 2
const WAITING_HOURS = 96

const noEffect: Effect = { demand: 1, rivals: 1, conversion: 1 }

/** What market events do to an account at an hour, and the hour at which one of them begins or ends. */
export function marketEffects(store: Store, profile: Profile | null, hour: number) {
  const events = [...store.marketEvents.values()].filter(
    ({ profileId }) => profileId === null || profileId === profile?.profileId,
  )
  const bounds = events.flatMap(({ from, to }) => [hourIndexOf(from), hourIndexOf(to)]).filter(bound => bound > hour)
  const current = events.filter(({ from, to }) => hourIndexOf(from) <= hour && hour < hourIndexOf(to))
  const effectOf: EffectOf = categoryId =>
    current
      .filter(event => event.asin === undefined && [null, categoryId].includes(event.categoryId))
      .reduce(
        (sum, { demand, rivals, conversion }) => ({
          demand: sum.demand * demand,
          rivals: sum.rivals * rivals,
          conversion: sum.conversion * conversion,
        }),
        noEffect,
      )
  const rushes = events
    .filter(({ demand }) => demand >= RUSH_DEMAND)
    .map(({ categoryId, from }) => ({ categoryId, from: hourIndexOf(from) }))
  const rushAfter: RushAfter = (categoryId, now) => {
    for (const rush of rushes)
      if ((rush.categoryId ?? categoryId) === categoryId && rush.from > now && rush.from <= now + WAITING_HOURS)
        return rush.from
    return null
  }
  /** A listing at the price that coupons leave, closed while it is down, and with what happens to it alone. */
  const listingUnder = (listing: Listing, currency: string): Listing => {
    const { asin, categoryId } = listing.product
    const own = current.filter(event =>
      event.asin === undefined ? [null, categoryId].includes(event.categoryId) : event.asin === asin,
    )
    const ofAsin = own.filter(event => event.asin !== undefined)
    const price = own.reduce((factor, event) => factor * (event.price ?? 1), 1)
    const conversion = ofAsin.reduce((factor, event) => factor * event.conversion, 1)
    const isClosed = own.some(event => event.isClosed)
    if (price === 1 && conversion === 1 && !isClosed) return listing
    return {
      ...listing,
      priceMicros: roundToUnit(listing.priceMicros * price, currency),
      conversion: listing.conversion * conversion,
      organicOrders: listing.organicOrders * conversion,
      isClosed,
    }
  }
  return { effectOf, listingUnder, rushAfter, validUntil: Math.min(Number.POSITIVE_INFINITY, ...bounds) }
}
