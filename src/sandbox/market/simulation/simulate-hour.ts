import type { LocalHour } from '../local-hours.ts'
import { type Listing, priceFactor } from '../queries/listing.ts'
import { createRandom, fraction, mix, mixSalted, poisson, type Random, roundByChance, saltOf } from '../random.ts'
import type { SalesCounts } from '../records/sales.ts'
import { allowance, type BudgetState, leftOfLifetime, leftToday, newBudgetState, startDay } from './budget.ts'
import type { PackedCampaign } from './shop.ts'
import { demandFactor, unitsOfOrder } from './demand.ts'
import { runAuctions, WAVE } from './run-auctions.ts'
import { inStock, type Shop, takeFromStock } from './shop.ts'

/** One hour of a shop, as all its campaigns share it. */
interface ShopHour {
  hour: number
  salt: number
  local: LocalHour
  demandOf: (categoryId: string) => number
}

/** A candidate with impressions in an hour, and how many it can expect. */
interface Hit {
  index: number
  mean: number
}

const noHits: readonly Hit[] = []
const HASHES_PER_IMPRESSION = (2 ** 32 / WAVE) * 1.000001

/** Simulates one hour of a shop. What happens depends on the seed and the stored structure alone. */
export function simulateHour(shop: Shop, hour: number): void {
  const local = shop.localHour(hour)
  const demand = new Map<string, number>()
  const demandOf = (categoryId: string): number => {
    let factor = demand.get(categoryId)
    if (factor === undefined) demand.set(categoryId, (factor = demandFactor(categoryId, local, shop.seed)))
    return factor
  }
  moveInbound(shop, hour)
  for (const listing of shop.listings) {
    const factor = demandOf(listing.product.categoryId)
    if (!inStock(shop, listing, hour)) continue
    const counts = organicHour(listing, factor, createRandom(mix(listing.seed, hour)))
    if (counts[3] > 0) shop.sales.add(listing.key, hour, local.day, counts)
    takeFromStock(shop, listing, counts[1], hour)
  }
  const shopHour: ShopHour = { hour, salt: saltOf(hour), local, demandOf }
  for (const campaign of shop.campaigns) simulateCampaign(shop, campaign, shopHour)
}

/** One hour of a listing's organic sales. Sessions follow from orders and the share of visitors who buy. */
function organicHour(listing: Listing, demand: number, random: Random): SalesCounts {
  const orders = poisson(listing.organicOrders * demand * priceFactor(listing), random)
  let units = 0
  for (let i = 0; i < orders; i++) units += unitsOfOrder(random)
  const visits = (listing.organicOrders * demand) / (listing.conversion * 1.1)
  const sessions = Math.max(orders, roundByChance(visits * (0.6 + 0.8 * random()), random))
  const pageViews = sessions + roundByChance(sessions * 0.35, random)
  return [orders, units, units * listing.product.priceMicros, sessions, pageViews]
}

/** Inbound stock advances by one stage every midnight. */
function moveInbound(shop: Shop, hour: number): void {
  if (hour < shop.historyEnd || shop.localHour(hour).hour !== 0) return
  for (const { product } of shop.listings) {
    product.fulfillable += product.inboundReceiving
    product.inboundReceiving = product.inboundShipped
    product.inboundShipped = product.inboundWorking
    product.inboundWorking = 0
  }
}

function simulateCampaign(shop: Shop, packed: PackedCampaign, shopHour: ShopHour): void {
  const hits = hitsOf(packed, shopHour)
  const { hour, local } = shopHour
  // A day without hits carries its budget over as well.
  if (hits.length === 0 && local.hour !== 0) return
  const state = budgetStateOn(shop, packed, local.day)
  const budgetMicros = packed.lifetimeBudget ? leftOfLifetime(state, packed.budgetMicros) : packed.budgetMicros
  let left = leftToday(state, budgetMicros)
  for (const { index, mean } of rotated(hits, packed, hour)) {
    if (left <= 0) return
    if (!inStock(shop, packed.candidateAt(index).listing, hour)) continue
    const { spent, ranOut } = runAuctions(shop, packed, { index, hour, mean, left })
    state.spent += spent
    state.total += spent
    left -= spent
    if (ranOut) {
      state.ranOutAt = allowance(state, budgetMicros)
      left = 0
    }
  }
}

function budgetStateOn(shop: Shop, packed: PackedCampaign, day: number): BudgetState {
  const { campaignId, budgetMicros, lifetimeBudget } = packed
  let state = shop.budgetStates.get(campaignId)
  if (!state) shop.budgetStates.set(campaignId, (state = newBudgetState(day)))
  startDay(state, day, lifetimeBudget ? 0 : budgetMicros)
  return state
}

// The inner loop of the market: a large account has a quarter of a million candidates, each checked every hour.
function hitsOf(
  { rates, seeds, from, to, categoryIndexes, categoryIds }: PackedCampaign,
  { hour, salt, demandOf }: ShopHour,
): readonly Hit[] {
  const demand = categoryIds.map(demandOf)
  const single = demand.length === 1 ? (demand[0] as number) : null
  let hits: Hit[] | null = null
  for (let index = 0; index < rates.length; index++) {
    const mean = (rates[index] as number) * (single ?? (demand[categoryIndexes[index] as number] as number))
    const hash = mixSalted(seeds[index] as number, salt)
    // Nearly all candidates stop here: a slightly wider form of the next condition that needs no division.
    if (hash > mean * HASHES_PER_IMPRESSION) continue
    if (mean < WAVE && fraction(hash) >= mean / WAVE) continue
    if (hour < (from[index] as number) || hour >= (to[index] as number)) continue
    if (hits) hits.push({ index, mean })
    else hits = [{ index, mean }]
  }
  return hits ?? noHits
}

/** Each hour another candidate goes first, whichever candidates have ended by now. */
function rotated(hits: readonly Hit[], packed: PackedCampaign, hour: number): readonly Hit[] {
  if (hits.length < 2) return hits
  const start = mix(packed.seed, hour) % packed.total
  const first = hits.findIndex(({ index }) => packed.candidateAt(index).number >= start)
  return first <= 0 ? hits : [...hits.slice(first), ...hits.slice(0, first)]
}
