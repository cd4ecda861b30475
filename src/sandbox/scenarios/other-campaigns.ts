import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { brandsOf } from '../amazon-ads/sponsored-brands/brands.ts'
import type { OfAdGroup } from '../core/model/entity.ts'
import type { Product, Profile } from '../core/model/store.ts'
import { type CategoryWords, languageOf } from '../market/vocabulary.ts'
import { DAY_MS, type ScenarioDraft } from './scenario-draft.ts'

/** What a new campaign and its only ad group have in common. */
function openCampaign({ now, nextId }: ScenarioDraft, { profileId, timezone }: Profile, madeDaysAgo: number) {
  const createdAt = now.getTime() - madeDaysAgo * DAY_MS
  const [campaignId, adGroupId] = [nextId(), nextId()]
  const common = { campaignId, profileId, state: 'ENABLED' as const, createdAt, updatedAt: createdAt }
  const parents: OfAdGroup = { ...common, adGroupId }
  return { common, parents, startDate: dayIn(new Date(createdAt), timezone) }
}

/** A Sponsored Brands campaign of one collection: the category's names as keywords, each product's brand on the banner. */
export function addBrandCampaign(
  draft: ScenarioDraft,
  profile: Profile,
  category: CategoryWords,
  products: readonly Product[],
): void {
  const { store, nextId } = draft
  const [brand] = brandsOf(store, profile)
  const facts = marketplaceByAmazonId(profile.marketplaceId)
  const shown = products.slice(0, 3)
  if (!brand || !facts || shown.length === 0) return
  const { common, parents, startDate } = openCampaign(draft, profile, 90)
  store.brandCampaigns.set(parents.campaignId, {
    ...common,
    name: `${category.name} – Brand`,
    budgetMicros: Math.max(facts.minDailyBudgetMicros, roundToUnit(category.price * 0.8e6, profile.currency)),
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
  const language = languageOf(profile.marketplaceId)
  const texts = category.heads.flatMap(head => [
    head,
    ...category.features.slice(0, 3).map(word => language.feature(word, head)),
  ])
  const bidMicros = Math.max(facts.minBidMicros, roundToUnit(category.price * 0.05e6, profile.currency))
  texts.forEach((keywordText, i) => {
    const keywordId = nextId()
    const matchType = i % 2 === 0 ? 'PHRASE' : 'BROAD'
    store.brandKeywords.set(keywordId, { keywordId, ...parents, keywordText, matchType, bidMicros })
  })
}

/** A Sponsored Display campaign next to similar products and in the category, paid by click. */
export function addDisplayCampaign(
  draft: ScenarioDraft,
  profile: Profile,
  category: CategoryWords,
  products: readonly Product[],
): void {
  const { store, nextId } = draft
  const facts = marketplaceByAmazonId(profile.marketplaceId)
  if (!facts || products.length === 0) return
  const { common, parents, startDate } = openCampaign(draft, profile, 80)
  store.displayCampaigns.set(parents.campaignId, {
    ...common,
    name: `${category.name} – Display`,
    tactic: 'T00020',
    costType: 'CPC',
    budgetMicros: Math.max(facts.minDailyBudgetMicros, roundToUnit(category.price * 0.5e6, profile.currency)),
    startDate,
    endDate: null,
    portfolioId: null,
  })
  store.displayAdGroups.set(parents.adGroupId, {
    ...parents,
    name: category.name,
    defaultBidMicros: Math.max(facts.minBidMicros, roundToUnit(category.price * 0.03e6, profile.currency)),
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
