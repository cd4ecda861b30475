import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { brandsOf } from '../../amazon-ads/sponsored-brands/brands.ts'
import type { Product, Profile } from '../../core/model/store.ts'
import type { CategoryWords } from '../../market/vocabulary/category-words.ts'
import { languageOf } from '../../market/vocabulary/vocabulary.ts'
import type { ScenarioDraft } from '../scenario-draft.ts'

const DAY_MS = 86_400_000
const MADE_DAYS_AGO = 90

/** A Sponsored Brands campaign of one collection: the category's names as keywords, each product's brand on the banner. */
export function addBrandCampaign(
  { store, now, nextId }: ScenarioDraft,
  profile: Profile,
  category: CategoryWords,
  products: readonly Product[],
): void {
  const [brand] = brandsOf(store, profile)
  const facts = marketplaceByAmazonId(profile.marketplaceId)
  const shown = products.slice(0, 3)
  if (!brand || !facts || shown.length === 0) return
  const createdAt = now.getTime() - MADE_DAYS_AGO * DAY_MS
  const common = { profileId: profile.profileId, state: 'ENABLED' as const, createdAt, updatedAt: createdAt }
  const [campaignId, adGroupId, adId] = [nextId(), nextId(), nextId()]
  const parents = { campaignId, adGroupId, ...common }
  store.brandCampaigns.set(campaignId, {
    campaignId,
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
    startDate: dayIn(new Date(createdAt), profile.timezone),
  })
  store.brandAdGroups.set(adGroupId, { ...parents, name: category.name })
  const asins = shown.map(product => product.asin)
  const url = `https://${facts.domain}/s?k=${encodeURIComponent(category.heads[0] ?? '')}`
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
