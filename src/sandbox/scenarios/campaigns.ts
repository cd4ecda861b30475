import { autoTypes } from '../amazon-ads/sponsored-products/expressions.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { Campaign, EntityState, Expression, Product, Profile } from '../core/model/store.ts'
import type { OfAdGroup } from '../core/model/entity.ts'
import { brandsOf } from '../amazon-ads/sponsored-brands/brand-campaigns.ts'
import { rivalAsin } from '../market/queries/queries.ts'
import { createRandom, hashText, type Random } from '../market/random.ts'
import { type CategoryWords, type Language, languageOf } from '../market/vocabulary.ts'
import { DAY_MS, type ScenarioDraft } from './scenario-draft.ts'

type Kind = 'Auto' | 'Exact' | 'Broad' | 'Products'

interface CampaignPlan {
  suffix?: string
  state?: EntityState
  /** Days before now when it was made, and when it was last changed. */
  madeDaysAgo?: number
  changedDaysAgo?: number
  /** Days before now when its negatives were added; with the campaign when absent. */
  negatedDaysAgo?: number
}

/** Adds campaigns to the store as a seller would have created them over the last months. */
export class CampaignWriter {
  private readonly draft: ScenarioDraft
  private readonly profile: Profile
  private readonly dice: Random
  private readonly language: Language

  constructor(draft: ScenarioDraft, profile: Profile) {
    this.draft = draft
    this.profile = profile
    this.dice = createRandom(hashText(`campaigns|${profile.profileId}`, 11))
    this.language = languageOf(profile.marketplaceId)
  }

  /** Adds a campaign of one kind for products of one category. */
  add(category: CategoryWords, products: readonly Product[], kind: Kind, plan: CampaignPlan = {}): Campaign {
    const { store, nextId, now } = this.draft
    const { profileId, timezone, marketplaceId } = this.profile
    const daysAgo = plan.madeDaysAgo ?? 125 + Math.floor(this.dice() * 70)
    const createdAt = now.getTime() - Math.round(daysAgo * DAY_MS)
    const stamp = { createdAt, updatedAt: createdAt + DAY_MS * 2 }
    const isExact = kind === 'Exact'
    const least = marketplaceByAmazonId(marketplaceId)?.minDailyBudgetMicros ?? 1e6
    const campaign: Campaign = {
      campaignId: nextId(),
      profileId,
      name: `${category.name} – ${kind}${plan.suffix ? ` – ${plan.suffix}` : ''}`,
      state: plan.state ?? 'ENABLED',
      targetingType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
      budgetMicros: this.money(category.price * (isExact ? 1.1 : 0.6), least),
      strategy: isExact ? 'AUTO_FOR_SALES' : kind === 'Broad' ? 'LEGACY_FOR_SALES' : 'MANUAL',
      placements: isExact ? [{ placement: 'PLACEMENT_TOP', percentage: 10 + Math.floor(this.dice() * 4) * 10 }] : [],
      startDate: dayIn(new Date(createdAt), timezone),
      endDate: null,
      portfolioId: null,
      tags: {},
      createdAt,
      updatedAt: plan.changedDaysAgo === undefined ? stamp.updatedAt : now.getTime() - plan.changedDaysAgo * DAY_MS,
    }
    const { campaignId } = campaign
    store.campaigns.set(campaignId, campaign)
    const parts: OfAdGroup = { adGroupId: nextId(), campaignId, profileId, state: 'ENABLED', ...stamp }
    const defaultBidMicros = this.bidFor(category, 0.85)
    store.adGroups.set(parts.adGroupId, { ...parts, name: category.name, defaultBidMicros })
    for (const { asin, sku } of products) {
      const adId = nextId()
      store.productAds.set(adId, { adId, ...parts, asin, sku })
    }
    if (isExact || kind === 'Broad') this.addKeywords(parts, category, isExact)
    else this.addTargets(parts, category, kind === 'Auto')
    if (kind === 'Broad' || kind === 'Auto') {
      const negatedAt = plan.negatedDaysAgo === undefined ? stamp : this.daysAgo(plan.negatedDaysAgo)
      this.addNegatives({ ...parts, ...negatedAt }, category)
    }
    return campaign
  }

  /** Adds a Sponsored Brands campaign of one collection: the category's names as keywords, each product's brand on the banner. */
  addBrand(category: CategoryWords, products: readonly Product[]): void {
    const { store, nextId } = this.draft
    const [brand] = brandsOf(store, this.profile)
    const facts = marketplaceByAmazonId(this.profile.marketplaceId)
    const shown = products.slice(0, 3)
    if (!brand || !facts || shown.length === 0) return
    const { common, parents, startDate } = this.openCampaign(90)
    store.brandCampaigns.set(parents.campaignId, {
      ...common,
      name: `${category.name} – Brand`,
      budgetMicros: this.share(category, 0.8, facts.minDailyBudgetMicros),
      budgetType: 'DAILY',
      costType: 'CPC',
      goal: 'PAGE_VISIT',
      brandEntityId: brand.brandEntityId,
      bidOptimization: true,
      placements: [],
      productLocation: null,
      endDate: null,
      portfolioId: null,
      tags: {},
      startDate,
    })
    store.brandAdGroups.set(parents.adGroupId, { ...parents, name: category.name })
    const asins = shown.map(product => product.asin)
    const url = `https://${facts.domain}/s?k=${encodeURIComponent(category.heads[0] ?? '')}`
    const adId = nextId()
    store.brandAds.set(adId, {
      adId,
      ...parents,
      name: `${category.name} – collection`,
      format: 'PRODUCT_COLLECTION',
      asins,
      landingPage: { pageType: 'PRODUCT_LIST', url, asins },
      creative: { brandName: brand.brandRegistryName, headline: category.name, asins },
    })
    const texts = category.heads.flatMap(head => [
      head,
      ...category.features.slice(0, 3).map(word => this.language.feature(word, head)),
    ])
    const bidMicros = this.share(category, 0.05, facts.minBidMicros)
    texts.forEach((keywordText, i) => {
      const keywordId = nextId()
      const matchType = i % 2 === 0 ? 'PHRASE' : 'BROAD'
      store.brandKeywords.set(keywordId, { keywordId, ...parents, keywordText, matchType, bidMicros })
    })
  }

  /** Adds a Sponsored Display campaign next to similar products and in the category, paid by click. */
  addDisplay(category: CategoryWords, products: readonly Product[]): void {
    const { store, nextId } = this.draft
    const facts = marketplaceByAmazonId(this.profile.marketplaceId)
    if (!facts || products.length === 0) return
    const { common, parents, startDate } = this.openCampaign(80)
    store.displayCampaigns.set(parents.campaignId, {
      ...common,
      name: `${category.name} – Display`,
      tactic: 'T00020',
      costType: 'CPC',
      budgetMicros: this.share(category, 0.5, facts.minDailyBudgetMicros),
      startDate,
      endDate: null,
      portfolioId: null,
    })
    store.displayAdGroups.set(parents.adGroupId, {
      ...parents,
      name: category.name,
      defaultBidMicros: this.share(category, 0.03, facts.minBidMicros),
      bidOptimization: 'CLICKS',
      creativeType: 'IMAGE',
    })
    for (const { asin, sku } of products.slice(0, 2)) {
      const adId = nextId()
      store.displayAds.set(adId, { adId, ...parents, asin, sku, adName: null })
    }
    for (const part of [{ type: 'similarProduct' }, { type: 'asinCategorySameAs', value: category.id }]) {
      const targetId = nextId()
      const expressionType = 'MANUAL'
      store.displayTargets.set(targetId, { targetId, ...parents, expression: [part], expressionType, bidMicros: null })
    }
  }

  /** What a new campaign of the other ad products and its only ad group have in common. */
  private openCampaign(madeDaysAgo: number) {
    const { now, nextId } = this.draft
    const { profileId, timezone } = this.profile
    const createdAt = now.getTime() - madeDaysAgo * DAY_MS
    const [campaignId, adGroupId] = [nextId(), nextId()]
    const common = { campaignId, profileId, state: 'ENABLED' as const, createdAt, updatedAt: createdAt }
    const parents: OfAdGroup = { ...common, adGroupId }
    return { common, parents, startDate: dayIn(new Date(createdAt), timezone) }
  }

  private daysAgo(days: number) {
    const at = this.draft.now.getTime() - days * DAY_MS
    return { createdAt: at, updatedAt: at }
  }

  /** A part of what a category's products cost, in whole smallest units and never below the minimum. */
  private share({ price }: CategoryWords, part: number, minimum: number): number {
    return Math.max(minimum, roundToUnit(price * (part * 1e6), this.profile.currency))
  }

  /** An amount of money around `typical`, in whole smallest units and never below the minimum. */
  private money(typical: number, minimum: number): number {
    return Math.max(minimum, roundToUnit(typical * 1e6 * (0.75 + 0.6 * this.dice()), this.profile.currency))
  }

  private bidFor(category: CategoryWords, factor: number): number {
    const least = marketplaceByAmazonId(this.profile.marketplaceId)?.minBidMicros ?? 20_000
    return this.money(category.price * 0.036 * factor, least)
  }

  private rival({ id }: CategoryWords, n: number): Expression {
    return { type: 'ASIN_SAME_AS', value: rivalAsin(this.profile.marketplaceId, id, n, this.draft.seed) }
  }

  private addKeywords(parts: OfAdGroup, category: CategoryWords, isExact: boolean): void {
    const { heads, features, uses, irrelevant } = category
    const { language } = this
    const texts = heads.flatMap(head => [
      head,
      ...features.slice(0, isExact ? 6 : 2).map(feature => language.feature(feature, head)),
      ...(isExact
        ? uses.slice(0, 2).map(use => language.use(head, use))
        : irrelevant.slice(0, 1).map(word => language.feature(word, head))),
    ])
    texts.forEach((keywordText, i) => {
      const keywordId = this.draft.nextId()
      const matchType = isExact ? 'EXACT' : i % 3 === 1 ? 'PHRASE' : 'BROAD'
      const bidMicros = i % 5 === 4 ? null : this.bidFor(category, isExact ? 1.15 : 0.8)
      this.draft.store.keywords.set(keywordId, { keywordId, ...parts, keywordText, matchType, bidMicros })
    })
  }

  private addTargets(parts: OfAdGroup, category: CategoryWords, isAuto: boolean): void {
    const { store, nextId } = this.draft
    const rivals = Array.from({ length: 6 }, (_, i) => this.rival(category, i))
    const expressions: Expression[] = isAuto
      ? autoTypes.map(type => ({ type }))
      : [{ type: 'ASIN_CATEGORY_SAME_AS', value: category.id }, ...rivals]
    for (const expression of expressions) {
      const targetId = nextId()
      const bidMicros = isAuto ? null : this.bidFor(category, 0.75)
      const expressionType = isAuto ? 'AUTO' : 'MANUAL'
      store.targets.set(targetId, { targetId, ...parts, expression: [expression], expressionType, bidMicros })
    }
  }

  private addNegatives(parts: OfAdGroup, category: CategoryWords): void {
    const { store, nextId } = this.draft
    const [first = '', second = ''] = category.irrelevant
    const texts = [
      {
        keywordText: this.language.feature(second, category.heads[0] as string),
        matchType: 'NEGATIVE_EXACT' as const,
        adGroupId: parts.adGroupId,
      },
      { keywordText: first, matchType: 'NEGATIVE_PHRASE' as const, adGroupId: null },
    ]
    for (const text of texts) {
      const keywordId = nextId()
      store.negativeKeywords.set(keywordId, { keywordId, ...parts, ...text })
    }
    const targetId = nextId()
    store.negativeTargets.set(targetId, { targetId, ...parts, expression: [this.rival(category, 9)] })
  }
}
