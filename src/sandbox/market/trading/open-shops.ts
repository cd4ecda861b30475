import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Books, Product, ProductAd, Profile } from '../../core/model.ts'
import type { LocalHour } from '../local-hours.ts'
import { Ledger } from '../records/ledger.ts'
import type { Knowledge } from '../searches/knowledge.ts'
import type { Good } from '../searches/truth.ts'
import type { Purse } from './budget.ts'
import { lanesOf, type Shelves, shareSearches, shelve } from './lanes.ts'
import { type PackedCampaign, packCampaign, type Shop } from './shop.ts'
import type { TradeBook } from './trade.ts'

/** What shops need besides the books. */
export interface Town {
  seed: number
  openedAt: number
  trade: TradeBook
  purses: Map<string, Purse>
  knowledge: Knowledge
  goodFor(product: Product): Good
  ledgerOf(profileId: number): Ledger
  localHours(timezone: string): (hourIndex: number) => LocalHour
}

const campaignsOf = (
  books: Books,
  shelves: Shelves,
  profile: Profile,
  goods: readonly Good[],
  town: Town,
): PackedCampaign[] => {
  const bySku = new Map(goods.map(good => [good.product.sku, good]))
  const byAsin = new Map(goods.map(good => [good.product.asin, good]))
  const goodOf = (ad: ProductAd): Good | null => (ad.sku ? bySku.get(ad.sku) : byAsin.get(ad.asin)) ?? null
  const { reach } = town.knowledge(profile.marketplaceId)
  const lanes = [...books.campaigns.values()]
    .filter(campaign => campaign.profileId === profile.profileId && profile.validPaymentMethod)
    .map(campaign => lanesOf(campaign, profile, shelves, reach, goodOf, town.openedAt, town.seed))
  shareSearches(lanes)
  return lanes.map(campaign => packCampaign(campaign, town.seed))
}

/** One shop for each seller in each marketplace, with the structure as the books hold it now. */
export const openShops = (books: Books, town: Town): Shop[] => {
  const shelves = shelve(books)
  const byShop = Map.groupBy(books.products.values(), product => `${product.sellerId}|${product.marketplaceId}`)
  return [...byShop.values()].flatMap((products): Shop[] => {
    const { sellerId, marketplaceId } = products[0] as Product
    const marketplace = marketplaceByAmazonId(marketplaceId)
    if (!marketplace) return []
    const goods = products.map(product => town.goodFor(product))
    const profile =
      [...books.profiles.values()].find(one => one.sellerId === sellerId && one.marketplaceId === marketplaceId) ?? null
    return [
      {
        goods,
        profile,
        currency: marketplace.currency,
        campaigns: profile ? campaignsOf(books, shelves, profile, goods, town) : [],
        ledger: profile ? town.ledgerOf(profile.profileId) : new Ledger(),
        trade: town.trade,
        purses: town.purses,
        localHour: town.localHours(profile?.timezone ?? marketplace.timezone),
        openedAt: town.openedAt,
        seed: town.seed,
      },
    ]
  })
}
