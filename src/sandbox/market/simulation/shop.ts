import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct, Drift } from '../market.ts'
import { type Listing, bestMatch } from '../queries/listing.ts'
import type { QueriesOf } from '../queries/query-matcher.ts'
import { Ledger } from '../records/ledger.ts'
import type { Sales } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import { campaignPlans, type CampaignPlan } from './campaign-plans.ts'
import { hashText } from '../random.ts'
import type { Conditions, Match, PlacementSlot } from './auction.ts'
import { type ConditionsOf, createConditions, type Moment } from './conditions.ts'
import { type EffectOf, marketEffects } from './market-effects.ts'
import { type PortfolioMoney, portfolioMoney } from './portfolio-money.ts'
import { intersect } from './serving-windows.ts'
import { getOrMake } from '../get-or-make.ts'

/** One ad × target × query: the unit that takes part in auctions. */
export interface Candidate extends Match {
  /** Its position among all candidates of the campaign, including those that no longer serve. */
  number: number
  adGroupId: string
  adId: string
  targetId: string
  bidMicros: number
  seed: number
  /** Its part of each place, where several of the seller's candidates match the query; else null. */
  shares: readonly number[] | null
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

/** What a candidate may win and pay in one place. */
interface Prospect {
  /** Impressions in an hour of average demand under the best conditions. */
  impressions: number
  /** The most it ever pays. Candidates of one seller share a place by it. */
  capMicros: number
}

interface CampaignCandidates {
  plan: CampaignPlan
  /** Without those that ended before. */
  candidates: Candidate[]
  /** Of each candidate, by place. */
  prospects: Prospect[][]
  /** How many there are, including those that ended before. */
  total: number
}

export function prospectsOf(slots: readonly PlacementSlot[]): Prospect[] {
  const byPlace: Prospect[] = []
  for (const { place, impressions, viewMicros, capMicros } of slots) {
    const prospect = (byPlace[place] ??= { impressions: 0, capMicros: 0 })
    prospect.impressions += impressions
    prospect.capMicros = Math.max(prospect.capMicros, viewMicros || capMicros)
  }
  return byPlace
}

/** True before a campaign's first day, and once it has ended or somebody has stopped it. */
const isIdle = ({ life, dates }: CampaignPlan, hour: number): boolean =>
  (life.from <= hour && hour < dates.from) || dates.to <= hour || life.to <= hour

/** The next hour at which a campaign starts or ends by its dates, so that its candidates change. */
const nextDateOf = ({ life, dates }: CampaignPlan, hour: number): number =>
  life.from <= hour && hour < dates.from ? dates.from : dates.to > hour ? dates.to : Number.POSITIVE_INFINITY
const nextChangeOf = (plan: CampaignPlan, hour: number): number => Math.min(plan.raiseUntil, nextDateOf(plan, hour))

/**
 * Every candidate of a campaign that runs at `nextHour` and has not ended by then. Of several ads in a group, the one
 * that matches a query best takes part.
 */
function candidatesOf(plan: CampaignPlan, nextHour: number, { seed, conditions }: Fixed): CampaignCandidates {
  const candidates: Candidate[] = []
  const prospects: Prospect[][] = []
  let total = 0
  for (const { adGroupId, ads, targets, blockedFrom } of isIdle(plan, nextHour) ? [] : plan.adGroups())
    for (const { id, bidMicros, window, queries, closeness } of targets)
      for (const query of queries) {
        const number = total++
        const best = bestMatch(query, ads)
        if (!best) continue
        const { option: ad, fit } = best
        const serving = intersect(intersect(ad.window, window), { from: 0, to: blockedFrom(query) })
        // What was blocked or switched off earlier no longer competes for its query.
        if (serving.from >= serving.to || serving.to <= nextHour) continue
        const { from, to } = intersect(serving, plan.dates)
        const match: Match = { query, listing: ad.listing, fit, closeness }
        prospects.push(prospectsOf(plan.slotsOf(match, bidMicros, conditions.best(match))))
        candidates.push({
          ...match,
          number,
          adGroupId,
          adId: ad.adId,
          targetId: id,
          bidMicros,
          seed: hashText(`${id}|${query.text}`, seed),
          shares: null,
          from,
          to,
        })
      }
  return { plan, candidates, prospects, total }
}

/** How much of a shared place a candidate gets, against the others': the most it pays for a click decides. */
export const weightOf = (capMicros: number): number => capMicros ** 3

/** A seller never bids against itself: its candidates for one query share what the best of them would have won, place by place. */
function shareQueries(campaigns: readonly CampaignCandidates[]): void {
  for (const ofAdProduct of Map.groupBy(campaigns, campaign => campaign.plan.adProduct).values()) {
    const byQuery = new Map<string, { candidate: Candidate; prospects: readonly Prospect[] }[]>()
    for (const { candidates, prospects } of ofAdProduct)
      for (const [i, candidate] of candidates.entries())
        getOrMake(byQuery, candidate.query.text, () => []).push({ candidate, prospects: prospects[i] ?? [] })
    for (const rivals of byQuery.values()) {
      if (rivals.length === 1) continue
      const totals = (rivals[0]?.prospects ?? []).map((_, place) =>
        rivals.reduce((sum, { prospects }) => sum + weightAt(prospects, place), 0),
      )
      for (const { candidate, prospects } of rivals)
        candidate.shares = totals.map((total, place) => (total === 0 ? 0 : weightAt(prospects, place) / total))
    }
  }
}

const weightAt = (prospects: readonly Prospect[], place: number): number => weightOf(prospects[place]?.capMicros ?? 0)

/** What a candidate can expect at a moment, in an hour of average demand. */
export interface CandidateSlots {
  slots: readonly PlacementSlot[]
  /** Impressions of all slots. */
  rate: number
  /** Auctions at the top of search that it loses, on average, for each impression it wins in any placement. */
  lostAtTop: number
}

/** A candidate that shoppers see in an hour, what it can expect, and how many impressions that is on average. */
export interface Hit extends CandidateSlots {
  index: number
  mean: number
}

/**
 * The slots of a candidate, its shares applied. Lost auctions are counted by impressions won, so they come in the same
 * waves and never exceed the auctions that took place.
 */
function candidateSlots({ slotsOf }: CampaignPlan, candidate: Candidate, conditions: Conditions): CandidateSlots {
  const slots = slotsOf(candidate, candidate.bidMicros, conditions)
  let [rate, lost] = [0, 0]
  for (const slot of slots) {
    const share = candidate.shares?.[slot.place] ?? 1
    slot.available *= share
    slot.impressions *= share
    rate += slot.impressions
    if (slot.placement === 'PLACEMENT_TOP') lost += slot.available - slot.impressions
  }
  return { slots, rate, lostAtTop: rate > 0 ? lost / rate : 0 }
}

/** A campaign's candidates, with what the hourly loop reads of them in typed arrays. */
export type PackedCampaign = ReturnType<typeof packCampaign>

function packCampaign({ plan, candidates, prospects, total }: CampaignCandidates, { seed, conditions }: Fixed) {
  const categoryIds = [...new Set(candidates.map(candidate => candidate.query.categoryId))]
  const mostOf = (prospectsOfOne: readonly Prospect[], shares: Candidate['shares']): number =>
    prospectsOfOne.reduce((sum, { impressions }, place) => sum + impressions * (shares?.[place] ?? 1), 0)
  return {
    plan,
    campaignId: plan.campaignId,
    adProduct: plan.adProduct,
    budgetMicros: plan.budgetMicros,
    lifetimeBudget: plan.lifetimeBudget,
    total,
    /** Categories of the queries, and the index into them of each candidate's. */
    categoryIds,
    categoryIndexes: Int32Array.from(candidates, candidate => categoryIds.indexOf(candidate.query.categoryId)),
    /** Impressions in an hour of average demand under the best conditions. */
    mostRates: Float64Array.from(candidates, ({ shares }, i) => mostOf(prospects[i] ?? [], shares)),
    seeds: Int32Array.from(candidates, candidate => candidate.seed),
    from: Float64Array.from(candidates, candidate => candidate.from),
    to: Float64Array.from(candidates, candidate => candidate.to),
    /** Each candidate's dimension key in the ledger; -1 before its first impression. */
    dimensionKeys: new Int32Array(candidates.length).fill(-1),
    seed: hashText(plan.campaignId, seed),
    candidateAt: (index: number) => candidates[index] as Candidate,
    /** What a candidate can expect at a moment. */
    slotsAt: (index: number, moment: Moment): CandidateSlots => {
      const candidate = candidates[index] as Candidate
      return candidateSlots(plan, candidate, conditions.at(candidate, moment, plan.life.from))
    },
    conditionsAt: (match: Match, moment: Moment): Conditions => conditions.at(match, moment, plan.life.from),
  }
}

/** What holds for all candidates of a shop. */
interface Fixed {
  seed: number
  conditions: ConditionsOf
}

/** The campaigns of one profile that run at `hour`, and the hour at which one starts or ends, or its rules change its bids. */
function campaignsAt(hour: number, plans: readonly CampaignPlan[], fixed: Fixed) {
  const campaigns = plans.map(plan => candidatesOf(plan, hour, fixed)).filter(({ candidates }) => candidates.length > 0)
  shareQueries(campaigns)
  return {
    campaigns: campaigns.map(campaign => packCampaign(campaign, fixed)),
    validUntil: plans.reduce((next, plan) => Math.min(next, nextChangeOf(plan, hour)), Number.POSITIVE_INFINITY),
  }
}

/** What shops need besides the store. */
export interface ShopContext {
  seed: number
  drift: Drift
  /** End of the history the world started with. Stock is only used up after it. */
  historyEnd: number
  sales: Sales
  budgetStates: Map<string, BudgetState>
  queriesOf: QueriesOf
  listingOf(product: Product): Listing
  ledgerOf(profileId: number, adProduct: AdProduct): Ledger
  localHours(timezone: string): (hourIndex: number) => LocalHour
}

/** One seller in one marketplace: its listings and, where there is a profile, its campaigns. */
export interface Shop extends Pick<ShopContext, 'seed' | 'historyEnd' | 'sales' | 'budgetStates'> {
  listings: readonly Listing[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  /** By campaign in a portfolio with a cap. */
  portfolioOf: ReadonlyMap<string, PortfolioMoney>
  /** What happens among shoppers and rivals in these hours. */
  effectOf: EffectOf
  conditions: ConditionsOf
  /** The hour at which dates or rules of a campaign change it, or a market event begins or ends: it must be opened again. */
  validUntil: number
  ledgerOf: (adProduct: AdProduct) => Ledger
  localHour: (hourIndex: number) => LocalHour
}

/** The shop of these products, all of one seller in one marketplace, with the structure as stored at `hour`. */
export function openShop(store: Store, products: readonly Product[], context: ShopContext, hour: number): Shop | null {
  const first = products[0]
  const marketplace = first && marketplaceByAmazonId(first.marketplaceId)
  // Shoppers never see anything of a test account.
  if (!marketplace || store.sellers.get(first.sellerId)?.test) return null
  const { sellerId, marketplaceId } = first
  const profile =
    [...store.profiles.values()].find(one => one.sellerId === sellerId && one.marketplaceId === marketplaceId) ?? null
  const { effectOf, listingUnder, validUntil } = marketEffects(store, profile, hour)
  const listings = products.map(product => listingUnder(context.listingOf(product), marketplace.currency))
  const { seed, drift, historyEnd, sales, budgetStates } = context
  const noLedger = new Ledger()
  const localHour = context.localHours(profile?.timezone ?? marketplace.timezone)
  const plans =
    profile?.validPaymentMethod === true ? plansOf(store, profile, listings, { context, hour, localHour }) : []
  const conditions = createConditions(seed, drift, effectOf)
  const current = campaignsAt(hour, plans, { seed, conditions })
  const ledgerOf = (adProduct: AdProduct): Ledger =>
    profile ? context.ledgerOf(profile.profileId, adProduct) : noLedger
  const portfolios = portfolioMoney(store, profile, hour, { ledgerOf, localHour, budgetStates })
  return {
    listings,
    profile,
    currency: marketplace.currency,
    campaigns: current.campaigns,
    effectOf,
    conditions,
    portfolioOf: portfolios.moneyOf,
    validUntil: Math.min(validUntil, current.validUntil, portfolios.validUntil),
    ledgerOf,
    sales,
    budgetStates,
    localHour,
    historyEnd,
    seed,
  }
}

function plansOf(
  store: Store,
  profile: Profile,
  listings: readonly Listing[],
  { context, hour, localHour }: { context: ShopContext; hour: number; localHour: Shop['localHour'] },
) {
  const bySku = new Map(listings.map(listing => [listing.product.sku, listing]))
  const byAsin = new Map(listings.map(listing => [listing.product.asin, listing]))
  return campaignPlans({
    store,
    profile,
    matcher: context.queriesOf(profile.marketplaceId).matcher,
    historyEnd: context.historyEnd,
    hour,
    localHour,
    listingOf: (asin, sku) => (sku ? bySku.get(sku) : byAsin.get(asin)) ?? null,
  })
}

/** Whether it can be bought. A product without stock today ran out some days before the history ended. From then on, the current stock counts. */
export const inStock = ({ historyEnd }: Shop, { product, seed, isClosed }: Listing, hour: number): boolean =>
  !isClosed && (product.fulfillable > 0 || (hour < historyEnd && hour < historyEnd - 24 * (4 + (seed % 15))))

export function takeFromStock({ historyEnd }: Shop, { product }: Listing, units: number, hour: number): void {
  if (hour >= historyEnd) product.fulfillable = Math.max(0, product.fulfillable - units)
}
