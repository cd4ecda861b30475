import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product, ProductAd, Profile } from '../core/model.ts'
import type { Purse } from './trading/budget.ts'
import { factsOf } from './records/facts.ts'
import { categoryIdeasOf, keywordIdeasOf, productIdeasOf, suggestedBidOf } from './searches/ideas.ts'
import { lanesOf, shareSearches, shelve } from './trading/lanes.ts'
import { Ledger, type LedgerDump } from './records/ledger.ts'
import { createLocalHours, dayNumber, hourIndexOf, type LocalHour } from './local-hours.ts'
import type { CreateMarket } from './market.ts'
import { createReach, type Reach } from './searches/reach.ts'
import { packCampaign, type Shop, shopHour } from './trading/shop.ts'
import { createTermBook, type TermBook } from './searches/terms.ts'
import { createTradeBook, type TradeDump } from './trading/trade.ts'
import { createGood, type Good, listingKey } from './searches/truth.ts'

interface Dump {
  nextHour: number
  openedAt: number | null
  firstPrices: [string, number][]
  purses: [string, Purse][]
  ledgers: [number, LedgerDump][]
  trade: TradeDump
}

/** The market of a world; see `Market` for what each call guarantees. */
export const createMarket: CreateMarket = (books, { seed, startsAt }) => {
  let nextHour = hourIndexOf(startsAt.getTime())
  let openedAt: number | null = null
  let firstPrices = new Map<string, number>()
  let purses = new Map<string, Purse>()
  let ledgers = new Map<number, Ledger>()
  const trade = createTradeBook()
  const zones = new Map<string, (hourIndex: number) => LocalHour>()
  const knowledge = new Map<string, { size: number; book: TermBook; reach: Reach }>()

  const localHours = (timezone: string): ((hourIndex: number) => LocalHour) => {
    let hours = zones.get(timezone)
    if (!hours) zones.set(timezone, (hours = createLocalHours(timezone)))
    return hours
  }
  const ledgerOf = (profileId: number): Ledger => {
    let ledger = ledgers.get(profileId)
    if (!ledger) ledgers.set(profileId, (ledger = new Ledger()))
    return ledger
  }
  const profileOf = (profileId: number): Profile => {
    const profile = books.profiles.get(profileId)
    if (!profile) throw new Error(`no profile ${profileId}`)
    return profile
  }
  const goodFor = (product: Product): Good => {
    const key = listingKey(product.sellerId, product.marketplaceId, product.sku)
    if (!firstPrices.has(key)) firstPrices.set(key, product.priceMicros)
    return createGood(product, seed, firstPrices.get(key) ?? product.priceMicros)
  }
  /** What is searched in a marketplace; made anew when products came or went. */
  const knowledgeOf = (marketplaceId: string): { book: TermBook; reach: Reach } => {
    const products = [...books.products.values()].filter(product => product.marketplaceId === marketplaceId)
    let known = knowledge.get(marketplaceId)
    if (known?.size !== products.length) {
      const book = createTermBook(marketplaceId, products, seed)
      known = { size: products.length, book, reach: createReach(book) }
      knowledge.set(marketplaceId, known)
    }
    return known
  }
  const goodsOf = (profileId: number, asins: readonly string[]): Good[] => {
    const { sellerId, marketplaceId } = profileOf(profileId)
    return [...books.products.values()]
      .filter(
        product =>
          product.marketplaceId === marketplaceId && product.sellerId === sellerId && asins.includes(product.asin),
      )
      .map(goodFor)
  }

  const openShops = (opened: number): Shop[] => {
    const shelves = shelve(books)
    const byShop = Map.groupBy(books.products.values(), product => `${product.sellerId}|${product.marketplaceId}`)
    return [...byShop.values()].flatMap((products): Shop[] => {
      const { sellerId, marketplaceId } = products[0] as Product
      const marketplace = marketplaceByAmazonId(marketplaceId)
      if (!marketplace) return []
      const goods = products.map(goodFor)
      const profiles = [...books.profiles.values()].filter(
        p => p.sellerId === sellerId && p.marketplaceId === marketplaceId,
      )
      const profile = profiles[0] ?? null
      const shop = { goods, trade, purses, openedAt: opened, seed }
      const place = { currency: marketplace.currency, localHour: localHours(marketplace.timezone) }
      if (!profile) return [{ ...shop, ...place, profile, campaigns: [], ledger: new Ledger() }]
      const bySku = new Map(goods.map(good => [good.product.sku, good]))
      const byAsin = new Map(goods.map(good => [good.product.asin, good]))
      const goodOf = (ad: ProductAd): Good | null => (ad.sku ? bySku.get(ad.sku) : byAsin.get(ad.asin)) ?? null
      const { reach } = knowledgeOf(marketplaceId)
      const lanes = [...books.campaigns.values()]
        .filter(campaign => campaign.profileId === profile.profileId && profile.validPaymentMethod)
        .map(campaign => lanesOf(campaign, profile, shelves, reach, goodOf, opened, seed))
      shareSearches(lanes)
      return [
        {
          ...shop,
          ...place,
          localHour: localHours(profile.timezone),
          profile,
          campaigns: lanes.map(campaign => packCampaign(campaign, seed)),
          ledger: ledgerOf(profile.profileId),
        },
      ]
    })
  }

  /** First and last hour (excluded) that can hold hours of these days, in any time zone of the earth. */
  const hoursOfDays = (
    fromDay: string,
    toDay: string,
    localHour: (hourIndex: number) => LocalHour,
  ): [number, number] => {
    const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
    let first = from * 24 - 14
    while (localHour(first).day < from) first++
    let last = to * 24 - 14
    while (localHour(last).day <= to) last++
    return [first, last]
  }

  return {
    advance(now) {
      const end = hourIndexOf(now.getTime())
      if (end <= nextHour) return
      openedAt ??= end
      for (const shop of openShops(openedAt)) for (let hour = nextHour; hour < end; hour++) shopHour(shop, hour)
      nextHour = end
    },
    facts(profileId, fromDay, toDay, asOf) {
      const profile = profileOf(profileId)
      const ledger = ledgers.get(profileId)
      if (!ledger) return []
      const localHour = localHours(profile.timezone)
      const [from, to] = hoursOfDays(fromDay, toDay, localHour)
      return factsOf(profile, ledger, localHour, from, to, hourIndexOf(asOf.getTime()))
    },
    trade(sellerId, marketplaceId, fromDay, toDay) {
      const goods = [...books.products.values()]
        .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceId)
        .map(goodFor)
      return trade.days(goods, fromDay, toDay)
    },
    budgetUsage(campaignId, at) {
      const campaign = books.campaigns.get(campaignId)
      const profile = campaign && books.profiles.get(campaign.profileId)
      const ledger = campaign && ledgers.get(campaign.profileId)
      if (!campaign || !profile || !ledger) return { spentMicros: 0, share: 0 }
      const spentMicros = ledger.spentOn(
        campaignId,
        localHours(profile.timezone),
        hourIndexOf(at.getTime()),
        profile.currency,
      )
      return { spentMicros, share: campaign.budgetMicros > 0 ? spentMicros / campaign.budgetMicros : 0 }
    },
    keywordIdeas: (profileId, asins, most) =>
      keywordIdeasOf(knowledgeOf(profileOf(profileId).marketplaceId).book, goodsOf(profileId, asins), most),
    categoryIdeas: (profileId, asins) =>
      categoryIdeasOf(knowledgeOf(profileOf(profileId).marketplaceId).book, goodsOf(profileId, asins)),
    productIdeas: (profileId, asins, most) =>
      productIdeasOf(knowledgeOf(profileOf(profileId).marketplaceId).book, goodsOf(profileId, asins), most),
    suggestedBid(profileId, asins, expression) {
      const { marketplaceId } = profileOf(profileId)
      return suggestedBidOf(marketplaceId, knowledgeOf(marketplaceId).reach, goodsOf(profileId, asins), expression)
    },
    dump(): Dump {
      return {
        nextHour,
        openedAt,
        firstPrices: [...firstPrices],
        purses: [...purses],
        ledgers: [...ledgers].map(([id, ledger]) => [id, ledger.dump()]),
        trade: trade.dump(),
      }
    },
    restore(state) {
      // The state is this module's own dump, written and read by the same version.
      const dump = state as Dump
      nextHour = dump.nextHour
      openedAt = dump.openedAt
      firstPrices = new Map(dump.firstPrices)
      purses = new Map(dump.purses)
      ledgers = new Map(dump.ledgers.map(([id, ledger]) => [id, Ledger.from(ledger)]))
      trade.restore(dump.trade)
    },
  }
}
