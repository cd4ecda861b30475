import { type MarketplaceFacts, marketplaceByKey } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { autoTypes } from '../amazon-ads/sponsored-products/expressions.ts'
import type { OfAdGroup } from '../core/model/entity.ts'
import type { BiddingStrategy, Expression, Keyword, Product, Profile, Seller, Store } from '../core/model/store.ts'
import { createMarket } from '../market/create-market.ts'
import { rivalAsin } from '../market/queries/queries.ts'
import { codeOf, createRandom, hashText, normal, type Random } from '../market/random.ts'
import { type CategoryWords, type Language, languageOf } from '../market/vocabulary.ts'
import { addProfile, DAY_MS, openDraft, productsOf } from './scenario-draft.ts'

/** More than is sold in the days of a run: stock is not what these accounts are about. */
const AMPLE = 1_000_000
const MEASURED_DAYS = 7

/** An account as its seller left it, and what that seller wants of it. */
export interface MessyAccount {
  name: string
  store: Store
  profile: Profile
  /** Of the market that it meets. */
  seed: number
  startsAt: Date
  /** The end of its history of 0 to 90 days. */
  takenOverAt: Date
  /** A share of sales. */
  targetAcos: number
  /** What is left of a sale after goods, fees and taxes: on average, and by ASIN. */
  margin: number
  margins: ReadonlyMap<string, number>
  /** Daily budgets over what the account would spend without any. */
  budgetFactor: number
}

const countries = ['US', 'US', 'DE', 'JP', 'CA', 'MX', 'US', 'DE'] as const
const strategies: readonly BiddingStrategy[] = ['LEGACY_FOR_SALES', 'MANUAL', 'AUTO_FOR_SALES']

/** Draws one thing after the other; what an account gets depends on its number alone. */
class Dice {
  readonly random: Random
  constructor(text: string) {
    this.random = createRandom(hashText(text, 29))
  }
  chance = (share: number): boolean => this.random() < share
  between = (low: number, high: number): number => low + (high - low) * this.random()
  pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[Math.floor(this.random() * list.length)] as T
  some = <T>(list: readonly T[], share: number): T[] => list.filter(() => this.chance(share))
  /** Around 1, its logarithm spread normally. */
  around = (deviation: number): number => Math.exp(deviation * normal(this.random))
}

/**
 * An account drawn from a number: country, products, structure, and the bids, budgets and mistakes of a seller who set things
 * once and forgot them. The second number draws the market that it meets.
 */
export function drawAccount(number: number, marketSeed: number): MessyAccount {
  const dice = new Dice(`account ${number}`)
  const market = marketplaceByKey(dice.pick(countries)) as MarketplaceFacts
  const targetAcos = Math.round(dice.between(0.15, 0.45) * 100) / 100
  const margin = targetAcos + dice.between(0.05, 0.25)
  const historyDays = Math.round(dice.between(0, 90))
  const budgetFactor = Math.exp(dice.between(Math.log(0.3), Math.log(5)))
  const takenOverAt = new Date(Date.parse('2026-03-02T16:00:00Z') + number * 9 * DAY_MS)
  const draft = openDraft(takenOverAt, hashText(`market ${number}`, marketSeed))
  const seller: Seller = {
    sellerId: `A${codeOf(hashText(`seller ${number}`, 3), 13)}`,
    name: `Seller ${number}`,
    region: market.region,
    type: 'seller',
    marketplaceIds: [market.amazonId],
  }
  draft.store.sellers.set(seller.sellerId, seller)
  const language = languageOf(market.amazonId)
  const categories = dice.chance(0.5) ? 1 : 2
  const without = Math.floor(dice.random() * (language.categories.length - categories + 1))
  const catalogue = { brands: ['Driftwood'], categories, without, perCategory: 1 + Math.floor(dice.random() * 3) }
  const profile = addProfile(draft, seller, market.key, 7_000_000_000_000_000 + number, catalogue)
  const margins = new Map<string, number>()
  for (const product of productsOf(draft, profile)) {
    Object.assign(product, { fulfillable: AMPLE, eligibility: 'ELIGIBLE', eligibilityMessage: null })
    margins.set(product.asin, margin + dice.between(-0.04, 0.04))
  }
  const createdAt = takenOverAt.getTime() - (historyDays + 1) * DAY_MS
  const { store, seed, nextId } = draft
  const writer = new MessyWriter({ store, seed, nextId, dice, profile, market, language, createdAt })
  const listed = language.categories.slice(without, without + categories)
  for (const category of listed) writer.addCategory(category, productsOf(draft, profile, category.id))
  writer.copyKeywords()
  writer.forgetKeywords(language.categories)
  writer.addWrongNegatives(listed)
  writer.setBids(Math.exp(dice.between(Math.log(0.4), Math.log(2.2))), dice.between(0.3, 0.5))
  const account = {
    name: `${market.key} ${number}`,
    store,
    profile,
    seed,
    startsAt: new Date(createdAt),
    takenOverAt,
    targetAcos,
    margin,
    margins,
    budgetFactor,
  }
  setBudgets(account)
  return account
}

/**
 * Gives every campaign the budget of a seller who gives all of them much the same: in all, `budgetFactor` times what they
 * would spend in a week without budgets, and never less than the marketplace's least.
 */
export function setBudgets({ store, profile, seed, takenOverAt, budgetFactor }: MessyAccount): void {
  const least = marketplaceByKey(profile.countryCode)?.minDailyBudgetMicros ?? 1e6
  const setAll = (budgetOf: (campaignId: string) => number): void => {
    for (const [id, campaign] of store.campaigns) store.campaigns.set(id, { ...campaign, budgetMicros: budgetOf(id) })
  }
  setAll(() => 1e15)
  const shoppers = createMarket(store, { seed, startsAt: takenOverAt })
  const end = new Date(takenOverAt.getTime() + MEASURED_DAYS * DAY_MS)
  shoppers.advance(end)
  const [from, to] = [takenOverAt, end].map(at => dayIn(at, profile.timezone)) as [string, string]
  const dailyCost = new Map<string, number>()
  const settled = new Date(end.getTime() + 4 * DAY_MS)
  for (const { campaignId, costMicros } of shoppers.facts(profile.profileId, from, to, settled))
    dailyCost.set(campaignId, (dailyCost.get(campaignId) ?? 0) + costMicros / MEASURED_DAYS)
  const even = [...dailyCost.values()].reduce((sum, one) => sum + one, 0) / Math.max(1, store.campaigns.size)
  setAll(id => {
    const budget = ((even + (dailyCost.get(id) ?? 0)) / 2) * budgetFactor
    return Math.max(least, roundToUnit(budget, profile.currency))
  })
}

interface MessyDraft {
  store: Store
  profile: Profile
  language: Language
  market: MarketplaceFacts
  seed: number
  createdAt: number
  dice: Dice
  nextId: () => string
}

type Kind = 'Auto' | 'Exact' | 'Broad' | 'Products'
const suggestionTypes = {
  BROAD: 'KEYWORD_BROAD_MATCH',
  PHRASE: 'KEYWORD_PHRASE_MATCH',
  EXACT: 'KEYWORD_EXACT_MATCH',
} as const

class MessyWriter {
  private readonly draft: MessyDraft
  constructor(draft: MessyDraft) {
    this.draft = draft
  }

  addCategory(category: CategoryWords, products: readonly Product[]): void {
    const { dice, language } = this.draft
    const words = [...category.features, ...dice.some(category.irrelevant, 0.4)]
    const texts = category.heads.flatMap(head => [
      head,
      ...dice.some(words, 0.6).map(word => language.feature(word, head)),
      ...dice.some(category.uses, 0.5).map(use => language.use(head, use)),
    ])
    if (dice.chance(0.85)) this.addCampaign(category, products, 'Auto')
    if (dice.chance(0.85)) this.addCampaign(category, products, 'Exact', dice.some(texts, 0.7))
    // Some sellers open one more campaign for a single product.
    if (dice.chance(0.35)) this.addCampaign(category, products.slice(0, 1), 'Exact', dice.some(texts, 0.3))
    this.addCampaign(category, products, 'Broad', dice.some(texts, 0.4))
    if (dice.chance(0.5)) this.addCampaign(category, products, 'Products')
  }

  private addCampaign(
    category: CategoryWords,
    products: readonly Product[],
    kind: Kind,
    texts: readonly string[] = [],
  ): void {
    const { store, profile, dice, market, createdAt, nextId, seed } = this.draft
    const { profileId, marketplaceId } = profile
    const stamp = { createdAt, updatedAt: createdAt }
    const campaignId = nextId()
    store.campaigns.set(campaignId, {
      campaignId,
      profileId,
      name: `${category.name} ${kind} ${campaignId.slice(-5)}`,
      state: 'ENABLED',
      targetingType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
      budgetMicros: market.minDailyBudgetMicros,
      strategy: dice.pick(strategies),
      placements: dice.chance(0.25)
        ? [{ placement: 'PLACEMENT_TOP', percentage: 10 * Math.floor(dice.between(1, 6)) }]
        : [],
      startDate: dayIn(new Date(createdAt), profile.timezone),
      endDate: null,
      portfolioId: null,
      tags: {},
      ...stamp,
    })
    const parts: OfAdGroup = { adGroupId: nextId(), campaignId, profileId, state: 'ENABLED', ...stamp }
    store.adGroups.set(parts.adGroupId, { ...parts, name: category.name, defaultBidMicros: market.minBidMicros })
    for (const { asin, sku } of products) {
      const adId = nextId()
      store.productAds.set(adId, { adId, ...parts, asin, sku })
    }
    for (const text of texts)
      this.addKeyword(parts, text, kind === 'Exact' ? 'EXACT' : dice.chance(0.5) ? 'PHRASE' : 'BROAD')
    const rivals = Array.from({ length: 5 }, (_, n) => rivalAsin(marketplaceId, category.id, n, seed))
    if (kind === 'Auto') for (const type of autoTypes) this.addTarget(parts, { type }, 'AUTO')
    if (kind === 'Products')
      for (const value of rivals) this.addTarget(parts, { type: 'ASIN_SAME_AS', value }, 'MANUAL')
  }

  private addKeyword(parts: OfAdGroup, keywordText: string, matchType: Keyword['matchType']): void {
    const keywordId = this.draft.nextId()
    const bidMicros = this.draft.market.minBidMicros
    this.draft.store.keywords.set(keywordId, { keywordId, ...parts, keywordText, matchType, bidMicros })
  }

  private addTarget(parts: OfAdGroup, part: Expression, expressionType: 'AUTO' | 'MANUAL'): void {
    const targetId = this.draft.nextId()
    const bidMicros = this.draft.market.minBidMicros
    this.draft.store.targets.set(targetId, { targetId, ...parts, expression: [part], expressionType, bidMicros })
  }

  private partsOf({ adGroupId, campaignId, profileId, createdAt, updatedAt }: OfAdGroup): OfAdGroup {
    return { adGroupId, campaignId, profileId, state: 'ENABLED', createdAt, updatedAt }
  }

  /** One keyword in twelve is in another campaign as well. */
  copyKeywords(): void {
    const { store, dice } = this.draft
    const groups = [...store.adGroups.values()].filter(
      group => store.campaigns.get(group.campaignId)?.targetingType === 'MANUAL',
    )
    for (const { keywordText, matchType, adGroupId } of Array.from(store.keywords.values())) {
      const others = groups.filter(group => group.adGroupId !== adGroupId)
      if (others.length === 0 || !dice.chance(1 / 12)) continue
      const group = dice.pick(others)
      const isThere = [...store.keywords.values()].some(
        one => one.adGroupId === group.adGroupId && one.keywordText === keywordText && one.matchType === matchType,
      )
      if (!isThere) this.addKeyword(this.partsOf(group), keywordText, matchType)
    }
  }

  /** Words that were a good idea once: for something else, or bid on for so long that nobody remembers why. */
  forgetKeywords(categories: readonly CategoryWords[]): void {
    const { store, dice, language } = this.draft
    for (const group of store.adGroups.values()) {
      const campaign = store.campaigns.get(group.campaignId)
      if (campaign?.targetingType !== 'MANUAL' || !dice.chance(0.4)) continue
      const { heads, irrelevant } = dice.pick(categories)
      const head = dice.pick(heads)
      const text = dice.chance(0.5) ? head : language.feature(dice.pick(irrelevant), head)
      this.addKeyword(this.partsOf(group), text, dice.pick(['BROAD', 'PHRASE', 'EXACT'] as const))
    }
    for (const [id, keyword] of store.keywords)
      if (dice.chance(0.05)) store.keywords.set(id, { ...keyword, state: 'PAUSED' })
  }

  /** Negatives that keep good searches out, beside some that are right. */
  addWrongNegatives(categories: readonly CategoryWords[]): void {
    const { store, dice, language, nextId } = this.draft
    for (const group of store.adGroups.values()) {
      const category = categories.find(one => one.name === group.name)
      if (!category || !dice.chance(0.3)) continue
      const head = dice.pick(category.heads)
      const texts = [
        [dice.pick(category.irrelevant), 'NEGATIVE_PHRASE'],
        [language.feature(dice.pick(category.features), head), 'NEGATIVE_EXACT'],
        ...(dice.chance(0.5) ? [[dice.pick(category.features), 'NEGATIVE_PHRASE'] as const] : []),
      ] as const
      for (const [keywordText, matchType] of texts) {
        const keywordId = nextId()
        store.negativeKeywords.set(keywordId, { keywordId, ...this.partsOf(group), keywordText, matchType })
      }
    }
  }

  /** Each bid becomes what the marketplace suggested once, times the seller's own measure and luck. */
  setBids(measure: number, deviation: number): void {
    const { store, profile, dice, market, seed, createdAt } = this.draft
    const shoppers = createMarket(store, { seed, startsAt: new Date(createdAt) })
    const asins = Map.groupBy(store.productAds.values(), ad => ad.adGroupId)
    const draw = (adGroupId: string, expression: Expression): number => {
      const advertised = (asins.get(adGroupId) ?? []).map(ad => ad.asin)
      const suggested = shoppers.suggestBid(profile.profileId, advertised, expression)?.medianMicros
      const micros = (suggested ?? market.minBidMicros * 5) * measure * dice.around(deviation)
      return Math.min(market.maxBidMicros, Math.max(market.minBidMicros, roundToUnit(micros, market.currency)))
    }
    for (const [id, one] of store.keywords) {
      const part = { type: suggestionTypes[one.matchType], value: one.keywordText }
      store.keywords.set(id, { ...one, bidMicros: draw(one.adGroupId, part) })
    }
    for (const [id, one] of store.targets)
      store.targets.set(id, { ...one, bidMicros: draw(one.adGroupId, one.expression[0] as Expression) })
  }
}
