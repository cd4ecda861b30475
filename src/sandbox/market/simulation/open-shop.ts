import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Product, Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import { Ledger } from '../records/ledger.ts'
import type { Knowledge } from '../queries/knowledge.ts'
import type { Good } from '../queries/listing.ts'
import type { Purse } from './budget.ts'
import { lanesOf, shareSearches, turnOf } from './candidates.ts'
import { type PackedCampaign, packCampaign } from './packed-campaign.ts'
import type { CampaignPlan, Draft } from './plans/plan.ts'
import { shelve } from './plans/account-structure.ts'
import { brandsPlan } from './plans/sponsored-brands.ts'
import { displayPlan } from './plans/sponsored-display.ts'
import { productsPlan } from './plans/sponsored-products.ts'
import type { Shop } from './shop.ts'
import type { TradeBook } from './sales.ts'

/** What shops need besides the books. */
export interface Town {
  seed: number
  openedAt: number
  trade: TradeBook
  purses: Map<string, Purse>
  knowledge: Knowledge
  goodFor(product: Product): Good
  ledgerOf(profileId: number, adProduct: AdProduct): Ledger
  localHours(timezone: string): (hourIndex: number) => LocalHour
}

const plansOf = (draft: Draft): CampaignPlan[] => [
  ...draft.shelves.products.campaigns.map(campaign => productsPlan(campaign, draft)),
  ...draft.shelves.brands.campaigns.map(campaign => brandsPlan(campaign, draft)),
  ...draft.shelves.display.campaigns.map(campaign => displayPlan(campaign, draft)),
]

const draftOf = (store: Store, profile: Profile, goods: readonly Good[], town: Town): Draft => {
  const bySku = new Map(goods.map(good => [good.product.sku, good]))
  const byAsin = new Map(goods.map(good => [good.product.asin, good]))
  return {
    profile,
    shelves: shelve(store, profile.profileId),
    reach: town.knowledge(profile.marketplaceId).reach,
    openedAt: town.openedAt,
    goodOf: (asin, sku) => (sku ? bySku.get(sku) : byAsin.get(asin)) ?? null,
  }
}

/** The campaigns of a profile that run at `hour`, and the hour until which these are they. */
const campaignsOf = (draft: Draft, hour: number, seed: number): { campaigns: PackedCampaign[]; validUntil: number } => {
  const plans = plansOf(draft)
  const lanes = plans.map(plan => lanesOf(plan, draft.profile, hour, seed)).filter(one => one.lanes.length > 0)
  shareSearches(lanes)
  const validUntil = plans.reduce((first, plan) => Math.min(first, turnOf(plan, hour)), Number.POSITIVE_INFINITY)
  return { campaigns: lanes.map(campaign => packCampaign(campaign, seed)), validUntil }
}

/** Products by shop, that is by seller and marketplace; the key is `${sellerId}|${marketplaceId}`. */
export const shelvesByShop = (store: Store): Map<string, Product[]> =>
  Map.groupBy(store.products.values(), product => `${product.sellerId}|${product.marketplaceId}`)

/** The profile that advertises for a shop, if there is one. */
const profileOfShop = (store: Store, { sellerId, marketplaceId }: Product): Profile | null =>
  [...store.profiles.values()].find(one => one.sellerId === sellerId && one.marketplaceId === marketplaceId) ?? null

/** The shop of these products, all of one seller in one marketplace, with the structure as the books hold it at `hour`. */
export const openShop = (store: Store, products: readonly Product[], town: Town, hour: number): Shop | null => {
  const first = products[0]
  const marketplace = first && marketplaceByAmazonId(first.marketplaceId)
  // What belongs to an account for testing is never shown to shoppers.
  if (!marketplace || store.sellers.get(first.sellerId)?.test) return null
  const goods = products.map(product => town.goodFor(product))
  const profile = profileOfShop(store, first)
  const advertised =
    profile?.validPaymentMethod === true
      ? campaignsOf(draftOf(store, profile, goods, town), hour, town.seed)
      : { campaigns: [], validUntil: Number.POSITIVE_INFINITY }
  const nobodys = new Ledger()
  return {
    goods,
    profile,
    currency: marketplace.currency,
    ...advertised,
    ledgerOf: adProduct => (profile ? town.ledgerOf(profile.profileId, adProduct) : nobodys),
    trade: town.trade,
    purses: town.purses,
    localHour: town.localHours(profile?.timezone ?? marketplace.timezone),
    openedAt: town.openedAt,
    seed: town.seed,
  }
}
