import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { AdGroup, Store, Campaign, EntityState, Expression, Product, Profile } from '../../core/model/store.ts'
import { createRandom, type Random, hashText } from '../../market/random.ts'
import { rivalAsin } from '../../market/queries/queries.ts'
import type { CategoryWords, Language } from '../../market/vocabulary/category-words.ts'
import { languageOf } from '../../market/vocabulary/vocabulary.ts'

const DAY_MS = 86_400_000
type Kind = 'Auto' | 'Exact' | 'Broad' | 'Products'

/** Adds campaigns to the store as a seller would have created them over the last months. */
export interface CampaignWriter {
  /** Adds a campaign of one kind for the products of one category. */
  addCampaign(category: CategoryWords, products: readonly Product[], kind: Kind, plan?: CampaignPlan): Campaign
}

export interface CampaignPlan {
  /** What follows the kind in its name. */
  suffix?: string
  state?: EntityState
  /** Days before now when it was made, and when it was last changed. */
  madeDaysAgo?: number
  changedDaysAgo?: number
}

interface WriterContext {
  store: Store
  profile: Profile
  language: Language
  now: number
  nextId: () => string
  dice: Random
  /** The market's seed: it names the rivals' products. */
  seed: number
}

const autoTypes = [
  'QUERY_HIGH_REL_MATCHES',
  'QUERY_BROAD_REL_MATCHES',
  'ASIN_SUBSTITUTE_RELATED',
  'ASIN_ACCESSORY_RELATED',
]

/** An amount of money around `typical`, in whole smallest units and never below the marketplace's minimum. */
const money = (context: WriterContext, typical: number, minimum: number): number =>
  Math.max(minimum, roundToUnit(typical * 1e6 * (0.75 + 0.6 * context.dice()), context.profile.currency))

function bidFor(context: WriterContext, category: CategoryWords, factor: number): number {
  return money(
    context,
    category.price * 0.036 * factor,
    marketplaceByAmazonId(context.profile.marketplaceId)?.minBidMicros ?? 20_000,
  )
}

function addKeywords(context: WriterContext, group: AdGroup, category: CategoryWords, kind: Kind, stamp: Stamp): void {
  const { language } = context
  const texts = category.heads.flatMap(head => [
    head,
    ...category.features.slice(0, kind === 'Exact' ? 6 : 2).map(feature => language.feature(feature, head)),
    ...(kind === 'Exact'
      ? category.uses.slice(0, 2).map(use => language.use(head, use))
      : category.irrelevant.slice(0, 1).map(word => language.feature(word, head))),
  ])
  texts.forEach((keywordText, i) => {
    const keywordId = context.nextId()
    const matchType = kind === 'Exact' ? 'EXACT' : i % 3 === 1 ? 'PHRASE' : 'BROAD'
    const bidMicros = i % 5 === 4 ? null : bidFor(context, category, kind === 'Exact' ? 1.15 : 0.8)
    context.store.keywords.set(keywordId, {
      keywordId,
      ...parentsOf(group),
      keywordText,
      matchType,
      state: 'ENABLED',
      bidMicros,
      ...stamp,
    })
  })
}

function addTargets(context: WriterContext, group: AdGroup, category: CategoryWords, kind: Kind, stamp: Stamp): void {
  const rivals = Array.from({ length: 6 }, (_, i) =>
    rivalAsin(context.profile.marketplaceId, category.id, i, context.seed),
  )
  const parts: Expression[] =
    kind === 'Auto'
      ? autoTypes.map(type => ({ type }))
      : [
          { type: 'ASIN_CATEGORY_SAME_AS', value: category.id },
          ...rivals.map(value => ({ type: 'ASIN_SAME_AS', value })),
        ]
  for (const part of parts) {
    const targetId = context.nextId()
    const bidMicros = kind === 'Auto' ? null : bidFor(context, category, 0.75)
    context.store.targets.set(targetId, {
      targetId,
      ...parentsOf(group),
      expression: [part],
      expressionType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
      state: 'ENABLED',
      bidMicros,
      ...stamp,
    })
  }
}

function addNegatives(context: WriterContext, group: AdGroup, category: CategoryWords, stamp: Stamp): void {
  const [first, second] = category.irrelevant
  const head = category.heads[0] as string
  const words = [
    {
      keywordText: context.language.feature(second ?? '', head),
      matchType: 'NEGATIVE_EXACT' as const,
      adGroupId: group.adGroupId,
    },
    { keywordText: first ?? '', matchType: 'NEGATIVE_PHRASE' as const, adGroupId: null },
  ]
  for (const word of words) {
    const keywordId = context.nextId()
    context.store.negativeKeywords.set(keywordId, {
      keywordId,
      ...parentsOf(group),
      ...word,
      state: 'ENABLED',
      ...stamp,
    })
  }
  const targetId = context.nextId()
  const value = rivalAsin(context.profile.marketplaceId, category.id, 9, context.seed)
  context.store.negativeTargets.set(targetId, {
    targetId,
    ...parentsOf(group),
    expression: [{ type: 'ASIN_SAME_AS', value }],
    state: 'ENABLED',
    ...stamp,
  })
}

interface Stamp {
  createdAt: number
  updatedAt: number
}

function parentsOf(group: AdGroup): Pick<AdGroup, 'adGroupId' | 'campaignId' | 'profileId'> {
  return {
    adGroupId: group.adGroupId,
    campaignId: group.campaignId,
    profileId: group.profileId,
  }
}

export function createCampaignWriter(
  store: Store,
  profile: Profile,
  now: Date,
  nextId: () => string,
  seed: number,
): CampaignWriter {
  const dice = createRandom(hashText(`campaigns|${profile.profileId}`, 11))
  const context: WriterContext = {
    store,
    profile,
    language: languageOf(profile.marketplaceId),
    now: now.getTime(),
    nextId,
    dice,
    seed,
  }
  return {
    addCampaign(category, products, kind, plan = {}) {
      const createdAt = context.now - Math.round((plan.madeDaysAgo ?? 125 + Math.floor(dice() * 70)) * DAY_MS)
      const stamp = { createdAt, updatedAt: createdAt + DAY_MS * 2 }
      const campaign: Campaign = {
        campaignId: nextId(),
        profileId: profile.profileId,
        name: `${category.name} – ${kind}${plan.suffix ? ` – ${plan.suffix}` : ''}`,
        state: plan.state ?? 'ENABLED',
        targetingType: kind === 'Auto' ? 'AUTO' : 'MANUAL',
        budgetMicros: money(
          context,
          category.price * (kind === 'Exact' ? 1.1 : 0.6),
          marketplaceByAmazonId(profile.marketplaceId)?.minDailyBudgetMicros ?? 1e6,
        ),
        strategy: kind === 'Exact' ? 'AUTO_FOR_SALES' : kind === 'Broad' ? 'LEGACY_FOR_SALES' : 'MANUAL',
        placements:
          kind === 'Exact' ? [{ placement: 'PLACEMENT_TOP', percentage: 10 + Math.floor(dice() * 4) * 10 }] : [],
        startDate: dayIn(new Date(createdAt), profile.timezone),
        endDate: null,
        portfolioId: null,
        tags: {},
        createdAt,
        updatedAt: plan.changedDaysAgo === undefined ? stamp.updatedAt : context.now - plan.changedDaysAgo * DAY_MS,
      }
      store.campaigns.set(campaign.campaignId, campaign)
      const group: AdGroup = {
        adGroupId: nextId(),
        campaignId: campaign.campaignId,
        profileId: profile.profileId,
        name: category.name,
        state: 'ENABLED',
        defaultBidMicros: bidFor(context, category, 0.85),
        ...stamp,
      }
      store.adGroups.set(group.adGroupId, group)
      for (const { asin, sku } of products) {
        const adId = nextId()
        store.productAds.set(adId, { adId, ...parentsOf(group), asin, sku, state: 'ENABLED', ...stamp })
      }
      if (kind === 'Exact' || kind === 'Broad') addKeywords(context, group, category, kind, stamp)
      else addTargets(context, group, category, kind, stamp)
      if (kind === 'Broad' || kind === 'Auto') addNegatives(context, group, category, stamp)
      return campaign
    },
  }
}
