import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { QueriesOf } from '../queries/query-matcher.ts'
import { Ledger } from '../records/ledger.ts'
import type { SalesStore } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import { candidatesOf, nextDateOf, shareQueries } from './candidates.ts'
import { type PackedCampaign, packCampaign } from './packed-campaign.ts'
import { readStructure } from './plans/account-structure.ts'
import { campaignPlans, type PlanContext } from './plans/campaign-plans.ts'
import type { Shop } from './shop.ts'

/** What shops need besides the store. */
export interface ShopContext {
  seed: number
  historyEnd: number
  sales: SalesStore
  budgetStates: Map<string, BudgetState>
  queriesOf: QueriesOf
  listingOf(product: Product): Listing
  ledgerOf(profileId: number, adProduct: AdProduct): Ledger
  localHours(timezone: string): (hourIndex: number) => LocalHour
}

/** Products by shop, that is by seller and marketplace. The key is `${sellerId}|${marketplaceId}`. */
export const productsByShop = (store: Store): Map<string, Product[]> =>
  Map.groupBy(store.products.values(), product => `${product.sellerId}|${product.marketplaceId}`)

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
  return {
    listings,
    profile,
    currency: marketplace.currency,
    ...(profile?.validPaymentMethod === true
      ? campaignsAt(hour, planContext(store, profile, listings, context), seed)
      : { campaigns: [], validUntil: Number.POSITIVE_INFINITY }),
    ledgerOf: adProduct => (profile ? context.ledgerOf(profile.profileId, adProduct) : noLedger),
    sales,
    budgetStates,
    localHour: context.localHours(profile?.timezone ?? marketplace.timezone),
    historyEnd,
    seed,
  }
}

function planContext(store: Store, profile: Profile, listings: readonly Listing[], context: ShopContext): PlanContext {
  const bySku = new Map(listings.map(listing => [listing.product.sku, listing]))
  const byAsin = new Map(listings.map(listing => [listing.product.asin, listing]))
  return {
    profile,
    structure: readStructure(store, profile.profileId),
    matcher: context.queriesOf(profile.marketplaceId).matcher,
    historyEnd: context.historyEnd,
    listingOf: (asin, sku) => (sku ? bySku.get(sku) : byAsin.get(asin)) ?? null,
  }
}

/** The campaigns of a profile that run at `hour`, and the hour until which this list is valid. */
function campaignsAt(
  hour: number,
  context: PlanContext,
  seed: number,
): { campaigns: PackedCampaign[]; validUntil: number } {
  const plans = campaignPlans(context)
  const campaigns = plans
    .map(plan => candidatesOf(plan, context.profile, hour, seed))
    .filter(({ candidates }) => candidates.length > 0)
  shareQueries(campaigns)
  return {
    campaigns: campaigns.map(campaign => packCampaign(campaign, seed)),
    validUntil: plans.reduce((next, plan) => Math.min(next, nextDateOf(plan, hour)), Number.POSITIVE_INFINITY),
  }
}
