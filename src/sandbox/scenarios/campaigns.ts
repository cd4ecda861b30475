import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { Campaign, EntityState, Expression, Product, Profile } from '../core/model/store.ts'
import type { OfAdGroup } from '../core/model/entity.ts'
import { rivalAsin } from '../market/queries/queries.ts'
import { createRandom, hashText } from '../market/random.ts'
import { type CategoryWords, languageOf } from '../market/vocabulary.ts'
import { DAY_MS, type ScenarioDraft } from './scenario-draft.ts'

type Kind = 'Auto' | 'Exact' | 'Broad' | 'Products'

interface CampaignPlan {
  suffix?: string
  state?: EntityState
  /** Days before now when it was made, and when it was last changed. */
  madeDaysAgo?: number
  changedDaysAgo?: number
}

/** Adds a campaign of one kind for products of one category. */
export type AddCampaign = (
  category: CategoryWords,
  products: readonly Product[],
  kind: Kind,
  plan?: CampaignPlan,
) => Campaign

const autoTypes = [
  'QUERY_HIGH_REL_MATCHES',
  'QUERY_BROAD_REL_MATCHES',
  'ASIN_SUBSTITUTE_RELATED',
  'ASIN_ACCESSORY_RELATED',
]

/** Adds campaigns to the store as a seller would have created them over the last months. */
export function createCampaignWriter({ store, now, nextId, seed }: ScenarioDraft, profile: Profile): AddCampaign {
  const { profileId, marketplaceId, currency, timezone } = profile
  const dice = createRandom(hashText(`campaigns|${profileId}`, 11))
  const language = languageOf(marketplaceId)
  const { minBidMicros = 20_000, minDailyBudgetMicros = 1e6 } = marketplaceByAmazonId(marketplaceId) ?? {}
  /** An amount of money around `typical`, in whole smallest units and never below the minimum. */
  const money = (typical: number, minimum: number): number =>
    Math.max(minimum, roundToUnit(typical * 1e6 * (0.75 + 0.6 * dice()), currency))
  const bidFor = (category: CategoryWords, factor: number): number =>
    money(category.price * 0.036 * factor, minBidMicros)
  const rival = ({ id }: CategoryWords, n: number): string => rivalAsin(marketplaceId, id, n, seed)

  function addKeywords(parts: OfAdGroup, category: CategoryWords, isExact: boolean): void {
    const { heads, features, uses, irrelevant } = category
    const texts = heads.flatMap(head => [
      head,
      ...features.slice(0, isExact ? 6 : 2).map(feature => language.feature(feature, head)),
      ...(isExact
        ? uses.slice(0, 2).map(use => language.use(head, use))
        : irrelevant.slice(0, 1).map(word => language.feature(word, head))),
    ])
    texts.forEach((keywordText, i) => {
      const keywordId = nextId()
      const matchType = isExact ? 'EXACT' : i % 3 === 1 ? 'PHRASE' : 'BROAD'
      const bidMicros = i % 5 === 4 ? null : bidFor(category, isExact ? 1.15 : 0.8)
      store.keywords.set(keywordId, { keywordId, ...parts, keywordText, matchType, bidMicros })
    })
  }

  function addTargets(parts: OfAdGroup, category: CategoryWords, isAuto: boolean): void {
    const rivals = Array.from({ length: 6 }, (_, i) => ({ type: 'ASIN_SAME_AS', value: rival(category, i) }))
    const expressions: Expression[] = isAuto
      ? autoTypes.map(type => ({ type }))
      : [{ type: 'ASIN_CATEGORY_SAME_AS', value: category.id }, ...rivals]
    for (const expression of expressions) {
      const targetId = nextId()
      const bidMicros = isAuto ? null : bidFor(category, 0.75)
      const expressionType = isAuto ? 'AUTO' : 'MANUAL'
      store.targets.set(targetId, { targetId, ...parts, expression: [expression], expressionType, bidMicros })
    }
  }

  function addNegatives(parts: OfAdGroup, category: CategoryWords): void {
    const [first = '', second = ''] = category.irrelevant
    const exact = language.feature(second, category.heads[0] as string)
    const [exactId, phraseId, targetId] = [nextId(), nextId(), nextId()]
    const { negativeKeywords, negativeTargets } = store
    negativeKeywords.set(exactId, { keywordId: exactId, ...parts, keywordText: exact, matchType: 'NEGATIVE_EXACT' })
    negativeKeywords.set(phraseId, {
      keywordId: phraseId,
      ...parts,
      adGroupId: null,
      keywordText: first,
      matchType: 'NEGATIVE_PHRASE',
    })
    const expression = [{ type: 'ASIN_SAME_AS', value: rival(category, 9) }]
    negativeTargets.set(targetId, { targetId, ...parts, expression })
  }

  return (category, products, kind, plan = {}) => {
    const createdAt = now.getTime() - Math.round((plan.madeDaysAgo ?? 125 + Math.floor(dice() * 70)) * DAY_MS)
    const stamp = { createdAt, updatedAt: createdAt + DAY_MS * 2 }
    const isExact = kind === 'Exact'
    const campaign: Campaign = {
      campaignId: nextId(),
      profileId,
      name: `${category.name} – ${kind}${plan.suffix ? ` – ${plan.suffix}` : ''}`,
      state: plan.state ?? 'ENABLED',
      targetingType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
      budgetMicros: money(category.price * (isExact ? 1.1 : 0.6), minDailyBudgetMicros),
      strategy: isExact ? 'AUTO_FOR_SALES' : kind === 'Broad' ? 'LEGACY_FOR_SALES' : 'MANUAL',
      placements: isExact ? [{ placement: 'PLACEMENT_TOP', percentage: 10 + Math.floor(dice() * 4) * 10 }] : [],
      startDate: dayIn(new Date(createdAt), timezone),
      endDate: null,
      portfolioId: null,
      tags: {},
      createdAt,
      updatedAt: plan.changedDaysAgo === undefined ? stamp.updatedAt : now.getTime() - plan.changedDaysAgo * DAY_MS,
    }
    store.campaigns.set(campaign.campaignId, campaign)
    const parts: OfAdGroup = {
      adGroupId: nextId(),
      campaignId: campaign.campaignId,
      profileId,
      state: 'ENABLED',
      ...stamp,
    }
    store.adGroups.set(parts.adGroupId, { ...parts, name: category.name, defaultBidMicros: bidFor(category, 0.85) })
    for (const { asin, sku } of products) {
      const adId = nextId()
      store.productAds.set(adId, { adId, ...parts, asin, sku })
    }
    if (isExact || kind === 'Broad') addKeywords(parts, category, isExact)
    else addTargets(parts, category, kind === 'Auto')
    if (kind === 'Broad' || kind === 'Auto') addNegatives(parts, category)
    return campaign
  }
}
