import { leastRuleBudgetMicros } from '../../core/model/rules.ts'
import { getOrMake } from '../get-or-make.ts'
import type { LocalHour } from '../local-hours.ts'
import { type Listing, priceFactor } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'
import { createRandom, fraction, mix, mixSalted, poisson, roundByChance, saltOf } from '../random.ts'
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
import type { Moment } from './conditions.ts'
import { demandFactor, unitsOfOrder } from './demand.ts'
import { leftOfPortfolio, stopPortfolio } from './portfolio-money.ts'
import { raisedBudget, rulesThatHold } from './rules.ts'
import { runAuctions, WAVE } from './run-auctions.ts'
import type { Hit, PackedCampaign } from './candidates.ts'
import { inStock, type Shop, takeFromStock } from './shop.ts'

interface ShopHour extends Moment {
  salt: number
  demandOf: (categoryId: string) => number
  /** What all Sponsored Products of the account may cost in a day, and have cost today; null without such a limit. */
  account: { capMicros: number; state: BudgetState } | null
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
    const demand = demandOf(listing.product.categoryId)
    const stocked = inStock(shop, listing, hour)
    shop.memory.standings.pass(listing, local, { demand, inStock: stocked }, shop.sales)
    if (!stocked) continue
    const counts = organicHour(shop, listing, demand, { hour, local })
    if (counts[3] > 0) shop.sales.add(listing.key, hour, local.day, counts)
    takeFromStock(shop, listing, counts[1], hour)
  }
  const shopHour: ShopHour = { hour, salt: saltOf(hour), local, demandOf, account: accountOn(shop, local.day) }
  beWatched(shop, shopHour)
  for (const campaign of shop.campaigns) simulateCampaign(shop, campaign, shopHour)
}

/** Rivals watch what the account's Sponsored Products take from them. */
function beWatched({ profile, memory, campaigns, ledgerOf }: Shop, { hour, local, demandOf }: ShopHour): void {
  if (!profile) return
  const products = campaigns.filter(({ adProduct }) => adProduct === 'SPONSORED_PRODUCTS')
  const categoryIds = new Set(products.flatMap(packed => packed.categoryIds))
  memory.answers.pass(
    profile.profileId,
    { hour, local },
    {
      demands: [...categoryIds].map(categoryId => [categoryId, demandOf(categoryId)]),
      look: () => {
        const queries = new Set<Query>()
        for (const { mostRates, candidateAt } of products)
          for (let index = 0; index < mostRates.length; index++) queries.add(candidateAt(index).query)
        return { queries, ledger: ledgerOf('SPONSORED_PRODUCTS') }
      },
    },
  )
}

/** One hour of a listing's organic sales. Sessions follow from orders and the share of visitors who buy. */
function organicHour(shop: Shop, listing: Listing, demand: number, moment: Moment): SalesCounts {
  const random = createRandom(mix(listing.seed, moment.hour))
  const { visits, conversion } = shop.conditions.organic(listing, moment)
  const average = listing.organicOrders * demand * visits
  const orders = shop.memory.standings.settle(listing, poisson(average * conversion * priceFactor(listing), random))
  let units = 0
  for (let i = 0; i < orders; i++) units += unitsOfOrder(random)
  const visitors = average / (listing.conversion * 1.1)
  const sessions = Math.max(orders, roundByChance(visitors * (0.6 + 0.8 * random()), random))
  const pageViews = sessions + roundByChance(sessions * 0.35, random)
  return [orders, units, units * listing.priceMicros, sessions, pageViews]
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
  const { state, budgetMicros } = budgetOn(shop, packed, hour)
  const portfolio = shop.portfolioOf.get(packed.campaignId)
  let left = leftToday(state, budgetMicros)
  for (const hit of rotated(hits, packed, hour)) {
    const ofAccount = account ? leftToday(account.state, account.capMicros) : Number.POSITIVE_INFINITY
    const ofPortfolio = portfolio ? leftOfPortfolio(portfolio) : Number.POSITIVE_INFINITY
    const most = Math.min(left, ofAccount, ofPortfolio)
    if (most <= 0) return
    if (!inStock(shop, packed.candidateAt(hit.index).listing, hour)) continue
    const { spent, ranOut } = runAuctions(shop, packed, { hit, hour, left: most })
    state.spent += spent
    state.total += spent
    left -= spent
    if (account) account.state.spent += spent
    if (portfolio) portfolio.spentMicros += spent
    if (!ranOut) continue
    if (portfolio && ofPortfolio === most) stopPortfolio(portfolio, shop.budgetStates, local.day)
    else if (account && ofAccount === most) account.state.ranOutAt = account.capMicros
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

/** A campaign's budget in an hour. When the day begins it is found out which of its rules raise it. */
function budgetOn(shop: Shop, packed: PackedCampaign, hour: number): { state: BudgetState; budgetMicros: number } {
  const { campaignId, budgetMicros, lifetimeBudget, plan } = packed
  const { day } = shop.localHour(hour)
  let state = shop.budgetStates.get(campaignId)
  const isNewDay = state?.day !== day
  if (!state) shop.budgetStates.set(campaignId, (state = newBudgetState(day)))
  startDay(state, day, lifetimeBudget ? 0 : budgetMicros)
  if (lifetimeBudget) return { state, budgetMicros: leftOfLifetime(state, budgetMicros) }
  if (isNewDay) {
    delete state.rules
    const held = rulesOn(shop, packed, hour)
    if (held.length > 0) state.rules = held
  }
  const raised = raisedBudget(budgetMicros, plan.rules.budgetRules, state.rules ?? [], shop.currency)
  if (raised !== budgetMicros) startDay(state, day, raised)
  return { state, budgetMicros: raised }
}

/** The budget rules of a campaign that hold on the day that begins at an hour. */
export function rulesOn(
  { profile, ledgerOf, localHour }: Shop,
  { campaignId, adProduct, budgetMicros, plan }: PackedCampaign,
  hour: number,
): string[] {
  if (!profile || plan.rules.budgetRules.length === 0) return []
  const hasEnoughBudget = budgetMicros >= leastRuleBudgetMicros(profile.countryCode)
  const evaluation = { campaignId, profile, hasEnoughBudget, ledger: ledgerOf(adProduct), localHour }
  return rulesThatHold(plan.rules.budgetRules, hour, evaluation)
}

// The inner loop of the market: a large account has a quarter of a million candidates, each checked every hour.
function hitsOf(packed: PackedCampaign, shopHour: ShopHour): readonly Hit[] {
  const { hour, salt, demandOf } = shopHour
  const { mostRates, seeds, from, to, categoryIndexes, categoryIds } = packed
  const demand = categoryIds.map(demandOf)
  const single = demand.length === 1 ? (demand[0] as number) : null
  let hits: Hit[] | null = null
  for (let index = 0; index < mostRates.length; index++) {
    const factor = single ?? (demand[categoryIndexes[index] as number] as number)
    const hash = mixSalted(seeds[index] as number, salt)
    // Nearly all candidates stop here: the next condition under the best circumstances, which needs no prices.
    if (hash > (mostRates[index] as number) * factor * HASHES_PER_IMPRESSION) continue
    if (hour < (from[index] as number) || hour >= (to[index] as number)) continue
    const expected = packed.slotsAt(index, shopHour)
    const mean = expected.rate * factor
    if (mean < WAVE && fraction(hash) >= mean / WAVE) continue
    const { slots, rate, lostAtTop } = expected
    const hit = { slots, rate, lostAtTop, index, mean }
    if (hits) hits.push(hit)
    else hits = [hit]
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
