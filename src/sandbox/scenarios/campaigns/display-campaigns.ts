import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { DisplayExpression } from '../../core/model/display.ts'
import type { Product, Profile } from '../../core/model/store.ts'
import type { CategoryWords } from '../../market/vocabulary/category-words.ts'
import type { ScenarioDraft } from '../scenario-draft.ts'

const DAY_MS = 86_400_000
const MADE_DAYS_AGO = 80

/** A Sponsored Display campaign next to similar products and in the category, paid by click. */
export function addDisplayCampaign(
  { store, now, nextId }: ScenarioDraft,
  profile: Profile,
  category: CategoryWords,
  products: readonly Product[],
): void {
  const facts = marketplaceByAmazonId(profile.marketplaceId)
  if (!facts || products.length === 0) return
  const createdAt = now.getTime() - MADE_DAYS_AGO * DAY_MS
  const common = { profileId: profile.profileId, state: 'ENABLED' as const, createdAt, updatedAt: createdAt }
  const [campaignId, adGroupId] = [nextId(), nextId()]
  const parents = { campaignId, adGroupId, ...common }
  store.displayCampaigns.set(campaignId, {
    campaignId,
    ...common,
    name: `${category.name} – Display`,
    tactic: 'T00020',
    costType: 'CPC',
    budgetMicros: Math.max(facts.minDailyBudgetMicros, roundToUnit(category.price * 0.5e6, profile.currency)),
    startDate: dayIn(new Date(createdAt), profile.timezone),
    endDate: null,
    portfolioId: null,
  })
  const defaultBidMicros = Math.max(facts.minBidMicros, roundToUnit(category.price * 0.03e6, profile.currency))
  store.displayAdGroups.set(adGroupId, {
    ...parents,
    name: category.name,
    defaultBidMicros,
    bidOptimization: 'CLICKS',
    creativeType: 'IMAGE',
  })
  for (const { asin, sku } of products.slice(0, 2)) {
    const adId = nextId()
    store.displayAds.set(adId, { adId, ...parents, asin, sku, adName: null })
  }
  const expressions: DisplayExpression[] = [
    { type: 'similarProduct' },
    { type: 'asinCategorySameAs', value: category.id },
  ]
  for (const part of expressions) {
    const targetId = nextId()
    store.displayTargets.set(targetId, {
      targetId,
      ...parents,
      expression: [part],
      expressionType: 'MANUAL',
      bidMicros: null,
    })
  }
}
