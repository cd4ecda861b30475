import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Expression, Product, Profile } from '../core/model/store.ts'
import { createLocalHours, dayNumber, dayText, HOUR_MS, hourIndexOf, type LocalHour } from './local-hours.ts'
import type { AdProduct, BidRange, CreateMarket, Fact, FactChange, Market, Prospect } from './market.ts'
import type { SearchTermStanding, TradeDay, TradeHour } from './market.ts'
import { factChangesOf, factsOf } from './records/facts.ts'
import { Ledger, type LedgerDump } from './records/ledger.ts'
import { standingsOf } from './records/search-term-ranks.ts'
import { categoryIdeasOf, keywordIdeasOf, productIdeasOf, suggestedBidOf } from './queries/suggestions.ts'
import { createKnowledge, type Knowledge } from './queries/knowledge.ts'
import { createGood, type Good, listingKey } from './queries/listing.ts'
import { isUsedUp, newPurse, type Purse } from './simulation/budget.ts'
import { demandFactor } from './simulation/demand.ts'
import { openShop, shelvesByShop, type Town } from './simulation/open-shop.ts'
import { prospectsOf } from './simulation/forecast.ts'
import type { Shop } from './simulation/shop.ts'
import { shopHour } from './simulation/shop-hour.ts'
import { createTradeBook, type TradeDump } from './simulation/sales.ts'

/** A profile's id for its Sponsored Products, else with the ad product behind it. */
type LedgerKey = number | `${number}|${AdProduct}`
const ledgerKey = (profileId: number, adProduct: AdProduct): LedgerKey =>
  adProduct === 'SPONSORED_PRODUCTS' ? profileId : `${profileId}|${adProduct}`

interface Budgeted {
  profileId: number
  budgetMicros: number
  budgetType?: 'DAILY' | 'LIFETIME'
}

interface Dump {
  nextHour: number
  openedAt: number | null
  firstPrices: [string, number][]
  purses: [string, Purse][]
  ledgers: [LedgerKey, LedgerDump][]
  trade: TradeDump
}

/** First and last hour (excluded) of local days. */
const hoursOfDays = (fromDay: string, toDay: string, localHour: (hourIndex: number) => LocalHour): [number, number] => {
  const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
  // No place on earth is further than 14 hours from Greenwich.
  let first = from * 24 - 14
  while (localHour(first).day < from) first++
  let last = to * 24 - 14
  while (localHour(last).day <= to) last++
  return [first, last]
}

class SimulatedMarket implements Market {
  private readonly store: Store
  private readonly seed: number
  private readonly watched: boolean
  private readonly knowledge: Knowledge
  private readonly trades = createTradeBook()
  private readonly zones = new Map<string, (hourIndex: number) => LocalHour>()
  /** Shops that are open, by seller and marketplace; what changed in the books closes them. */
  private readonly shops = new Map<string, Shop | null>()
  private nextHour: number
  private openedAt: number | null = null
  private firstPrices = new Map<string, number>()
  private purses = new Map<string, Purse>()
  private ledgers = new Map<LedgerKey, Ledger>()

  constructor(store: Store, { seed, startsAt, watched = false }: Parameters<CreateMarket>[1]) {
    this.store = store
    this.seed = seed
    this.watched = watched
    this.knowledge = createKnowledge(store, seed)
    this.nextHour = hourIndexOf(startsAt.getTime())
  }

  advance(now: Date): void {
    const end = hourIndexOf(now.getTime())
    if (end <= this.nextHour) return
    // What stands in the books as the history ends is no longer history.
    if (this.openedAt !== null && this.openedAt === this.nextHour) this.shops.clear()
    this.openedAt ??= end
    if (!this.watched) this.shops.clear()
    const town = this.town(this.openedAt)
    for (const [key, products] of shelvesByShop(this.store)) this.liveThrough(key, products, town, end)
    this.nextHour = end
  }

  changed(profileId: number | null): void {
    if (profileId === null) return this.shops.clear()
    for (const [key, shop] of this.shops) if (shop?.profile?.profileId === profileId) this.shops.delete(key)
  }

  facts(
    profileId: number,
    fromDay: string,
    toDay: string,
    asOf: Date,
    adProduct: AdProduct = 'SPONSORED_PRODUCTS',
  ): Fact[] {
    const profile = this.profileOf(profileId)
    const ledger = this.ledgers.get(ledgerKey(profileId, adProduct))
    if (!ledger) return []
    const localHour = this.localHours(profile.timezone)
    const [from, to] = hoursOfDays(fromDay, toDay, localHour)
    return factsOf([profile, ledger, localHour], from, to, hourIndexOf(asOf.getTime()))
  }

  factChanges(
    profileId: number,
    since: Date,
    from: Date,
    to: Date,
    adProduct: AdProduct = 'SPONSORED_PRODUCTS',
  ): FactChange[] {
    const profile = this.profileOf(profileId)
    const ledger = this.ledgers.get(ledgerKey(profileId, adProduct))
    if (!ledger) return []
    const [first, before, after] = [since, from, to].map(at => hourIndexOf(at.getTime())) as [number, number, number]
    return factChangesOf([profile, ledger, this.localHours(profile.timezone)], [first, after], before, after)
  }

  trade(sellerId: string, marketplaceId: string, fromDay: string, toDay: string): TradeDay[] {
    const goods = this.goodsIn(sellerId, marketplaceId)
    // Orders of clicks already made may still lie ahead; nobody has seen them yet.
    const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
    const today = dayText(this.localHours(timezone)(this.nextHour - 1).day)
    return this.trades.days(goods, fromDay, toDay < today ? toDay : today)
  }

  orders(sellerId: string, marketplaceId: string, from: Date, to: Date): TradeHour[] {
    const end = Math.min(this.nextHour, hourIndexOf(to.getTime() + HOUR_MS - 1))
    return this.trades.orders(this.goodsIn(sellerId, marketplaceId), hourIndexOf(from.getTime() + HOUR_MS - 1), end)
  }

  budgetUsage(campaignId: string, at: Date): { spentMicros: number; share: number } {
    const [adProduct, campaign] = this.campaignOf(campaignId) ?? []
    const ledger = adProduct && campaign && this.ledgers.get(ledgerKey(campaign.profileId, adProduct))
    if (!ledger) return { spentMicros: 0, share: 0 }
    const profile = this.profileOf(campaign.profileId)
    const hours = this.localHours(profile.timezone)
    const spentMicros = ledger.spentOn(campaignId, hours, hourIndexOf(at.getTime()), profile.currency)
    return { spentMicros, share: campaign.budgetMicros > 0 ? spentMicros / campaign.budgetMicros : 0 }
  }

  outOfBudget(campaignId: string, now: Date): boolean {
    const [, campaign] = this.campaignOf(campaignId) ?? []
    const purse = this.purses.get(campaignId)
    if (!campaign || !purse) return false
    const { day } = this.localHours(this.profileOf(campaign.profileId).timezone)(hourIndexOf(now.getTime()))
    return isUsedUp(purse, day, campaign.budgetMicros, campaign.budgetType === 'LIFETIME')
  }

  keywordIdeas(profileId: number, asins: string[], most: number): { text: string; score: number }[] {
    return keywordIdeasOf(this.knowledgeFor(profileId).book, this.goodsOf(profileId, asins), most)
  }

  categoryIdeas(profileId: number, asins: string[]): ReturnType<Market['categoryIdeas']> {
    return categoryIdeasOf(this.knowledgeFor(profileId).book, this.goodsOf(profileId, asins))
  }

  productIdeas(profileId: number, asins: string[], most: number): ReturnType<Market['productIdeas']> {
    return productIdeasOf(this.knowledgeFor(profileId).book, this.goodsOf(profileId, asins), most)
  }

  searchTermStandings(profileId: number, texts: readonly string[], at: Date): (SearchTermStanding | null)[] {
    const ledger = this.ledgers.get(profileId)
    if (!ledger) return texts.map(() => null)
    const { reach } = this.knowledgeFor(profileId)
    const searches = texts.map(text => reach.keyword(text, 'EXACT'))
    const localHour = this.localHours(this.profileOf(profileId).timezone)
    const demandAt = (categoryId: string, hour: number): number => demandFactor(categoryId, localHour(hour), this.seed)
    return standingsOf(ledger, searches, hourIndexOf(at.getTime()), demandAt)
  }

  suggestedBid(profileId: number, asins: string[], expression: Expression): BidRange | null {
    const { marketplaceId } = this.profileOf(profileId)
    return suggestedBidOf(
      marketplaceId,
      this.knowledge(marketplaceId).reach,
      this.goodsOf(profileId, asins),
      expression,
    )
  }

  prospects(profileId: number, asins: string[], bids: Parameters<Market['prospects']>[2]): Prospect[] {
    return prospectsOf(this.knowledgeFor(profileId).reach, this.goodsOf(profileId, asins), bids)
  }

  dump(): Dump {
    return {
      nextHour: this.nextHour,
      openedAt: this.openedAt,
      firstPrices: [...this.firstPrices],
      purses: [...this.purses],
      ledgers: [...this.ledgers].map(([id, ledger]) => [id, ledger.dump()]),
      trade: this.trades.dump(),
    }
  }

  restore(state: unknown): void {
    // The state is this class's own dump, written and read by the same version.
    const dump = state as Dump
    this.nextHour = dump.nextHour
    this.openedAt = dump.openedAt
    this.firstPrices = new Map(dump.firstPrices)
    this.purses = new Map(dump.purses.map(([id, purse]) => [id, { ...newPurse(purse.day), ...purse }]))
    this.ledgers = new Map(dump.ledgers.map(([id, ledger]) => [id, Ledger.from(ledger)]))
    this.trades.restore(dump.trade)
  }

  private campaignOf(campaignId: string): [AdProduct, Budgeted] | undefined {
    const { campaigns, brandCampaigns, displayCampaigns } = this.store
    const found: [AdProduct, Budgeted | undefined][] = [
      ['SPONSORED_PRODUCTS', campaigns.get(campaignId)],
      ['SPONSORED_BRANDS', brandCampaigns.get(campaignId)],
      ['SPONSORED_DISPLAY', displayCampaigns.get(campaignId)],
    ]
    return found.find((one): one is [AdProduct, Budgeted] => one[1] !== undefined)
  }

  private town(openedAt: number): Town {
    return {
      seed: this.seed,
      openedAt,
      trade: this.trades,
      purses: this.purses,
      knowledge: this.knowledge,
      goodFor: product => this.goodFor(product),
      ledgerOf: (profileId, adProduct) => this.ledgerOf(profileId, adProduct),
      localHours: timezone => this.localHours(timezone),
    }
  }

  private liveThrough(key: string, products: readonly Product[], town: Town, end: number): void {
    let shop = this.shops.get(key)
    for (let hour = this.nextHour; hour < end; hour++) {
      if (shop === undefined || (shop && hour >= shop.validUntil)) {
        shop = openShop(this.store, products, town, hour)
        this.shops.set(key, shop)
      }
      if (shop === null) return
      shopHour(shop, hour)
    }
  }

  private localHours(timezone: string): (hourIndex: number) => LocalHour {
    let hours = this.zones.get(timezone)
    if (!hours) this.zones.set(timezone, (hours = createLocalHours(timezone)))
    return hours
  }

  private ledgerOf(profileId: number, adProduct: AdProduct): Ledger {
    const key = ledgerKey(profileId, adProduct)
    let ledger = this.ledgers.get(key)
    if (!ledger) this.ledgers.set(key, (ledger = new Ledger()))
    return ledger
  }

  private profileOf(profileId: number): Profile {
    const profile = this.store.profiles.get(profileId)
    if (!profile) throw new Error(`no profile ${profileId}`)
    return profile
  }

  private knowledgeFor(profileId: number): ReturnType<Knowledge> {
    return this.knowledge(this.profileOf(profileId).marketplaceId)
  }

  /** A product with its truth; the price it has when first seen is the one its conversion belongs to. */
  private goodFor(product: Product): Good {
    const key = listingKey(product.sellerId, product.marketplaceId, product.sku)
    if (!this.firstPrices.has(key)) this.firstPrices.set(key, product.priceMicros)
    return createGood(product, this.seed, this.firstPrices.get(key) ?? product.priceMicros)
  }

  private goodsIn(sellerId: string, marketplaceId: string): Good[] {
    return [...this.store.products.values()]
      .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceId)
      .map(product => this.goodFor(product))
  }

  private goodsOf(profileId: number, asins: readonly string[]): Good[] {
    const { sellerId, marketplaceId } = this.profileOf(profileId)
    return [...this.store.products.values()]
      .filter(one => one.marketplaceId === marketplaceId && one.sellerId === sellerId && asins.includes(one.asin))
      .map(product => this.goodFor(product))
  }
}

/** The market of a world; see `Market` for what each call guarantees. */
export const createMarket: CreateMarket = (store, options) => new SimulatedMarket(store, options)
