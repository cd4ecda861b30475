import { chosenCategories, chosenKeywords, chosenProductTargets } from '../chosen-terms.ts'
import type { CreatePayload } from '../launch-schema.ts'
import {
  type BrandPhase,
  brandPhases,
  funnelGroups,
  type GroupMatch,
  groupMatches,
  keywordMatches,
  type Phase,
  phases,
  templateOf,
} from '../templates.ts'
import { usualShares } from './budget-shares.ts'
import type { PhaseShare } from './plan-budget.ts'
import { type NameParts, type NamingAccount, planNames } from './plan-names.ts'

export interface GroupShape {
  key: string
  phase: Phase
  match: GroupMatch
  /** It takes the top of the suggested range, except with the passive strategy. */
  competes: boolean
  /** At most this many recommended terms. */
  maxTerms: number
}
export interface CampaignShape {
  key: string
  phase: Phase
  /** The part of its name that differs from the other campaigns of the launch. */
  label: NameParts
  targetingType: 'AUTO' | 'MANUAL'
  /** How the marketplace may raise the campaign's bids, as far as the cap leaves room. */
  biddingStrategy: 'SALES_DOWN_ONLY' | 'SALES_UP_AND_DOWN'
  topOfSearchPercent: number
  groups: GroupShape[]
}
interface Structure {
  campaigns: CampaignShape[]
  shares: PhaseShare[]
  /** Index into `shares` of the share that gets the remainder. */
  remainderTo: number
}

/** An ad group's name. */
export const groupName = ({ phase, match }: { phase: Phase; match: GroupMatch }): string =>
  `${phases[phase]} | ${groupMatches[match]}`

// Keyword templates and campaigns of brands take more terms for a group than a funnel's phases.
const MAX_TERMS_OF_MATCH = 25

const keyOf = (...parts: string[]): string => parts.join('-').toLowerCase().replaceAll('_', '-')

function groupOf(phase: Phase, match: GroupMatch): GroupShape {
  return {
    key: keyOf(phase, match),
    phase,
    match,
    competes: false,
    maxTerms: MAX_TERMS_OF_MATCH,
  }
}

/** A campaign of one ad group. */
function campaignOf(group: GroupShape): CampaignShape {
  return {
    key: group.key,
    phase: group.phase,
    label: { phase: phases[group.phase], match: groupMatches[group.match] },
    targetingType: group.match === 'AUTO' ? 'AUTO' : 'MANUAL',
    biddingStrategy: 'SALES_DOWN_ONLY',
    topOfSearchPercent: 0,
    groups: [group],
  }
}

/** A manual campaign of several ad groups. */
function manualCampaign(key: string, phase: Phase, name: string, groups: GroupShape[]): CampaignShape {
  return {
    key,
    phase,
    label: { phase: name, match: 'Manual' },
    targetingType: 'MANUAL',
    biddingStrategy: 'SALES_DOWN_ONLY',
    topOfSearchPercent: 0,
    groups,
  }
}

function shareOf(weight: number, ...campaigns: readonly CampaignShape[]): PhaseShare {
  return {
    weight,
    campaigns: campaigns.map(({ key }) => ({ key, weight: 1 })),
  }
}

const strategyOf = (isRaised: boolean): CampaignShape['biddingStrategy'] =>
  isRaised ? 'SALES_UP_AND_DOWN' : 'SALES_DOWN_ONLY'

/** A funnel: a campaign for each group; or the automatic one, and a manual one with all others as ad groups. */
function funnelStructure(payload: CreatePayload): Structure {
  const { strategy, template } = payload
  const { byAdGroup } = templateOf(template)
  const percents = payload.budgetShares ?? usualShares(payload)
  const rows = funnelGroups.filter(({ option }) => !option || payload[option])
  const campaigns = rows.map(({ phase, match, maxTerms, topOfSearch, raisedWith, competes }): CampaignShape => {
    return {
      ...campaignOf({
        ...groupOf(phase, match),
        maxTerms,
        competes: competes === 'ALWAYS' || (byAdGroup && competes !== undefined),
      }),
      biddingStrategy: strategyOf(raisedWith?.includes(strategy) ?? false),
      topOfSearchPercent: topOfSearch?.[strategy] ?? 0,
    }
  })
  const [auto, ...others] = campaigns
  if (byAdGroup && auto) {
    const groups = others.flatMap(campaign => campaign.groups)
    const biddingStrategy = strategyOf(strategy === 'GROWTH')
    const manual = { ...manualCampaign('manual', 'PERFORMANCE', 'Funnel', groups), biddingStrategy }
    const autoShare = percents.DISCOVERY / 2
    return {
      campaigns: [auto, manual],
      shares: [shareOf(autoShare, auto), shareOf(100 - autoShare, manual)],
      remainderTo: 1,
    }
  }
  const ofPhase = Map.groupBy(rows.keys(), i => rows[i]?.phase ?? 'DISCOVERY')
  return {
    campaigns,
    shares: [...ofPhase].map(([phase, all]) => shareOf(percents[phase] ?? 0, ...all.flatMap(i => campaigns[i] ?? []))),
    remainderTo: [...ofPhase.keys()].indexOf('PERFORMANCE'),
  }
}

const chosenMatches = (payload: CreatePayload) =>
  chosenKeywords(payload).map(k => k.matchType ?? payload.keywordMatchType)

function matchesOf(payload: CreatePayload): GroupMatch[] {
  const isSmart = payload.setupMode === 'SMART'
  if (templateOf(payload.template).family === 'KEYWORD') {
    if (payload.automationMode === 'AUTO') return ['AUTO']
    const used = new Set([...chosenMatches(payload), ...(isSmart ? [payload.keywordMatchType] : [])])
    return keywordMatches.filter(match => used.has(match))
  }
  const { productTargetType: type, productMatchType = 'PRODUCT_EXACT' } = payload
  const used = new Set(chosenProductTargets(payload).map(t => t.matchType ?? productMatchType))
  if (isSmart) used.add(productMatchType)
  return [
    ...(type !== 'PRODUCT' && (isSmart || chosenCategories(payload).length) ? (['CATEGORY'] as const) : []),
    ...(type === 'CATEGORY' ? [] : (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).filter(m => used.has(m))),
  ]
}

/** One campaign for each type, or one campaign with an ad group for each; the budget is shared evenly. */
function structureByType(payload: CreatePayload): Structure {
  const { family, byAdGroup } = templateOf(payload.template)
  const phase = family === 'KEYWORD' ? 'KEYWORDS' : 'PRODUCTS'
  const groups = matchesOf(payload).map(match => groupOf(phase, match))
  const campaigns =
    byAdGroup && groups.length > 1
      ? [manualCampaign(keyOf(phase), phase, phases[phase], groups)]
      : groups.map(group => campaignOf(group))
  return { campaigns, shares: campaigns.map(campaign => shareOf(1, campaign)), remainderTo: 0 }
}

/** Whether terms of brands may get campaigns of their own: the user wants it, and there are keywords. */
export function separatesBrands({ separateBrandTerms, template, automationMode }: CreatePayload): boolean {
  const { family } = templateOf(template)
  return separateBrandTerms && (family === 'FUNNEL' || (family === 'KEYWORD' && automationMode === 'MANUAL'))
}

// Where the marketplace chooses, a funnel buys brands by phrase and exact: a broad match may leave the brand out.
function brandMatches(payload: CreatePayload): GroupMatch[] {
  if (templateOf(payload.template).family === 'KEYWORD') return matchesOf(payload)
  const smart = payload.setupMode === 'SMART' ? (['PHRASE', 'EXACT'] as const) : []
  const used = new Set([...smart, ...chosenMatches(payload)])
  return keywordMatches.filter(match => used.has(match))
}

// Ten percent of the budget for each campaign of brands; the others keep their shares of the rest.
function withBrands(structure: Structure, payload: CreatePayload, kinds: readonly BrandPhase[]): Structure {
  if (!kinds.length || !structure.campaigns.length) return structure
  const campaigns = kinds.map(phase =>
    manualCampaign(
      keyOf(phase),
      phase,
      phases[phase],
      brandMatches(payload).map(match => groupOf(phase, match)),
    ),
  )
  const sum = structure.shares.reduce((total, { weight }) => total + weight, 0)
  const rest = structure.shares.map(share => ({ ...share, weight: share.weight * (10 - kinds.length) }))
  return {
    campaigns: [...structure.campaigns, ...campaigns],
    shares: [...rest, ...campaigns.map(campaign => shareOf(sum, campaign))],
    remainderTo: structure.remainderTo,
  }
}

/**
 * Campaigns and ad groups of a template, without their contents, and how the budget is shared. `brands` are the campaigns of
 * brands that have terms; absent: all that the payload can lead to.
 */
export function structureOf(
  payload: CreatePayload,
  brands: readonly BrandPhase[] = separatesBrands(payload) ? brandPhases : [],
): Structure {
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  return withBrands(isFunnel ? funnelStructure(payload) : structureByType(payload), payload, brands)
}

/** The names of all campaigns that a payload can lead to, as `planNames` makes them. */
export function namesOf(payload: CreatePayload, market: NamingAccount): ReturnType<typeof planNames> {
  return planNames(
    { campaignName: payload.campaignName, pattern: payload.namePattern ?? null, products: payload.products },
    structureOf(payload).campaigns.map(c => c.label),
    market,
  )
}
