import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Expression, Product, Profile } from '../core/model/store.ts'
import { createLocalHours, dayText, HOUR_MS, hourIndexOf, hoursOfDays, type LocalHour } from './local-hours.ts'
import type { AdProduct, DailySales, Fact, FactChange, HourlySales, MarketOptions, SearchTermRank } from './market.ts'
import { createListing, type Listing, listingKey } from './queries/listing.ts'
import { createQueriesOf, type QueriesOf } from './queries/query-matcher.ts'
import { suggestBid, suggestCategories, suggestKeywords, suggestProducts } from './queries/suggestions.ts'
import { LedgerReader } from './records/facts.ts'
import { Ledger, type LedgerDump, type LedgerKey, ledgerKey } from './records/ledger.ts'
import { Sales, type SalesDump } from './records/sales.ts'
import { searchTermRanksOf } from './records/search-term-ranks.ts'
import { type BudgetState, newBudgetState } from './simulation/budget.ts'
import { BudgetStatus, type BudgetUsage } from './simulation/budget-status.ts'
import { demandFactor } from './simulation/demand.ts'
import { type Bid, forecastOf } from './simulation/forecast.ts'
import { Memory, type MemoryDump } from './simulation/memory.ts'
import { openShop, type Shop, type ShopContext } from './simulation/shop.ts'
import { simulateHour } from './simulation/simulate-hour.ts'
import { getOrMake } from './get-or-make.ts'

interface Dump {
  nextHour: number
  historyEnd: number | null
  firstPrices: [string, number][]
  budgetStates: [string, BudgetState][]
  ledgers: [LedgerKey, LedgerDump][]
  sales: SalesDump
  memory?: MemoryDump
}

/** The simulated shoppers and rivals. Deterministic by seed. Reads the store and writes nothing to it but stock. */
export class Market {
  private readonly store: Store
  private readonly options: Required<MarketOptions>
  private readonly queriesOf: QueriesOf
  private readonly sales = new Sales()
  private readonly memory = new Memory()
  private readonly timezones = new Map<string, (hourIndex: number) => LocalHour>()
  /** Open shops by seller and marketplace. `invalidate` closes them. */
  private readonly shops = new Map<string, Shop | null>()
  readonly budgets: BudgetStatus
  private nextHour: number
  private historyEnd: number | null = null
  private firstPrices = new Map<string, number>()
  private budgetStates = new Map<string, BudgetState>()
  private ledgers = new Map<LedgerKey, Ledger>()

  constructor(store: Store, options: MarketOptions) {
    this.store = store
    this.options = { drift: 'calm', tail: false, cachesStructure: false, ...options }
    this.queriesOf = createQueriesOf(store, options.seed, { tail: this.options.tail })
    this.nextHour = hourIndexOf(options.startsAt.getTime())
    this.budgets = new BudgetStatus({
      store,
      budgetStates: () => this.budgetStates,
      ledgerOf: (profileId, adProduct) => this.ledgers.get(ledgerKey(profileId, adProduct)),
      localHours: timezone => this.localHours(timezone),
    })
  }

  /**
   * Simulates up to the last whole hour before `now`, with the structure as stored. Call it before each change to the
   * store, so that a change counts from its own moment on. Cheap when nothing is due.
   */
  advance(now: Date): void {
    const end = hourIndexOf(now.getTime())
    if (!this.options.cachesStructure) this.budgets.forget()
    if (end <= this.nextHour) return
    // Paused entities served during the history, but not after it.
    if (this.historyEnd !== null && this.historyEnd === this.nextHour) this.shops.clear()
    this.historyEnd ??= end
    if (!this.options.cachesStructure) this.shops.clear()
    const context = this.contextAt(this.historyEnd)
    const shops = Map.groupBy(
      this.store.products.values(),
      ({ sellerId, marketplaceId }) => `${sellerId}|${marketplaceId}`,
    )
    for (const [key, products] of shops) this.simulateShop(key, products, context, end)
    this.nextHour = end
    this.budgets.forget()
  }

  /**
   * The entities of a profile have changed (null: those of any profile, or products). Only needed where the market
   * caches the structure.
   */
  invalidate(profileId: number | null): void {
    this.budgets.forget()
    if (profileId === null) return this.shops.clear()
    for (const [key, shop] of this.shops) if (shop?.profile?.profileId === profileId) this.shops.delete(key)
  }

  /**
   * Facts of the days (in the profile's time zone, both included) as the marketplace would report them at `asOf`, for
   * one ad product: Sponsored Products by default.
   */
  facts(profileId: number, fromDay: string, toDay: string, asOf: Date, adProduct?: AdProduct): Fact[] {
    const { timezone } = this.profileOf(profileId)
    const [from, to] = hoursOfDays(fromDay, toDay, this.localHours(timezone))
    return this.readerOf(profileId, adProduct)?.facts(from, to, hourIndexOf(asOf.getTime())) ?? []
  }

  /**
   * What reports changed after `from` and up to `to`, for hours that begin at `since` or later, in steps that end
   * at multiples of so many hours (one step without a number): by the end of each in epoch milliseconds, in no order.
   */
  factChanges(
    profileId: number,
    since: Date,
    [from, to]: readonly [Date, Date],
    adProduct?: AdProduct,
    stepHours?: number,
  ): Map<number, FactChange[]> {
    const [first, before, after] = [since, from, to].map(at => hourIndexOf(at.getTime())) as [number, number, number]
    const changes = this.readerOf(profileId, adProduct)?.changes(first, before, after, stepHours)
    return new Map([...(changes ?? [])].map(([hour, ofStep]) => [hour * HOUR_MS, ofStep]))
  }

  salesByDay(sellerId: string, marketplaceId: string, fromDay: string, toDay: string): DailySales[] {
    // Clicks that happened already can lead to orders in the future, which nobody has seen yet.
    const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
    const today = dayText(this.localHours(timezone)(this.nextHour - 1).day)
    return this.sales.byDay(this.listingsOf(sellerId, marketplaceId), fromDay, toDay < today ? toDay : today)
  }

  /** Orders of the hours that begin from `from` on and before `to`, as far as those hours have passed. */
  ordersByHour(sellerId: string, marketplaceId: string, from: Date, to: Date): HourlySales[] {
    const [start, end] = [from, to].map(at => hourIndexOf(at.getTime() + HOUR_MS - 1)) as [number, number]
    return this.sales.ordersByHour(this.listingsOf(sellerId, marketplaceId), start, Math.min(this.nextHour, end))
  }

  budgetUsage(campaignId: string, at: Date): BudgetUsage {
    return this.budgets.usage(campaignId, at)
  }

  /** Search terms relevant to the products, best first, as the marketplace would recommend them. */
  suggestKeywords(profileId: number, asins: string[], limit: number) {
    return suggestKeywords(this.queriesFor(profileId).index, this.listingsWith(profileId, asins), limit)
  }

  /** Categories of the products, then related ones. */
  suggestCategories(profileId: number, asins: string[]) {
    return suggestCategories(this.queriesFor(profileId).index, this.listingsWith(profileId, asins))
  }

  /** Rivals' and complementary products worth targeting, grouped by theme. */
  suggestProducts(profileId: number, asins: string[], limit: number) {
    return suggestProducts(this.queriesFor(profileId).index, this.listingsWith(profileId, asins), limit)
  }

  /** The range of bids for an expression; null when it matches no query that people type often enough. */
  suggestBid(profileId: number, asins: string[], expression: Expression) {
    const { marketplaceId, timezone } = this.profileOf(profileId)
    const { day } = this.localHours(timezone)(this.nextHour)
    const about = { marketplaceId, matcher: this.queriesOf(marketplaceId).matcher, day, drift: this.options.drift }
    return suggestBid(about, this.listingsWith(profileId, asins), expression)
  }

  /**
   * How the account's Sponsored Products ranked for each search term in the 30 days before `at`, plurals and other
   * close variants included; null where they had no impressions.
   */
  searchTermRanks(profileId: number, texts: readonly string[], at: Date): (SearchTermRank | null)[] {
    const ledger = this.ledgers.get(profileId)
    if (!ledger) return texts.map(() => null)
    const { matcher } = this.queriesFor(profileId)
    const searches = texts.map(text => matcher.byKeyword(text, 'EXACT'))
    const localHour = this.localHours(this.profileOf(profileId).timezone)
    const demandAt = (categoryId: string, hour: number): number =>
      demandFactor(categoryId, localHour(hour), this.options.seed)
    return searchTermRanksOf(ledger, searches, hourIndexOf(at.getTime()), demandAt)
  }

  /** What similar products get at these bids together, by placement. A query that several bids match counts once. */
  forecast(profileId: number, asins: string[], bids: readonly Bid[]) {
    return forecastOf(this.queriesFor(profileId).matcher, this.listingsWith(profileId, asins), bids)
  }

  /** The state that must survive a restart, as plain JSON. */
  dump(): Dump {
    return {
      nextHour: this.nextHour,
      historyEnd: this.historyEnd,
      firstPrices: [...this.firstPrices],
      budgetStates: [...this.budgetStates],
      ledgers: [...this.ledgers].map(([id, ledger]) => [id, ledger.dump()]),
      sales: this.sales.dump(),
      memory: this.memory.dump(),
    }
  }

  restore(state: unknown): void {
    // The state is this class's own dump, written and read by the same version.
    const dump = state as Dump
    this.nextHour = dump.nextHour
    this.historyEnd = dump.historyEnd
    this.firstPrices = new Map(dump.firstPrices)
    this.budgetStates = new Map(dump.budgetStates.map(([id, one]) => [id, { ...newBudgetState(one.day), ...one }]))
    this.ledgers = new Map(dump.ledgers.map(([id, ledger]) => [id, Ledger.from(ledger)]))
    this.sales.restore(dump.sales)
    this.memory.restore(dump.memory)
  }

  /** For judges: a profile's shop as it would trade in an hour since 1970; null when the seller lists nothing there. */
  shopAt(profileId: number, hour: number): Shop | null {
    const products = this.listingsWith(profileId, null).map(listing => listing.product)
    return openShop(this.store, products, this.contextAt(this.historyEnd ?? hour), hour)
  }

  private contextAt(historyEnd: number): ShopContext {
    return {
      seed: this.options.seed,
      drift: this.options.drift,
      historyEnd,
      sales: this.sales,
      memory: this.memory,
      budgetStates: this.budgetStates,
      queriesOf: this.queriesOf,
      listingOf: product => this.listingOf(product),
      ledgerOf: (profileId, adProduct) => getOrMake(this.ledgers, ledgerKey(profileId, adProduct), () => new Ledger()),
      localHours: timezone => this.localHours(timezone),
    }
  }

  private simulateShop(key: string, products: readonly Product[], context: ShopContext, end: number): void {
    let shop = this.shops.get(key)
    for (let hour = this.nextHour; hour < end; hour++) {
      if (shop === undefined || (shop && hour >= shop.validUntil)) {
        shop = openShop(this.store, products, context, hour)
        this.shops.set(key, shop)
      }
      if (shop === null) return
      simulateHour(shop, hour)
    }
  }

  private localHours(timezone: string): (hourIndex: number) => LocalHour {
    return getOrMake(this.timezones, timezone, createLocalHours)
  }

  private readerOf(profileId: number, adProduct: AdProduct = 'SPONSORED_PRODUCTS'): LedgerReader | undefined {
    const profile = this.profileOf(profileId)
    const ledger = this.ledgers.get(ledgerKey(profileId, adProduct))
    return ledger && new LedgerReader(profile, ledger, this.localHours(profile.timezone))
  }

  private profileOf(profileId: number): Profile {
    const profile = this.store.profiles.get(profileId)
    if (!profile) throw new Error(`no profile ${profileId}`)
    return profile
  }

  private queriesFor(profileId: number): ReturnType<QueriesOf> {
    return this.queriesOf(this.profileOf(profileId).marketplaceId)
  }

  /** The listing of a product. Its conversion rate belongs to the price it had when the market first saw it. */
  private listingOf(product: Product): Listing {
    const firstPrice = getOrMake(this.firstPrices, listingKey(product), () => product.priceMicros)
    return createListing(product, this.options.seed, firstPrice)
  }

  private listingsOf(sellerId: string, marketplaceId: string, asins: readonly string[] | null = null): Listing[] {
    return [...this.store.products.values()]
      .filter(one => one.sellerId === sellerId && one.marketplaceId === marketplaceId)
      .filter(product => !asins || asins.includes(product.asin))
      .map(product => this.listingOf(product))
  }

  private listingsWith(profileId: number, asins: readonly string[] | null): Listing[] {
    const { sellerId, marketplaceId } = this.profileOf(profileId)
    return this.listingsOf(sellerId, marketplaceId, asins)
  }
}

export const createMarket = (store: Store, options: MarketOptions): Market => new Market(store, options)
export type CreateMarket = typeof createMarket
