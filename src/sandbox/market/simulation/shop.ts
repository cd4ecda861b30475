import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { QueriesOf } from '../queries/query-matcher.ts'
import { Ledger } from '../records/ledger.ts'
import type { Sales } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import { campaignsAt, type PackedCampaign } from './candidates.ts'
import { campaignPlans } from './campaign-plans.ts'

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
  /** The hour at which a campaign starts or ends by its dates, so that the campaigns must be packed again. */
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
  return {
    listings,
    profile,
    currency: marketplace.currency,
    ...(profile?.validPaymentMethod === true
      ? campaignsAt(hour, plansOf(store, profile, listings, context), seed)
      : { campaigns: [], validUntil: Number.POSITIVE_INFINITY }),
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
