import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import { type Listing, bestMatch } from '../queries/listing.ts'
import type { QueriesOf } from '../queries/query-matcher.ts'
import { Ledger } from '../records/ledger.ts'
import type { Sales } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import { campaignPlans, type CampaignPlan } from './campaign-plans.ts'
import { hashText } from '../random.ts'
import type { Match, PlacementSlot } from './auction.ts'
import { type EffectOf, marketEffects, slotsUnder } from './market-effects.ts'
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
  /** The most it ever pays for a click. Candidates of one seller share a query by it. */
  capMicros: number
  /** Its part of the query, where several of the seller's candidates match it. */
  share: number
  /** Impressions in an average hour over all placements, its share applied. */
  rate: number
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

interface CampaignCandidates {
  plan: CampaignPlan
  /** Without those that ended before. */
  candidates: Candidate[]
  /** How many there are, including those that ended before. */
  total: number
}

export function rateAndCap(slots: readonly PlacementSlot[]): { rate: number; capMicros: number } {
  let [rate, capMicros] = [0, 0]
  for (const slot of slots) {
    rate += slot.impressions
    capMicros = Math.max(capMicros, slot.viewMicros || slot.capMicros)
  }
  return { rate, capMicros }
}

/** True before a campaign's first day, and once it has ended or somebody has stopped it. */
const isIdle = ({ life, dates }: CampaignPlan, hour: number): boolean =>
  (life.from <= hour && hour < dates.from) || dates.to <= hour || life.to <= hour

/** The next hour at which a campaign starts or ends by its dates, so that its candidates change. */
const nextDateOf = ({ life, dates }: CampaignPlan, hour: number): number =>
  life.from <= hour && hour < dates.from ? dates.from : dates.to > hour ? dates.to : Number.POSITIVE_INFINITY

/**
 * Every candidate of a campaign that runs at `nextHour` and has not ended by then. Of several ads in a group, the one
 * that matches a query best takes part.
 */
function candidatesOf(plan: CampaignPlan, nextHour: number, seed: number): CampaignCandidates {
  const candidates: Candidate[] = []
  let total = 0
  for (const { adGroupId, ads, targets, blockedFrom } of isIdle(plan, nextHour) ? [] : plan.adGroups())
    for (const { id, bidMicros, window, queries } of targets)
      for (const query of queries) {
        const number = total++
        const match = bestMatch(query, ads)
        if (!match) continue
        const { option: ad, fit } = match
        const serving = intersect(intersect(ad.window, window), { from: 0, to: blockedFrom(query) })
        // What was blocked or switched off earlier no longer competes for its query.
        if (serving.from >= serving.to || serving.to <= nextHour) continue
        const { from, to } = intersect(serving, plan.dates)
        candidates.push({
          number,
          adGroupId,
          adId: ad.adId,
          targetId: id,
          query,
          listing: ad.listing,
          fit,
          bidMicros,
          seed: hashText(`${id}|${query.text}`, seed),
          ...rateAndCap(plan.slotsOf(match, bidMicros)),
          share: 1,
          from,
          to,
        })
      }
  return { plan, candidates, total }
}

/** How much of a shared query a candidate gets, against the others': the most it pays for a click decides. */
export const weightOf = (capMicros: number): number => capMicros ** 3

/** A seller never bids against itself: its candidates for one query share what the best of them would have won. */
function shareQueries(campaigns: readonly CampaignCandidates[]): void {
  for (const ofAdProduct of Map.groupBy(campaigns, campaign => campaign.plan.adProduct).values()) {
    const byQuery = new Map<string, Candidate[]>()
    for (const { candidates } of ofAdProduct)
      for (const candidate of candidates) getOrMake(byQuery, candidate.query.text, () => []).push(candidate)
    for (const candidates of byQuery.values()) {
      if (candidates.length === 1) continue
      const weights = candidates.map(candidate => weightOf(candidate.capMicros))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      for (const [i, candidate] of candidates.entries()) {
        candidate.share = total === 0 ? 0 : (weights[i] as number) / total
        candidate.rate *= candidate.share
      }
    }
  }
}

interface CandidateSlots {
  slots: readonly PlacementSlot[]
  /** Auctions at the top of search that it loses, on average, for each impression it wins in any placement. */
  lostAtTop: number
}

/**
 * The slots of a candidate, its share applied. Lost auctions are counted by impressions won, so they come in the same
 * waves and never exceed the auctions that took place.
 */
function candidateSlots(plan: CampaignPlan, candidate: Candidate): CandidateSlots {
  const { share, rate, bidMicros } = candidate
  const whole = plan.slotsOf(candidate, bidMicros)
  const slots =
    share === 1
      ? whole
      : whole.map(slot => ({ ...slot, available: slot.available * share, impressions: slot.impressions * share }))
  const top = slots.filter(slot => slot.placement === 'PLACEMENT_TOP')
  return { slots, lostAtTop: top.reduce((sum, slot) => sum + slot.available - slot.impressions, 0) / rate }
}

/** A campaign's candidates, with what the hourly loop reads of them in typed arrays. */
export type PackedCampaign = ReturnType<typeof packCampaign>

function packCampaign({ plan, candidates, total }: CampaignCandidates, seed: number) {
  const categoryIds = [...new Set(candidates.map(candidate => candidate.query.categoryId))]
  const slotsByIndex = new Map<number, CandidateSlots>()
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
    rates: Float64Array.from(candidates, candidate => candidate.rate),
    seeds: Int32Array.from(candidates, candidate => candidate.seed),
    from: Float64Array.from(candidates, candidate => candidate.from),
    to: Float64Array.from(candidates, candidate => candidate.to),
    /** Each candidate's dimension key in the ledger; -1 before its first impression. */
    dimensionKeys: new Int32Array(candidates.length).fill(-1),
    seed: hashText(plan.campaignId, seed),
    candidateAt: (index: number) => candidates[index] as Candidate,
    /** They are many, and most hours need none. */
    slotsAt: (index: number): CandidateSlots =>
      getOrMake(slotsByIndex, index, () => candidateSlots(plan, candidates[index] as Candidate)),
  }
}

/** The campaigns of one profile that run at `hour`, and the hour at which one starts or ends by its dates. */
function campaignsAt(hour: number, plans: readonly CampaignPlan[], seed: number) {
  const campaigns = plans.map(plan => candidatesOf(plan, hour, seed)).filter(({ candidates }) => candidates.length > 0)
  shareQueries(campaigns)
  return {
    campaigns: campaigns.map(campaign => packCampaign(campaign, seed)),
    validUntil: plans.reduce((next, plan) => Math.min(next, nextDateOf(plan, hour)), Number.POSITIVE_INFINITY),
  }
}

/** What shops need besides the store. */
export interface ShopContext {
  seed: number
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
  /** What happens among shoppers and rivals in these hours. */
  effectOf: EffectOf
  /** The hour at which a campaign starts or ends by its dates, or a market event does: the shop must be opened again. */
  validUntil: number
  ledgerOf(adProduct: AdProduct): Ledger
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
  const listings = products.map(product => context.listingOf(product))
  const { seed, historyEnd, sales, budgetStates } = context
  const noLedger = new Ledger()
  const { effectOf, validUntil } = marketEffects(store, profile, hour)
  const plans = profile?.validPaymentMethod === true ? plansOf(store, profile, listings, context) : []
  const underEffects = plans.map(plan => ({
    ...plan,
    slotsOf: (match: Match, bidMicros: number) =>
      slotsUnder(effectOf, match, changed => plan.slotsOf(changed, bidMicros)),
  }))
  const current = campaignsAt(hour, underEffects, seed)
  return {
    listings,
    profile,
    currency: marketplace.currency,
    campaigns: current.campaigns,
    effectOf,
    validUntil: Math.min(validUntil, current.validUntil),
    ledgerOf: adProduct => (profile ? context.ledgerOf(profile.profileId, adProduct) : noLedger),
    sales,
    budgetStates,
    localHour: context.localHours(profile?.timezone ?? marketplace.timezone),
    historyEnd,
    seed,
  }
}

function plansOf(store: Store, profile: Profile, listings: readonly Listing[], context: ShopContext) {
  const bySku = new Map(listings.map(listing => [listing.product.sku, listing]))
  const byAsin = new Map(listings.map(listing => [listing.product.asin, listing]))
  return campaignPlans({
    store,
    profile,
    matcher: context.queriesOf(profile.marketplaceId).matcher,
    historyEnd: context.historyEnd,
    listingOf: (asin, sku) => (sku ? bySku.get(sku) : byAsin.get(asin)) ?? null,
  })
}

/** A product without stock today ran out some days before the history ended. From then on, the current stock counts. */
export const inStock = ({ historyEnd }: Shop, { product, seed }: Listing, hour: number): boolean =>
  product.fulfillable > 0 || (hour < historyEnd && hour < historyEnd - 24 * (4 + (seed % 15)))

export function takeFromStock({ historyEnd }: Shop, { product }: Listing, units: number, hour: number): void {
  if (hour >= historyEnd) product.fulfillable = Math.max(0, product.fulfillable - units)
}
