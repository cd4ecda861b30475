import { isPayloadRejection, rejectionOf } from '#shared/marketplace-rejections.ts'
import type { Micros } from '#shared/money.ts'
import { chosenCategories, chosenKeywords, chosenNegatives, chosenProductTargets, normalTerm } from '../chosen-terms.ts'
import type { LaunchDraft, LaunchField, NegativeMatchType } from '../launch-schema.ts'
import type { StepName } from '../journal-schema.ts'
import {
  autoGroups,
  type AutoGroup,
  type GroupMatch,
  type KeywordMatch,
  type Phase,
  type TargetMatch,
} from '../templates.ts'
import type { LaunchPlan, PlannedAdGroup, PlannedCampaign } from './launch-plan.ts'

/** What one item of a launch creates or changes; parents are named by their item's key. */
type ItemKinds =
  | {
      kind: 'CAMPAIGN'
      name: string
      targetingType: 'AUTO' | 'MANUAL'
      dailyBudgetMicros: Micros
      biddingStrategy: 'SALES_DOWN_ONLY' | 'SALES_UP_AND_DOWN'
      topOfSearchPercent: number
    }
  | { kind: 'AD_GROUP'; name: string; defaultBidMicros: Micros }
  | { kind: 'PRODUCT_AD'; asin: string; sku: string }
  | { kind: 'KEYWORD'; text: string; matchType: KeywordMatch; bidMicros: Micros }
  | { kind: 'AUTO_TARGET'; group: AutoGroup; bidMicros: Micros }
  | { kind: 'PRODUCT_TARGET'; match: TargetMatch; value: string; bidMicros: Micros }
  /** Absent match type: exact. */
  | { kind: 'NEGATIVE_KEYWORD'; text: string; matchType?: NegativeMatchType }
  | { kind: 'ENABLE' }
/** The phase is absent in journals of older versions. */
export type ItemContent = ItemKinds & { phase?: Phase }

export interface LaunchItem {
  step: StepName
  /** Unique within the launch. */
  key: string
  /** The item that must exist first; null for campaigns. */
  parentKey: string | null
  /** For display only. */
  label: string
  content: ItemContent
}

/** The match type of an item, in the words of an ad group; null where it has none. */
export function matchOfItem(content: ItemContent): GroupMatch | NegativeMatchType | null {
  switch (content.kind) {
    case 'KEYWORD':
      return content.matchType
    case 'PRODUCT_TARGET':
      return content.match
    case 'AUTO_TARGET':
      return 'AUTO'
    case 'NEGATIVE_KEYWORD':
      return content.matchType ?? 'NEGATIVE_EXACT'
    default:
      return null
  }
}

/** The field of the payload to change so that a rejected item can be created; null where the payload does not name it. */
export function fieldOfItem(content: ItemContent, reason: string, payload: LaunchDraft): LaunchField | null {
  if (!isPayloadRejection(reason)) return null
  const field = rejectionOf(reason)?.field
  if (field) return field
  const names = <T>(all: readonly T[], keyOf: (item: T) => string, key: string) => all.some(item => keyOf(item) === key)
  switch (content.kind) {
    case 'CAMPAIGN':
    case 'AD_GROUP':
      return reason === 'FORBIDDEN_CHARS' || reason === 'DUPLICATE_VALUE' ? 'campaignName' : null
    case 'PRODUCT_AD':
      return 'products'
    case 'KEYWORD':
      return names(chosenKeywords(payload), k => normalTerm(k.keyword), normalTerm(content.text)) ? 'keywords' : null
    case 'PRODUCT_TARGET':
      if (content.match === 'CATEGORY')
        return names(chosenCategories(payload), c => c.id, content.value) ? 'categories' : null
      return names(chosenProductTargets(payload), t => t.asin, content.value) ? 'productTargets' : null
    case 'NEGATIVE_KEYWORD': {
      const idOf = (text: string, matchType: NegativeMatchType) => `${matchType} ${normalTerm(text)}`
      const id = idOf(content.text, content.matchType ?? 'NEGATIVE_EXACT')
      return names(chosenNegatives(payload), n => idOf(n.keyword, n.matchType), id) ? 'negativeKeywords' : null
    }
    default:
      return null
  }
}

const campaignKey = (campaign: PlannedCampaign) => `campaign:${campaign.key}`

function itemsOfGroup(group: PlannedAdGroup, campaign: PlannedCampaign): LaunchItem[] {
  const key = `group:${group.key}`
  const { phase } = group
  const under = (step: StepName, id: string, label: string, content: ItemKinds): LaunchItem => ({
    step,
    key: `${content.kind.toLowerCase()}:${group.key}:${id}`,
    parentKey: key,
    label,
    content: { ...content, phase },
  })
  return [
    {
      step: 'AD_GROUPS',
      key,
      parentKey: campaignKey(campaign),
      label: `${campaign.name} › ${group.name}`,
      content: { kind: 'AD_GROUP', phase, name: group.name, defaultBidMicros: group.defaultBid.micros },
    },
    ...group.products.map(({ asin, sku }) =>
      under('PRODUCT_ADS', asin, `${asin} in ${group.name}`, { kind: 'PRODUCT_AD', asin, sku }),
    ),
    ...group.keywords.map(({ text, matchType, bid }, i) =>
      under('KEYWORDS', String(i), `${text} (${matchType.toLowerCase()})`, {
        kind: 'KEYWORD',
        text,
        matchType,
        bidMicros: bid.micros,
      }),
    ),
    ...group.autoTargets.map(({ group: auto, bid }) =>
      under('AUTO_TARGETS', auto, autoGroups[auto], { kind: 'AUTO_TARGET', group: auto, bidMicros: bid.micros }),
    ),
    ...group.targets.map(({ match, value, name, bid }) =>
      under('PRODUCT_TARGETS', `${match}-${value}`, name ?? value, {
        kind: 'PRODUCT_TARGET',
        match,
        value,
        bidMicros: bid.micros,
      }),
    ),
    ...group.negativeKeywords.map((text, i) =>
      under('NEGATIVE_KEYWORDS', String(i), `${text} kept out of ${group.name}`, { kind: 'NEGATIVE_KEYWORD', text }),
    ),
    ...group.negativePhrases.map((text, i) =>
      under('NEGATIVE_KEYWORDS', `phrase-${i}`, `“${text}” as a phrase kept out of ${group.name}`, {
        kind: 'NEGATIVE_KEYWORD',
        text,
        matchType: 'NEGATIVE_PHRASE',
      }),
    ),
  ]
}

/** Every item of a plan, parents before children; the same plan gives the same items in the same order. */
export function itemsOfPlan(plan: LaunchPlan): LaunchItem[] {
  return [
    ...plan.campaigns.map(
      (campaign): LaunchItem => ({
        step: 'CAMPAIGNS',
        key: campaignKey(campaign),
        parentKey: null,
        label: campaign.name,
        content: {
          kind: 'CAMPAIGN',
          phase: campaign.phase,
          name: campaign.name,
          targetingType: campaign.targetingType,
          dailyBudgetMicros: campaign.dailyBudgetMicros,
          biddingStrategy: campaign.biddingStrategy,
          topOfSearchPercent: campaign.topOfSearchPercent,
        },
      }),
    ),
    ...plan.campaigns.flatMap(campaign => campaign.adGroups.flatMap(group => itemsOfGroup(group, campaign))),
    ...plan.campaigns.map(
      (campaign): LaunchItem => ({
        step: 'ENABLE',
        key: `enable:${campaign.key}`,
        parentKey: campaignKey(campaign),
        label: campaign.name,
        content: { kind: 'ENABLE' },
      }),
    ),
  ]
}
