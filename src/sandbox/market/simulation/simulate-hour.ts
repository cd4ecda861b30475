import { getOrMake } from '../get-or-make.ts'
import type { LocalHour } from '../local-hours.ts'
import { type Listing, priceFactor } from '../queries/listing.ts'
import { createRandom, fraction, mix, mixSalted, poisson, type Random, roundByChance, saltOf } from '../random.ts'
import type { SalesCounts } from '../records/sales.ts'
import {
  accountKey,
  allowance,
  type BudgetState,
  leftOfLifetime,
  leftToday,
  newBudgetState,
  startDay,
} from './budget.ts'
import { demandFactor, unitsOfOrder } from './demand.ts'
import { runAuctions, WAVE } from './run-auctions.ts'
import { inStock, type PackedCampaign, type Shop, takeFromStock } from './shop.ts'

interface ShopHour {
  hour: number
  salt: number
  local: LocalHour
  demandOf: (categoryId: string) => number
  /** What all Sponsored Products of the account may cost in a day, and have cost today; null without such a limit. */
  account: { capMicros: number; state: BudgetState } | null
}

interface Hit {
  index: number
  mean: number
}

const noHits: readonly Hit[] = []
const HASHES_PER_IMPRESSION = (2 ** 32 / WAVE) * 1.000001

/** The demand for each category in one hour of a shop, relative to an average hour. */
export function demandIn(shop: Shop, local: LocalHour): (categoryId: string) => number {
  const demand = new Map<string, number>()
  return categoryId => {
    let factor = demand.get(categoryId)
    if (factor === undefined) {
      factor = demandFactor(categoryId, local, shop.seed) * shop.effectOf(categoryId).demand
      demand.set(categoryId, factor)
    }
    return factor
  }
}

/** Simulates one hour of a shop. What happens depends on the seed and the stored structure alone. */
export function simulateHour(shop: Shop, hour: number): void {
  const local = shop.localHour(hour)
  const demandOf = demandIn(shop, local)
  moveInbound(shop, hour)
  for (const listing of shop.listings) {
    const factor = demandOf(listing.product.categoryId)
    if (!inStock(shop, listing, hour)) continue
    const { conversion } = shop.effectOf(listing.product.categoryId)
    const counts = organicHour(listing, { demand: factor, conversion }, createRandom(mix(listing.seed, hour)))
    if (counts[3] > 0) shop.sales.add(listing.key, hour, local.day, counts)
    takeFromStock(shop, listing, counts[1], hour)
  }
  const shopHour: ShopHour = { hour, salt: saltOf(hour), local, demandOf, account: accountOn(shop, local.day) }
  for (const campaign of shop.campaigns) simulateCampaign(shop, campaign, shopHour)
}

/** One hour of a listing's organic sales. Sessions follow from orders and the share of visitors who buy. */
function organicHour(
  listing: Listing,
  { demand, conversion }: { demand: number; conversion: number },
  random: Random,
): SalesCounts {
  const orders = poisson(listing.organicOrders * demand * conversion * priceFactor(listing), random)
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
  const account = packed.adProduct === 'SPONSORED_PRODUCTS' ? shopHour.account : null
  // A day without hits carries its budget over as well.
  if (hits.length === 0 && local.hour !== 0) return
  const state = budgetStateOn(shop, packed, local.day)
  const budgetMicros = packed.lifetimeBudget ? leftOfLifetime(state, packed.budgetMicros) : packed.budgetMicros
  let left = leftToday(state, budgetMicros)
  for (const { index, mean } of rotated(hits, packed, hour)) {
    const ofAccount = account ? leftToday(account.state, account.capMicros) : Number.POSITIVE_INFINITY
    if (left <= 0 || ofAccount <= 0) return
    if (!inStock(shop, packed.candidateAt(index).listing, hour)) continue
    const { spent, ranOut } = runAuctions(shop, packed, { index, hour, mean, left: Math.min(left, ofAccount) })
    state.spent += spent
    state.total += spent
    left -= spent
    if (account) account.state.spent += spent
    if (!ranOut) continue
    if (account && ofAccount <= left + spent) account.state.ranOutAt = account.capMicros
    else {
      state.ranOutAt = allowance(state, budgetMicros)
      left = 0
    }
  }
}

/** The account's own limit for a day, which saves nothing for other days. */
function accountOn({ budgetStates, profile }: Shop, day: number): ShopHour['account'] {
  const capMicros = profile?.dailyBudgetMicros ?? null
  if (!profile || capMicros === null) return null
  const state = getOrMake(budgetStates, accountKey(profile.profileId), () => newBudgetState(day))
  startDay(state, day, 0)
  return { capMicros, state }
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
