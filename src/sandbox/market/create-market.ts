import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Expression, Product, Profile } from '../core/model/store.ts'
import { createLocalHours, dayNumber, dayText, HOUR_MS, hourIndexOf, type LocalHour } from './local-hours.ts'
import type {
  AdProduct,
  BidRange,
  CreateMarket,
  DailySales,
  Fact,
  FactChange,
  Forecast,
  HourlySales,
  Market,
  SearchTermRank,
} from './market.ts'
import { createListing, type Listing, listingKey } from './queries/listing.ts'
import { createQueriesOf, type QueriesOf } from './queries/query-matcher.ts'
import { suggestBid, suggestCategories, suggestKeywords, suggestProducts } from './queries/suggestions.ts'
import { factChangesOf, factsOf } from './records/facts.ts'
import { Ledger, type LedgerDump } from './records/ledger.ts'
import { createSalesStore, type SalesDump } from './records/sales.ts'
import { searchTermRanksOf } from './records/search-term-ranks.ts'
import { type BudgetState, isUsedUp, newBudgetState } from './simulation/budget.ts'
import { demandFactor } from './simulation/demand.ts'
import { forecastOf } from './simulation/forecast.ts'
import { openShop, productsByShop, type ShopContext } from './simulation/open-shop.ts'
import type { Shop } from './simulation/shop.ts'
import { simulateHour } from './simulation/simulate-hour.ts'

/** A profile's id for its Sponsored Products, and with the ad product appended for others. */
type LedgerKey = number | `${number}|${AdProduct}`
const ledgerKey = (profileId: number, adProduct: AdProduct): LedgerKey =>
  adProduct === 'SPONSORED_PRODUCTS' ? profileId : `${profileId}|${adProduct}`

interface BudgetedCampaign {
  profileId: number
  budgetMicros: number
  budgetType?: 'DAILY' | 'LIFETIME'
}

interface Dump {
  nextHour: number
  historyEnd: number | null
  firstPrices: [string, number][]
  budgetStates: [string, BudgetState][]
  ledgers: [LedgerKey, LedgerDump][]
  sales: SalesDump
}

/** First hour and last hour (excluded) of local days. */
function hoursOfDays(fromDay: string, toDay: string, localHour: (hourIndex: number) => LocalHour): [number, number] {
  const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
  // No time zone is more than 14 hours ahead of UTC.
  let first = from * 24 - 14
  while (localHour(first).day < from) first++
  let last = to * 24 - 14
  while (localHour(last).day <= to) last++
  return [first, last]
}

class SimulatedMarket implements Market {
  private readonly store: Store
  private readonly seed: number
  private readonly cachesStructure: boolean
  private readonly queriesOf: QueriesOf
  private readonly sales = createSalesStore()
  private readonly timezones = new Map<string, (hourIndex: number) => LocalHour>()
  /** Open shops by seller and marketplace. `invalidate` closes them. */
  private readonly shops = new Map<string, Shop | null>()
  private nextHour: number
  private historyEnd: number | null = null
  private firstPrices = new Map<string, number>()
  private budgetStates = new Map<string, BudgetState>()
  private ledgers = new Map<LedgerKey, Ledger>()

  constructor(store: Store, { seed, startsAt, cachesStructure = false }: Parameters<CreateMarket>[1]) {
    this.store = store
    this.seed = seed
    this.cachesStructure = cachesStructure
    this.queriesOf = createQueriesOf(store, seed)
    this.nextHour = hourIndexOf(startsAt.getTime())
  }

  advance(now: Date): void {
    const end = hourIndexOf(now.getTime())
    if (end <= this.nextHour) return
    // Paused entities served during the history, but not after it.
    if (this.historyEnd !== null && this.historyEnd === this.nextHour) this.shops.clear()
    this.historyEnd ??= end
    if (!this.cachesStructure) this.shops.clear()
    const context = this.shopContext(this.historyEnd)
    for (const [key, products] of productsByShop(this.store)) this.simulateShop(key, products, context, end)
    this.nextHour = end
  }

  invalidate(profileId: number | null): void {
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

  salesByDay(sellerId: string, marketplaceId: string, fromDay: string, toDay: string): DailySales[] {
    // Clicks that happened already can lead to orders in the future, which nobody has seen yet.
    const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
    const today = dayText(this.localHours(timezone)(this.nextHour - 1).day)
    return this.sales.byDay(this.listingsOf(sellerId, marketplaceId), fromDay, toDay < today ? toDay : today)
  }

  ordersByHour(sellerId: string, marketplaceId: string, from: Date, to: Date): HourlySales[] {
    const [start, end] = [from, to].map(at => hourIndexOf(at.getTime() + HOUR_MS - 1)) as [number, number]
    return this.sales.ordersByHour(this.listingsOf(sellerId, marketplaceId), start, Math.min(this.nextHour, end))
  }

  budgetUsage(campaignId: string, at: Date): { spentMicros: number; share: number } {
    const [adProduct, campaign] = this.campaignOf(campaignId) ?? []
    const ledger = adProduct && campaign && this.ledgers.get(ledgerKey(campaign.profileId, adProduct))
    if (!ledger) return { spentMicros: 0, share: 0 }
    const { timezone, currency } = this.profileOf(campaign.profileId)
    const spentMicros = ledger.spentOn(campaignId, this.localHours(timezone), hourIndexOf(at.getTime()), currency)
    return { spentMicros, share: campaign.budgetMicros > 0 ? spentMicros / campaign.budgetMicros : 0 }
  }

  isOutOfBudget(campaignId: string, now: Date): boolean {
    const [, campaign] = this.campaignOf(campaignId) ?? []
    const state = this.budgetStates.get(campaignId)
    if (!campaign || !state) return false
    const { day } = this.localHours(this.profileOf(campaign.profileId).timezone)(hourIndexOf(now.getTime()))
    return isUsedUp(state, day, campaign.budgetMicros, campaign.budgetType === 'LIFETIME')
  }

  suggestKeywords(profileId: number, asins: string[], limit: number): { text: string; score: number }[] {
    return suggestKeywords(this.queriesFor(profileId).index, this.listingsWith(profileId, asins), limit)
  }

  suggestCategories(profileId: number, asins: string[]): ReturnType<Market['suggestCategories']> {
    return suggestCategories(this.queriesFor(profileId).index, this.listingsWith(profileId, asins))
  }

  suggestProducts(profileId: number, asins: string[], limit: number): ReturnType<Market['suggestProducts']> {
    return suggestProducts(this.queriesFor(profileId).index, this.listingsWith(profileId, asins), limit)
  }

  suggestBid(profileId: number, asins: string[], expression: Expression): BidRange | null {
    const { marketplaceId } = this.profileOf(profileId)
    const { matcher } = this.queriesOf(marketplaceId)
    return suggestBid(marketplaceId, matcher, this.listingsWith(profileId, asins), expression)
  }

  searchTermRanks(profileId: number, texts: readonly string[], at: Date): (SearchTermRank | null)[] {
    const ledger = this.ledgers.get(profileId)
    if (!ledger) return texts.map(() => null)
    const { matcher } = this.queriesFor(profileId)
    const searches = texts.map(text => matcher.byKeyword(text, 'EXACT'))
    const localHour = this.localHours(this.profileOf(profileId).timezone)
    const demandAt = (categoryId: string, hour: number): number => demandFactor(categoryId, localHour(hour), this.seed)
    return searchTermRanksOf(ledger, searches, hourIndexOf(at.getTime()), demandAt)
  }

  forecast(profileId: number, asins: string[], bids: Parameters<Market['forecast']>[2]): Forecast[] {
    return forecastOf(this.queriesFor(profileId).matcher, this.listingsWith(profileId, asins), bids)
  }

  dump(): Dump {
    return {
      nextHour: this.nextHour,
      historyEnd: this.historyEnd,
      firstPrices: [...this.firstPrices],
      budgetStates: [...this.budgetStates],
      ledgers: [...this.ledgers].map(([id, ledger]) => [id, ledger.dump()]),
      sales: this.sales.dump(),
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
  }

  private campaignOf(campaignId: string): [AdProduct, BudgetedCampaign] | undefined {
    const { campaigns, brandCampaigns, displayCampaigns } = this.store
    const found: [AdProduct, BudgetedCampaign | undefined][] = [
      ['SPONSORED_PRODUCTS', campaigns.get(campaignId)],
      ['SPONSORED_BRANDS', brandCampaigns.get(campaignId)],
      ['SPONSORED_DISPLAY', displayCampaigns.get(campaignId)],
    ]
    return found.find((one): one is [AdProduct, BudgetedCampaign] => one[1] !== undefined)
  }

  private shopContext(historyEnd: number): ShopContext {
    return {
      seed: this.seed,
      historyEnd,
      sales: this.sales,
      budgetStates: this.budgetStates,
      queriesOf: this.queriesOf,
      listingOf: product => this.listingOf(product),
      ledgerOf: (profileId, adProduct) => this.ledgerOf(profileId, adProduct),
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
    let hours = this.timezones.get(timezone)
    if (!hours) this.timezones.set(timezone, (hours = createLocalHours(timezone)))
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

  private queriesFor(profileId: number): ReturnType<QueriesOf> {
    return this.queriesOf(this.profileOf(profileId).marketplaceId)
  }

  /** The listing of a product. Its conversion rate belongs to the price it had when the market first saw it. */
  private listingOf(product: Product): Listing {
    const key = listingKey(product.sellerId, product.marketplaceId, product.sku)
    if (!this.firstPrices.has(key)) this.firstPrices.set(key, product.priceMicros)
    return createListing(product, this.seed, this.firstPrices.get(key) ?? product.priceMicros)
  }

  private listingsOf(sellerId: string, marketplaceId: string, asins: readonly string[] | null = null): Listing[] {
    return [...this.store.products.values()]
      .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceId)
      .filter(product => !asins || asins.includes(product.asin))
      .map(product => this.listingOf(product))
  }

  private listingsWith(profileId: number, asins: readonly string[]): Listing[] {
    const { sellerId, marketplaceId } = this.profileOf(profileId)
    return this.listingsOf(sellerId, marketplaceId, asins)
  }
}

/** The market of a world; see `Market` for what each call guarantees. */
export const createMarket: CreateMarket = (store, options) => new SimulatedMarket(store, options)
