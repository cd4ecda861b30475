import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct, Drift } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { QueriesOf } from '../queries/query-matcher.ts'
import { Ledger } from '../records/ledger.ts'
import type { Sales } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import { campaignPlans } from './campaign-plans.ts'
import { campaignsAt, type PackedCampaign } from './candidates.ts'
import { type ConditionsOf, createConditions } from './conditions.ts'
import type { Memory } from './memory.ts'
import { type EffectOf, marketEffects, type RushAfter } from './market-effects.ts'
import { type PortfolioMoney, portfolioMoney } from './portfolio-money.ts'

/** What shops need besides the store. */
export interface ShopContext {
  seed: number
  drift: Drift
  /** End of the history the world started with. Stock is only used up after it. */
  historyEnd: number
  sales: Sales
  memory: Memory
  budgetStates: Map<string, BudgetState>
  queriesOf: QueriesOf
  listingOf(product: Product): Listing
  ledgerOf(profileId: number, adProduct: AdProduct): Ledger
  localHours(timezone: string): (hourIndex: number) => LocalHour
}

/** One seller in one marketplace: its listings and, where there is a profile, its campaigns. */
export interface Shop extends Pick<ShopContext, 'seed' | 'historyEnd' | 'sales' | 'memory' | 'budgetStates'> {
  listings: readonly Listing[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  /** By campaign in a portfolio with a cap. */
  portfolioOf: ReadonlyMap<string, PortfolioMoney>
  /** What happens among shoppers and rivals in these hours. */
  effectOf: EffectOf
  /** When the next great day for a category begins, in hours since 1970, if it is near. */
  rushAfter: RushAfter
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
  const { effectOf, listingUnder, rushAfter, validUntil } = marketEffects(store, profile, hour)
  const listings = products.map(product => listingUnder(context.listingOf(product), marketplace.currency))
  const { seed, drift, historyEnd, sales, memory, budgetStates } = context
  const noLedger = new Ledger()
  const localHour = context.localHours(profile?.timezone ?? marketplace.timezone)
  const ledgerOf = (adProduct: AdProduct): Ledger =>
    profile ? context.ledgerOf(profile.profileId, adProduct) : noLedger
  const plans =
    profile?.validPaymentMethod === true
      ? plansOf(store, profile, listings, { context, hour, localHour, ledgerOf })
      : []
  const answerOf = memory.answers.of(profile?.profileId ?? 0)
  const conditions = createConditions({ seed, drift, effectOf, answerOf, standings: memory.standings })
  const current = campaignsAt(hour, plans, { seed, conditions })
  const portfolios = portfolioMoney(store, profile, hour, { ledgerOf, localHour, budgetStates })
  return {
    listings,
    profile,
    currency: marketplace.currency,
    campaigns: current.campaigns,
    effectOf,
    rushAfter,
    conditions,
    portfolioOf: portfolios.moneyOf,
    validUntil: Math.min(validUntil, current.validUntil, portfolios.validUntil),
    ledgerOf,
    sales,
    memory,
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
  { context, ...rules }: Pick<Shop, 'localHour' | 'ledgerOf'> & { context: ShopContext; hour: number },
) {
  const bySku = new Map(listings.map(listing => [listing.product.sku, listing]))
  const byAsin = new Map(listings.map(listing => [listing.product.asin, listing]))
  return campaignPlans({
    store,
    profile,
    matcher: context.queriesOf(profile.marketplaceId).matcher,
    historyEnd: context.historyEnd,
    ...rules,
    listingOf: (asin, sku) => (sku ? bySku.get(sku) : byAsin.get(asin)) ?? null,
  })
}

/** Whether it can be bought. A product without stock today ran out some days before the history ended. From then on, the current stock counts. */
export const inStock = ({ historyEnd }: Shop, { product, seed, isClosed }: Listing, hour: number): boolean =>
  !isClosed && (product.fulfillable > 0 || (hour < historyEnd && hour < historyEnd - 24 * (4 + (seed % 15))))

export function takeFromStock({ historyEnd }: Shop, { product }: Listing, units: number, hour: number): void {
  if (hour >= historyEnd) product.fulfillable = Math.max(0, product.fulfillable - units)
}
