import { chosenCategories, chosenKeywords, chosenProductTargets, targetMatchOf } from '../chosen-terms.ts'
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
export interface Structure {
  campaigns: CampaignShape[]
  /** How the budget is shared: the keys in `campaigns` get a part evenly. */
  parts: { weight: number; campaigns: string[] }[]
  /** Index into `parts` of the one that gets the remainder. */
  remainderTo: number
}

// Keyword templates and campaigns of brands take more terms for a group than a funnel's phases.
const MAX_TERMS_OF_MATCH = 25

const keyOf = (...parts: string[]): string => parts.join('-').toLowerCase().replaceAll('_', '-')

const groupOf = (phase: Phase, match: GroupMatch): GroupShape => ({
  key: keyOf(phase, match),
  phase,
  match,
  competes: false,
  maxTerms: MAX_TERMS_OF_MATCH,
})

/** A campaign of one ad group. */
const campaignOf = (group: GroupShape): CampaignShape => ({
  key: group.key,
  phase: group.phase,
  label: { phase: phases[group.phase], match: groupMatches[group.match] },
  targetingType: group.match === 'AUTO' ? 'AUTO' : 'MANUAL',
  biddingStrategy: 'SALES_DOWN_ONLY',
  topOfSearchPercent: 0,
  groups: [group],
})

/** A manual campaign of several ad groups. */
const manualCampaign = (key: string, phase: Phase, name: string, groups: GroupShape[]): CampaignShape => ({
  ...campaignOf(groupOf(phase, 'EXACT')),
  key,
  label: { phase: name, match: 'Manual' },
  groups,
})

const strategyOf = (isRaised: boolean): CampaignShape['biddingStrategy'] =>
  isRaised ? 'SALES_UP_AND_DOWN' : 'SALES_DOWN_ONLY'

/** A funnel: a campaign for each group; or the automatic one, and a manual one with all others as ad groups. */
function funnelStructure(payload: CreatePayload): Structure {
  const { strategy, template } = payload
  const { byAdGroup } = templateOf(template)
  const percents = payload.budgetShares ?? usualShares(payload)
  const rows = funnelGroups.filter(({ option }) => !option || payload[option])
  const campaigns = rows.map(
    ({ phase, match, maxTerms, topOfSearch, raisedWith, competes }): CampaignShape => ({
      ...campaignOf({
        ...groupOf(phase, match),
        maxTerms,
        competes: competes === 'ALWAYS' || (byAdGroup && competes !== undefined),
      }),
      biddingStrategy: strategyOf(raisedWith?.includes(strategy) ?? false),
      topOfSearchPercent: topOfSearch?.[strategy] ?? 0,
    }),
  )
  const [auto, ...others] = campaigns
  if (byAdGroup && auto) {
    const groups = others.flatMap(campaign => campaign.groups)
    const biddingStrategy = strategyOf(strategy === 'GROWTH')
    const manual = { ...manualCampaign('manual', 'PERFORMANCE', 'Funnel', groups), biddingStrategy }
    const weight = percents.DISCOVERY / 2
    const parts = [
      { weight, campaigns: [auto.key] },
      { weight: 100 - weight, campaigns: [manual.key] },
    ]
    return { campaigns: [auto, manual], parts, remainderTo: 1 }
  }
  const byPhase = [...Map.groupBy(rows, row => row.phase)]
  return {
    campaigns,
    parts: byPhase.map(([phase, some]) => ({
      weight: percents[phase] ?? 0,
      campaigns: some.map(({ match }) => keyOf(phase, match)),
    })),
    remainderTo: byPhase.findIndex(([phase]) => phase === 'PERFORMANCE'),
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
  const used = new Set(chosenProductTargets(payload).map(t => targetMatchOf(t, payload)))
  if (isSmart) used.add(productMatchType)
  const hasCategories = type !== 'PRODUCT' && (isSmart || chosenCategories(payload).length > 0)
  const products = (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).filter(m => type !== 'CATEGORY' && used.has(m))
  return hasCategories ? ['CATEGORY', ...products] : products
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
  return { campaigns, parts: campaigns.map(({ key }) => ({ weight: 1, campaigns: [key] })), remainderTo: 0 }
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

/**
 * Campaigns and ad groups of a template, without their contents, and how the budget is shared. `brands` are the campaigns of
 * brands that have terms; absent: all that the payload can lead to. Each gets ten percent of the budget; the others keep their
 * shares of the rest.
 */
export function structureOf(
  payload: CreatePayload,
  brands: readonly BrandPhase[] = separatesBrands(payload) ? brandPhases : [],
): Structure {
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  const { campaigns, parts, remainderTo } = isFunnel ? funnelStructure(payload) : structureByType(payload)
  if (!brands.length || !campaigns.length) return { campaigns, parts, remainderTo }
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const ofBrands = brands.map(phase => {
    const groups = brandMatches(payload).map(match => groupOf(phase, match))
    return manualCampaign(keyOf(phase), phase, phases[phase], groups)
  })
  return {
    campaigns: [...campaigns, ...ofBrands],
    parts: [
      ...parts.map(part => ({ ...part, weight: part.weight * (10 - brands.length) })),
      ...ofBrands.map(({ key }) => ({ weight, campaigns: [key] })),
    ],
    remainderTo,
  }
}

/** The names of all campaigns that a payload can lead to, known before anything is recommended. */
export const namesOf = (payload: CreatePayload, account: NamingAccount): ReturnType<typeof planNames> =>
  planNames(
    payload,
    structureOf(payload).campaigns.map(c => c.label),
    account,
  )
