import { type AutoGroup, type BrandPhase, brandPhases, type GroupMatch, type Phase } from './launch-plan.ts'
import type { CreatePayload } from '../payload.ts'
import { chosenCategories, chosenKeywords, chosenProductTargets } from '../payload-rules.ts'
import type { PhaseShare } from './plan-budget.ts'
import { usualShares } from './budget-shares.ts'
import { type NameParts, type NamingAccount, planNames } from './plan-names.ts'
import { factsOfTemplate } from '../templates.ts'

export interface GroupShape {
  key: string
  phase: Phase
  match: GroupMatch
  /** HIGH takes the top of the suggested range, but with the passive strategy. */
  bids: 'BY_STRATEGY' | 'HIGH'
}
export interface CampaignShape {
  key: string
  phase: Phase
  /** What its name says of it. */
  label: NameParts
  targetingType: 'AUTO' | 'MANUAL'
  /** What the campaign intends to let the marketplace add to its bids, as far as the cap leaves room. */
  biddingStrategy: 'SALES_DOWN_ONLY' | 'SALES_UP_AND_DOWN'
  topOfSearchPercent: number
  groups: GroupShape[]
}
export interface Structure {
  campaigns: CampaignShape[]
  shares: PhaseShare[]
  /** Index into `shares` of what gets the remainder. */
  remainderTo: number
}

export const phaseNames: Readonly<Record<Phase, string>> = {
  DISCOVERY: 'Discovery',
  RESEARCH: 'Research',
  PERFORMANCE: 'Performance',
  RANKING: 'Ranking',
  HIGH_IMPACT: 'High Impact',
  KEYWORDS: 'Keywords',
  PRODUCTS: 'Products',
  OWN_BRAND: 'Own brand',
  COMPETITORS: 'Competitors',
}
export const matchNames: Readonly<Record<GroupMatch, string>> = {
  AUTO: 'Auto',
  BROAD: 'Broad',
  PHRASE: 'Phrase',
  EXACT: 'Exact',
  CATEGORY: 'Category',
  PRODUCT_EXACT: 'Product Exact',
  PRODUCT_SIMILAR: 'Product Similar',
}
export const autoNames: Readonly<Record<AutoGroup, string>> = {
  CLOSE_MATCH: 'Close match',
  LOOSE_MATCH: 'Loose match',
  SUBSTITUTES: 'Substitutes',
  COMPLEMENTS: 'Complements',
}
/** What an ad group is called. */
export const groupName = ({ phase, match }: { phase: Phase; match: GroupMatch }): string =>
  `${phaseNames[phase]} | ${matchNames[match]}`

/** Phases from the first to the last; a term of a later one is kept out of the earlier ones. */
export const phaseOrder: readonly Phase[] = ['DISCOVERY', 'RESEARCH', 'PERFORMANCE', 'RANKING', 'HIGH_IMPACT']

/** What Ranking and High Impact add at the top of search. The passive strategy raises no placement. */
const rankingPercent = { PASSIVE: 0, NORMAL: 50, GROWTH: 100 } as const
const highImpactPercent = { PASSIVE: 0, NORMAL: 100, GROWTH: 100 } as const

const group = (phase: Phase, match: GroupMatch, bids: GroupShape['bids'] = 'BY_STRATEGY'): GroupShape => ({
  key: `${phase}-${match}`.toLowerCase().replaceAll('_', '-'),
  phase,
  match,
  bids,
})

const campaignOf = (only: GroupShape, extra: Partial<CampaignShape> = {}): CampaignShape => ({
  key: only.key,
  phase: only.phase,
  label: { phase: phaseNames[only.phase], match: matchNames[only.match] },
  targetingType: only.match === 'AUTO' ? 'AUTO' : 'MANUAL',
  biddingStrategy: 'SALES_DOWN_ONLY',
  topOfSearchPercent: 0,
  groups: [only],
  ...extra,
})

const one = (key: string) => ({ key, weight: 1 })

const campaignFunnel = (payload: CreatePayload): Structure => {
  const { strategy, includeHighImpact, includeRanking, budgetShares } = payload
  // Only a keen strategy lets the marketplace raise bids, and only where the terms are proven.
  const biddingStrategy = strategy === 'GROWTH' ? 'SALES_UP_AND_DOWN' : 'SALES_DOWN_ONLY'
  const auto = campaignOf(group('DISCOVERY', 'AUTO'))
  const broad = campaignOf(group('DISCOVERY', 'BROAD'))
  const research = campaignOf(group('RESEARCH', 'PHRASE'))
  const performance = campaignOf(group('PERFORMANCE', 'EXACT'), { biddingStrategy })
  const ranking = campaignOf(group('RANKING', 'EXACT'), {
    biddingStrategy,
    topOfSearchPercent: rankingPercent[strategy],
  })
  const highImpact = campaignOf(group('HIGH_IMPACT', 'EXACT', 'HIGH'), {
    biddingStrategy: strategy === 'PASSIVE' ? 'SALES_DOWN_ONLY' : 'SALES_UP_AND_DOWN',
    topOfSearchPercent: highImpactPercent[strategy],
  })
  const share = budgetShares ?? usualShares(payload)
  const optional = [...(includeRanking ? [ranking] : []), ...(includeHighImpact ? [highImpact] : [])]
  return {
    campaigns: [auto, broad, research, performance, ...optional],
    shares: [
      { weight: share.DISCOVERY, campaigns: [one(auto.key), one(broad.key)] },
      { weight: share.RESEARCH, campaigns: [one(research.key)] },
      { weight: share.PERFORMANCE, campaigns: [one(performance.key)] },
      ...(includeRanking ? [{ weight: share.RANKING ?? 0, campaigns: [one(ranking.key)] }] : []),
      ...(includeHighImpact ? [{ weight: share.HIGH_IMPACT ?? 0, campaigns: [one(highImpact.key)] }] : []),
    ],
    remainderTo: 2,
  }
}

// Placement raises belong to a campaign, so an ad group that shall compete does it by the bid itself.
const adGroupFunnel = (payload: CreatePayload): Structure => {
  const { strategy, includeHighImpact, includeRanking, budgetShares } = payload
  const auto = campaignOf(group('DISCOVERY', 'AUTO'))
  const manual: CampaignShape = {
    key: 'manual',
    phase: 'PERFORMANCE',
    label: { phase: 'Funnel', match: 'Manual' },
    targetingType: 'MANUAL',
    biddingStrategy: strategy === 'GROWTH' ? 'SALES_UP_AND_DOWN' : 'SALES_DOWN_ONLY',
    topOfSearchPercent: 0,
    groups: [
      group('DISCOVERY', 'BROAD'),
      group('RESEARCH', 'PHRASE'),
      group('PERFORMANCE', 'EXACT'),
      ...(includeRanking ? [group('RANKING', 'EXACT', 'HIGH')] : []),
      ...(includeHighImpact ? [group('HIGH_IMPACT', 'EXACT', 'HIGH')] : []),
    ],
  }
  const discovery = (budgetShares ?? usualShares(payload)).DISCOVERY
  return {
    campaigns: [auto, manual],
    shares: [
      { weight: discovery / 2, campaigns: [one(auto.key)] },
      { weight: 100 - discovery / 2, campaigns: [one(manual.key)] },
    ],
    remainderTo: 1,
  }
}

const matchesOf = (payload: CreatePayload): GroupMatch[] => {
  const { family } = factsOfTemplate(payload.template)
  if (family === 'KEYWORD') {
    if (payload.automationMode === 'AUTO') return ['AUTO']
    const chosen = chosenKeywords(payload).map(k => k.matchType ?? payload.keywordMatchType)
    const wanted = new Set(payload.setupMode === 'SMART' ? [payload.keywordMatchType, ...chosen] : chosen)
    return (['BROAD', 'PHRASE', 'EXACT'] as const).filter(match => wanted.has(match))
  }
  const { productTargetType: type, productMatchType = 'PRODUCT_EXACT' } = payload
  const smart = payload.setupMode === 'SMART'
  const products = new Set(chosenProductTargets(payload).map(t => t.matchType ?? productMatchType))
  if (smart) products.add(productMatchType)
  return [
    ...(type !== 'PRODUCT' && (smart || chosenCategories(payload).length) ? (['CATEGORY'] as const) : []),
    ...(type === 'CATEGORY' ? [] : (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).filter(m => products.has(m))),
  ]
}

/** One campaign a type, or one campaign with an ad group a type; the budget is shared evenly. */
const byType = (payload: CreatePayload): Structure => {
  const { family, byAdGroup } = factsOfTemplate(payload.template)
  const phase = family === 'KEYWORD' ? 'KEYWORDS' : 'PRODUCTS'
  const groups = matchesOf(payload).map(match => group(phase, match))
  const first = groups[0]
  const campaigns =
    byAdGroup && first && groups.length > 1
      ? [campaignOf(first, { key: phase.toLowerCase(), label: { phase: phaseNames[phase], match: 'Manual' }, groups })]
      : groups.map(g => campaignOf(g))
  return { campaigns, shares: campaigns.map(c => ({ weight: 1, campaigns: [one(c.key)] })), remainderTo: 0 }
}

/** Whether terms of brands may get campaigns of their own: the user wants it, and there are keywords. */
export const separatesBrands = ({ separateBrandTerms, template, automationMode }: CreatePayload): boolean => {
  const { family } = factsOfTemplate(template)
  return separateBrandTerms && (family === 'FUNNEL' || (family === 'KEYWORD' && automationMode === 'MANUAL'))
}

// Where the marketplace chooses, a funnel buys brands by phrase and exact: a broad match may leave the brand out.
const brandMatches = (payload: CreatePayload): GroupMatch[] => {
  if (factsOfTemplate(payload.template).family === 'KEYWORD') return matchesOf(payload)
  const chosen = chosenKeywords(payload).map(k => k.matchType ?? payload.keywordMatchType)
  const used = new Set(payload.setupMode === 'SMART' ? (['PHRASE', 'EXACT', ...chosen] as const) : chosen)
  return (['BROAD', 'PHRASE', 'EXACT'] as const).filter(match => used.has(match))
}

// Ten percent of the budget for each campaign of brands; the others keep their shares of what is left.
const withBrands = (structure: Structure, payload: CreatePayload, kinds: readonly BrandPhase[]): Structure => {
  if (!kinds.length || !structure.campaigns.length) return structure
  const campaigns = kinds.map(phase => {
    const key = phase.toLowerCase().replaceAll('_', '-')
    const groups = brandMatches(payload).map(match => group(phase, match))
    const label = { phase: phaseNames[phase], match: 'Manual' }
    return campaignOf(group(phase, 'EXACT'), { key, label, groups })
  })
  const sum = structure.shares.reduce((total, { weight }) => total + weight, 0)
  const rest = structure.shares.map(share => ({ ...share, weight: share.weight * (10 - kinds.length) }))
  return {
    campaigns: [...structure.campaigns, ...campaigns],
    shares: [...rest, ...campaigns.map(({ key }) => ({ weight: sum, campaigns: [one(key)] }))],
    remainderTo: structure.remainderTo,
  }
}

/**
 * Campaigns and ad groups of a template, without their contents, and how the budget is shared. `brands` are the campaigns of
 * brands that have terms; absent, all that the payload may lead to.
 */
export const structureOf = (
  payload: CreatePayload,
  brands: readonly BrandPhase[] = separatesBrands(payload) ? brandPhases : [],
): Structure => {
  const { family, byAdGroup } = factsOfTemplate(payload.template)
  const funnel = byAdGroup ? adGroupFunnel : campaignFunnel
  return withBrands(family === 'FUNNEL' ? funnel(payload) : byType(payload), payload, brands)
}

/** The names of all campaigns that a payload can lead to, as `planNames` makes them. */
export const namesOf = (payload: CreatePayload, market: NamingAccount): ReturnType<typeof planNames> =>
  planNames(
    { campaignName: payload.campaignName, pattern: payload.namePattern ?? null, products: payload.products },
    structureOf(payload).campaigns.map(c => c.label),
    market,
  )
