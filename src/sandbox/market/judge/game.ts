import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import type { Store } from '../../core/model/store.ts'
import { getOrMake } from '../get-or-make.ts'
import type { Market } from '../create-market.ts'
import type { Conditions } from '../simulation/auction.ts'
import { type Candidate, type PackedCampaign, prospectsOf, weightOf } from '../simulation/candidates.ts'
import { inStock, type Shop } from '../simulation/shop.ts'
import { demandIn } from '../simulation/simulate-hour.ts'
import {
  addTo,
  addYield,
  type Expected,
  type MarginOf,
  noSpend,
  nothing,
  type OrderWorth,
  orderWorths,
} from './expect.ts'
import { shopHours } from './judge.ts'

/** What a candidate brings in the day at one bid if it has its place to itself, and how much it competes for it. */
interface Offer {
  weight: number
  expected: Expected
}

/** A candidate of a bid that can be chosen, in one place. */
export interface Player {
  targetId: string
  /** With the place: what is shared. */
  query: string
  offerAt: (bidMicros: number) => Offer
}

/** The Sponsored Products of a profile on a day: all that bids decide. */
export interface Game {
  players: readonly Player[]
  ofTarget: Map<string, Player[]>
  /** The bids as stored. */
  bids: Map<string, number>
  /** The nearest bid that the marketplace accepts. */
  allowed: (bidMicros: number) => number
}

/** Its chances in each place that a query has, in the hours of demand given. */
function playersOf(
  shop: Shop,
  packed: PackedCampaign,
  candidate: Candidate,
  hours: readonly { conditions: Conditions; demand: number }[],
  worth: OrderWorth,
): Player[] {
  const offers = new Map<number, readonly Offer[]>()
  const offersAt = (bidMicros: number): Offer[] => {
    const prospects = prospectsOf(packed.plan.slotsOf(candidate, bidMicros))
    const sums = prospects.map(() => ({ sum: nothing(), spend: noSpend() }))
    for (const { conditions, demand } of hours)
      for (const slot of packed.plan.slotsOf(candidate, bidMicros, conditions)) {
        const sum = sums[slot.place]
        const impressions = slot.impressions * demand
        if (sum) addYield(sum, slot, worth, { impressions, mean: impressions, currency: shop.currency })
      }
    return prospects.map(({ capMicros }, place) => ({
      weight: weightOf(capMicros),
      expected: sums[place]?.sum ?? nothing(),
    }))
  }
  return prospectsOf(packed.plan.slotsOf(candidate, candidate.bidMicros)).map((_, place) => ({
    targetId: candidate.targetId,
    query: `${candidate.query.text}|${place}`,
    offerAt: bidMicros => getOrMake(offers, bidMicros, offersAt)[place] as Offer,
  }))
}

/** Throws when the profile has nothing to sell. */
export function openGame(market: Market, store: Store, profileId: number, at: Date, marginOf: MarginOf): Game {
  const hours = [...shopHours(market, store, profileId, at, 'DAY')]
  const { shop, hour: firstHour } =
    hours.find(({ hour }) => hour * 3_600_000 + 3_600_000 > at.getTime()) ?? hours[0] ?? noHours()
  const demands = hours.map(({ shop: open, hour }) => ({ hour, demandOf: demandIn(open, open.localHour(hour)) }))
  const orderWorth = orderWorths(shop, firstHour, marginOf)
  const players: Player[] = []
  const bids = new Map<string, number>()
  for (const packed of shop.campaigns) {
    if (packed.adProduct !== 'SPONSORED_PRODUCTS') continue
    for (let index = 0; index < packed.mostRates.length; index++) {
      const candidate = packed.candidateAt(index)
      const { listing, query, from, to } = candidate
      const serving = demands.filter(({ hour }) => hour >= from && hour < to && inStock(shop, listing, hour))
      const moments = serving.map(({ hour, demandOf }) => ({
        conditions: packed.conditionsAt(candidate, { hour, local: shop.localHour(hour) }),
        demand: demandOf(query.categoryId),
      }))
      players.push(...playersOf(shop, packed, candidate, moments, orderWorth(listing, packed.adProduct)))
      bids.set(candidate.targetId, candidate.bidMicros)
    }
  }
  const marketplace = marketplaceByAmazonId(store.profiles.get(profileId)?.marketplaceId ?? '')
  const least = marketplace?.minBidMicros ?? 20_000
  const most = marketplace?.maxBidMicros ?? 1000e6
  return {
    players,
    ofTarget: Map.groupBy(players, player => player.targetId),
    bids,
    allowed: bid => Math.max(least, Math.min(most, roundToUnit(bid, shop.currency))),
  }
}

function noHours(): never {
  throw new Error('a day without hours')
}

/** What all bids together bring: the offers for one query share it by their weights. */
export function outcomeOf({ players }: Game, bids: ReadonlyMap<string, number>): Expected {
  const total = nothing()
  for (const ofQuery of Map.groupBy(players, player => player.query).values()) {
    const offers = ofQuery.map(player => player.offerAt(bids.get(player.targetId) as number))
    const weights = offers.reduce((sum, offer) => sum + offer.weight, 0)
    if (weights > 0) for (const { weight, expected } of offers) addTo(total, expected, weight / weights)
  }
  return total
}
