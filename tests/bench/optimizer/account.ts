import { autoTypes } from '#sandbox/amazon-ads/sponsored-products/expressions.ts'
import type { OfAdGroup } from '#sandbox/core/model/entity.ts'
import {
  type BiddingStrategy,
  type Campaign,
  type Expression,
  type Product,
  type Profile,
  profileFor,
  type Store,
} from '#sandbox/core/model/store.ts'
import { emptyStore } from '#sandbox/core/store/collections.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { codeOf, createRandom, hashText, normal, type Random } from '#sandbox/market/random.ts'
import { rivalAsin } from '#sandbox/market/queries/queries.ts'
import { type CategoryWords, type Language, languageOf } from '#sandbox/market/vocabulary.ts'
import { type MarketplaceFacts, marketplaceByKey } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'

const DAY_MS = 86_400_000
/** More than is sold in the days of a run: stock is not what these accounts are about. */
const ample = 1_000_000

/** An account as its seller left it, and what that seller wants of it. */
export interface Account {
  name: string
  store: Store
  profile: Profile
  startsAt: Date
  takenOverAt: Date
  targetAcos: number
  /** What is left of a sale after goods, fees and taxes. */
  margin: number
  /** Daily budgets over what the account would spend without any. */
  budgetFactor: number
  seed: number
}

const countries = ['US', 'US', 'DE', 'JP', 'CA', 'MX', 'US', 'DE'] as const

/**
 * An account drawn from a number: country, products, structure and the bids and budgets of a seller who set them once. The
 * second number draws the market that it meets.
 */
export function drawAccount(number: number, marketSeed: number): Account {
  const random = createRandom(hashText(`account ${number}`, 29))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const between = (low: number, high: number): number => low + (high - low) * random()
  const market = marketplaceByKey(pick(countries)) as MarketplaceFacts
  const targetAcos = Math.round(between(0.15, 0.45) * 100) / 100
  const store = emptyStore()
  const sellerId = `A${codeOf(hashText(`seller ${number}`, 3), 13)}`
  const seller = {
    sellerId,
    name: `Seller ${number}`,
    region: market.region,
    type: 'seller' as const,
    marketplaceIds: [market.amazonId],
  }
  store.sellers.set(sellerId, seller)
  const profile = profileFor(seller, market.key, 7_000_000_000_000_000 + number)
  store.profiles.set(profile.profileId, profile)
  const takenOverAt = new Date(Date.parse('2026-03-02T16:00:00Z') + number * 9 * DAY_MS)
  const historyDays = Math.round(between(0, 90))
  const writer: Writer = {
    store,
    profile,
    random,
    language: languageOf(market.amazonId),
    market,
    seed: hashText(`market ${number}`, marketSeed),
    bidScale: Math.exp(between(Math.log(0.4), Math.log(2.2))),
    createdAt: takenOverAt.getTime() - historyDays * DAY_MS - DAY_MS,
    lastId: 310_000_000_000_000,
  }
  const { categories } = writer.language
  const first = Math.floor(random() * categories.length)
  const count = 1 + Math.floor(random() * 2)
  const budgetFactor = Math.exp(between(Math.log(0.3), Math.log(5)))
  const margin = targetAcos + between(0.05, 0.25)
  for (let i = 0; i < count; i++) addCategory(writer, categories[(first + i * 3) % categories.length] as CategoryWords)
  scaleBids(writer)
  return {
    name: `${market.key} ${number}`,
    store,
    profile,
    startsAt: new Date(writer.createdAt),
    takenOverAt,
    targetAcos,
    margin,
    budgetFactor,
    seed: writer.seed,
  }
}

interface Writer {
  store: Store
  profile: Profile
  random: Random
  language: Language
  market: MarketplaceFacts
  seed: number
  bidScale: number
  createdAt: number
  lastId: number
}
const nextId = (writer: Writer): string => String((writer.lastId += 7_919))

function addCategory(writer: Writer, category: CategoryWords): void {
  const { random, language } = writer
  const products = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, n) => addProduct(writer, category, n))
  const words = [...category.features, ...category.features, ...category.irrelevant.slice(0, 2)]
  const texts = category.heads.flatMap(head => [
    head,
    ...words.filter(() => random() < 0.5).map(word => language.feature(word, head)),
    ...category.uses.filter(() => random() < 0.5).map(use => language.use(head, use)),
  ])
  const some = (share: number): string[] => [...new Set(texts)].filter(() => random() < share)
  if (random() < 0.85) addCampaign(writer, category, products, 'Auto', [])
  if (random() < 0.85) addCampaign(writer, category, products, 'Exact', some(0.7))
  if (random() < 0.3) addCampaign(writer, category, products.slice(0, 1), 'Exact', some(0.3))
  addCampaign(writer, category, products, 'Broad', some(0.4))
  if (random() < 0.5) addCampaign(writer, category, products, 'Products', [])
}

function addProduct({ store, profile, random, language, market }: Writer, category: CategoryWords, n: number): Product {
  const { sellerId, marketplaceId } = profile
  const head = category.heads[n % category.heads.length] ?? ''
  const features = category.features.filter(() => random() < 0.35).slice(0, 3)
  const asin = `B0${codeOf(hashText(`${sellerId}|${category.id}|${n}`, 5), 8)}`
  const product: Product = {
    sellerId,
    marketplaceId,
    asin,
    sku: `SKU-${category.id}-${n}`,
    fnsku: `X00${asin.slice(3)}`,
    title: `Driftwood ${features.reduce((text, word) => language.feature(word, text), head)}`,
    brand: 'Driftwood',
    categoryId: category.id,
    categoryName: category.name,
    priceMicros: roundToUnit(category.price * 1e6 * (0.65 + 0.8 * random()), market.currency),
    imageUrl: '',
    condition: 'NewItem',
    bestSellerRank: null,
    fulfillable: ample,
    reserved: 0,
    unfulfillable: 0,
    inboundWorking: 0,
    inboundShipped: 0,
    inboundReceiving: 0,
    eligibility: 'ELIGIBLE',
    eligibilityMessage: null,
  }
  store.products.set(`${sellerId}|${marketplaceId}|${product.sku}`, product)
  return product
}

type Kind = 'Auto' | 'Exact' | 'Broad' | 'Products'
const strategies: readonly BiddingStrategy[] = ['LEGACY_FOR_SALES', 'MANUAL', 'AUTO_FOR_SALES']

function addCampaign(
  writer: Writer,
  category: CategoryWords,
  products: readonly Product[],
  kind: Kind,
  texts: readonly string[],
): void {
  const { store, profile, random, market, createdAt, seed } = writer
  const campaignId = nextId(writer)
  const stamp = { createdAt, updatedAt: createdAt }
  const { profileId } = profile
  const campaign: Campaign = {
    campaignId,
    profileId,
    name: `${category.name} ${kind} ${campaignId.slice(-5)}`,
    state: 'ENABLED',
    targetingType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
    budgetMicros: market.minDailyBudgetMicros,
    strategy: strategies[Math.floor(random() * 3)] ?? 'MANUAL',
    placements: random() < 0.25 ? [{ placement: 'PLACEMENT_TOP', percentage: 10 * Math.floor(1 + random() * 5) }] : [],
    startDate: dayIn(new Date(createdAt), profile.timezone),
    endDate: null,
    portfolioId: null,
    tags: {},
    ...stamp,
  }
  store.campaigns.set(campaignId, campaign)
  const parts: OfAdGroup = { adGroupId: nextId(writer), campaignId, profileId, state: 'ENABLED', ...stamp }
  store.adGroups.set(parts.adGroupId, { ...parts, name: category.name, defaultBidMicros: market.minBidMicros })
  for (const { asin, sku } of products) {
    const adId = nextId(writer)
    store.productAds.set(adId, { adId, ...parts, asin, sku })
  }
  const bidMicros = market.minBidMicros
  for (const keywordText of texts) {
    const keywordId = nextId(writer)
    const matchType = kind === 'Exact' ? 'EXACT' : random() < 0.5 ? 'PHRASE' : 'BROAD'
    store.keywords.set(keywordId, { keywordId, ...parts, keywordText, matchType, bidMicros })
  }
  const rivals = Array.from({ length: 5 }, (_, n) => rivalAsin(profile.marketplaceId, category.id, n, seed))
  const expressions: Expression[] =
    kind === 'Auto'
      ? autoTypes.map(type => ({ type }))
      : kind === 'Products'
        ? rivals.map(value => ({ type: 'ASIN_SAME_AS', value }))
        : []
  for (const expression of expressions) {
    const targetId = nextId(writer)
    const expressionType = kind === 'Auto' ? 'AUTO' : 'MANUAL'
    store.targets.set(targetId, { targetId, ...parts, expression: [expression], expressionType, bidMicros })
  }
}

const keywordTypes = {
  BROAD: 'KEYWORD_BROAD_MATCH',
  PHRASE: 'KEYWORD_PHRASE_MATCH',
  EXACT: 'KEYWORD_EXACT_MATCH',
} as const

/** Each bid becomes what the marketplace suggested once, times the seller's own measure and luck. */
function scaleBids({ store, profile, random, market, seed, bidScale, createdAt }: Writer): void {
  const shoppers = createMarket(store, { seed, startsAt: new Date(createdAt) })
  const asinsOf = Map.groupBy(store.productAds.values(), ad => ad.adGroupId)
  const draw = (adGroupId: string, expression: Expression): number => {
    const asins = (asinsOf.get(adGroupId) ?? []).map(ad => ad.asin)
    const suggested = shoppers.suggestBid(profile.profileId, asins, expression)?.medianMicros ?? market.minBidMicros * 5
    const micros = roundToUnit(suggested * bidScale * Math.exp(0.4 * normal(random)), market.currency)
    return Math.min(market.maxBidMicros, Math.max(market.minBidMicros, micros))
  }
  for (const [id, one] of store.keywords) {
    const type = keywordTypes[one.matchType]
    store.keywords.set(id, { ...one, bidMicros: draw(one.adGroupId, { type, value: one.keywordText }) })
  }
  for (const [id, one] of store.targets)
    store.targets.set(id, { ...one, bidMicros: draw(one.adGroupId, one.expression[0] as Expression) })
}
