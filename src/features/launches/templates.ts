import type { Strategy } from '#features/recommendations/contract.ts'
import type { BudgetShares } from './plan/budget-shares.ts'

/** A campaign's or ad group's part in a launch. */
export const phases = {
  DISCOVERY: 'Discovery',
  RESEARCH: 'Research',
  PERFORMANCE: 'Performance',
  RANKING: 'Ranking',
  HIGH_IMPACT: 'High Impact',
  KEYWORDS: 'Keywords',
  PRODUCTS: 'Products',
  OWN_BRAND: 'Own brand',
  COMPETITORS: 'Competitors',
} as const
export type Phase = keyof typeof phases
export const phaseKeys = Object.keys(phases) as [Phase, ...Phase[]]

/** The phases of a funnel from the first to the last: a term of a later phase is negative in the earlier ones. */
export const funnelPhases: readonly Phase[] = ['DISCOVERY', 'RESEARCH', 'PERFORMANCE', 'RANKING', 'HIGH_IMPACT']
/** The phases that buy terms with a brand, where those are separated. */
export const brandPhases = ['OWN_BRAND', 'COMPETITORS'] as const
export type BrandPhase = (typeof brandPhases)[number]

/** What the targets of an ad group match. */
export const groupMatches = {
  AUTO: 'Auto',
  BROAD: 'Broad',
  PHRASE: 'Phrase',
  EXACT: 'Exact',
  CATEGORY: 'Category',
  PRODUCT_EXACT: 'Product Exact',
  PRODUCT_SIMILAR: 'Product Similar',
} as const
export type GroupMatch = keyof typeof groupMatches
export const groupMatchKeys = Object.keys(groupMatches) as [GroupMatch, ...GroupMatch[]]

/** From the widest to the narrowest. */
export const keywordMatches = ['BROAD', 'PHRASE', 'EXACT'] as const
export type KeywordMatch = (typeof keywordMatches)[number]
export const targetMatches = ['CATEGORY', 'PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const
export type TargetMatch = (typeof targetMatches)[number]
/** What a product target says at the marketplace. */
export const targetExpressions: Readonly<Record<TargetMatch, string>> = {
  CATEGORY: 'ASIN_CATEGORY_SAME_AS',
  PRODUCT_EXACT: 'ASIN_SAME_AS',
  PRODUCT_SIMILAR: 'ASIN_EXPANDED_FROM',
}

/** The four targets that automatic targeting creates. */
export const autoGroups = {
  CLOSE_MATCH: 'Close match',
  LOOSE_MATCH: 'Loose match',
  SUBSTITUTES: 'Substitutes',
  COMPLEMENTS: 'Complements',
} as const
export type AutoGroup = keyof typeof autoGroups
export const autoGroupKeys = Object.keys(autoGroups) as [AutoGroup, ...AutoGroup[]]

/** An ad group of a funnel. */
interface FunnelGroup {
  phase: keyof BudgetShares
  match: GroupMatch
  /** The setting of the launch that includes it; absent: it is always there. */
  option?: 'includeRanking' | 'includeHighImpact'
  /** At most this many recommended terms: few, well-chosen terms gather data faster. */
  maxTerms: number
  /** As a campaign: percent added to bids at the top of search, by strategy. */
  topOfSearch?: Readonly<Record<Strategy, number>>
  /** As a campaign: the strategies with which the marketplace may raise bids, only where the terms are proven. */
  raisedWith?: readonly Strategy[]
  /**
   * Where bids take the top of the suggested range, except with the passive strategy. A top-of-search percentage belongs to a
   * campaign, so an ad group can only compete by its bids.
   */
  competes?: 'ALWAYS' | 'AS_AD_GROUP'
}

/** The ad groups of every funnel; the first is a campaign of its own in each. */
export const funnelGroups: readonly FunnelGroup[] = [
  { phase: 'DISCOVERY', match: 'AUTO', maxTerms: 0 },
  { phase: 'DISCOVERY', match: 'BROAD', maxTerms: 20 },
  { phase: 'RESEARCH', match: 'PHRASE', maxTerms: 20 },
  { phase: 'PERFORMANCE', match: 'EXACT', maxTerms: 15, raisedWith: ['GROWTH'] },
  {
    phase: 'RANKING',
    match: 'EXACT',
    option: 'includeRanking',
    maxTerms: 5,
    topOfSearch: { PASSIVE: 0, NORMAL: 50, GROWTH: 100 },
    raisedWith: ['GROWTH'],
    competes: 'AS_AD_GROUP',
  },
  {
    phase: 'HIGH_IMPACT',
    match: 'EXACT',
    option: 'includeHighImpact',
    maxTerms: 3,
    topOfSearch: { PASSIVE: 0, NORMAL: 100, GROWTH: 100 },
    raisedWith: ['NORMAL', 'GROWTH'],
    competes: 'ALWAYS',
  },
]

/** FUNNEL: phases. KEYWORD: an ad group for each keyword match type. TARGET: one for each kind of product target. */
export type TemplateFamily = 'FUNNEL' | 'KEYWORD' | 'TARGET'

interface TemplateRow {
  family: TemplateFamily
  multiProduct: boolean
  /** True where one campaign holds an ad group for each type; false where each type is a campaign. */
  byAdGroup: boolean
  name: string
  hint: string
}

const campaigns = { multiProduct: false, byAdGroup: false }
const adGroups = { multiProduct: false, byAdGroup: true }
const multiProduct = { multiProduct: true, byAdGroup: true }

const templateTable = {
  SINGLE_PRODUCT_CAMPAIGN_FUNNEL: {
    ...campaigns,
    family: 'FUNNEL',
    name: 'Single product campaign funnel',
    hint: 'One campaign per phase: terms found in Discovery move on towards Performance.',
  },
  SINGLE_PRODUCT_AD_GROUP_FUNNEL: {
    ...adGroups,
    family: 'FUNNEL',
    name: 'Single product ad group funnel',
    hint: 'The same phases as ad groups in two campaigns, with fewer budgets to manage.',
  },
  MULTI_PRODUCT_AD_GROUP_FUNNEL: {
    ...multiProduct,
    family: 'FUNNEL',
    name: 'Multi product ad group funnel',
    hint: 'One funnel for several products that sell to the same searches.',
  },
  SINGLE_PRODUCT_KEYWORD_CAMPAIGN: {
    ...campaigns,
    family: 'KEYWORD',
    name: 'Single product keyword campaign',
    hint: 'One campaign per match type.',
  },
  SINGLE_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN: {
    ...adGroups,
    family: 'KEYWORD',
    name: 'Single product ad group keyword campaign',
    hint: 'One campaign with an ad group per match type.',
  },
  MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN: {
    ...multiProduct,
    family: 'KEYWORD',
    name: 'Multi product ad group keyword campaign',
    hint: 'Several products share the keywords of one campaign.',
  },
  SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN: {
    ...campaigns,
    family: 'TARGET',
    name: 'Single product targeting campaign',
    hint: 'Your ad next to the products or categories you choose; one campaign per kind.',
  },
  SINGLE_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN: {
    ...adGroups,
    family: 'TARGET',
    name: 'Single product ad group targeting campaign',
    hint: 'One campaign with an ad group per kind of target.',
  },
  MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN: {
    ...multiProduct,
    family: 'TARGET',
    name: 'Multi product ad group targeting campaign',
    hint: 'Several products share the targets of one campaign.',
  },
} as const satisfies Record<string, TemplateRow>

/** The nine structures of the wizard. */
export type Template = keyof typeof templateTable
export const templates = Object.keys(templateTable) as [Template, ...Template[]]
/** A template's row of the table. */
export function templateOf(template: Template): TemplateRow {
  return templateTable[template]
}

/** More products than this in a multi-product template are not recommended. */
export const RECOMMENDED_MAX_PRODUCTS = 10
