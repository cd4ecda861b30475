import { type AutoGroup, type KeywordMatch, type TargetMatch, autoGroups } from '../templates.ts'
import type { StepName } from '../contract.ts'
import type { NegativeMatchType } from '../launch-schema.ts'
import type { LaunchPlan, PlannedAdGroup, PlannedCampaign } from './launch-plan.ts'

/** What one item of a launch makes or changes; parents are named by their item's key. */
export type ItemContent =
  | {
      kind: 'CAMPAIGN'
      name: string
      targetingType: 'AUTO' | 'MANUAL'
      dailyBudgetMicros: number
      biddingStrategy: 'SALES_DOWN_ONLY' | 'SALES_UP_AND_DOWN'
      topOfSearchPercent: number
    }
  | { kind: 'AD_GROUP'; name: string; defaultBidMicros: number }
  | { kind: 'PRODUCT_AD'; asin: string; sku: string }
  | { kind: 'KEYWORD'; text: string; matchType: KeywordMatch; bidMicros: number }
  | { kind: 'AUTO_TARGET'; group: AutoGroup; bidMicros: number }
  | { kind: 'PRODUCT_TARGET'; match: TargetMatch; value: string; bidMicros: number }
  | {
      kind: 'NEGATIVE_KEYWORD'
      text: string
      /** Absent: exact. */
      matchType?: NegativeMatchType
    }
  | { kind: 'ENABLE' }

export interface LaunchItem {
  step: StepName
  /** Unique within the launch. */
  key: string
  /** The item that must exist first; null for campaigns. */
  parentKey: string | null
  /** How people call it. */
  label: string
  content: ItemContent
}

const campaignKey = (campaign: PlannedCampaign) => `campaign:${campaign.key}`

const itemsOfGroup = (group: PlannedAdGroup, campaign: PlannedCampaign): LaunchItem[] => {
  const key = `group:${group.key}`
  const under = (step: StepName, id: string, label: string, content: ItemContent): LaunchItem => ({
    step,
    key: `${content.kind.toLowerCase()}:${group.key}:${id}`,
    parentKey: key,
    label,
    content,
  })
  return [
    {
      step: 'AD_GROUPS',
      key,
      parentKey: campaignKey(campaign),
      label: `${campaign.name} › ${group.name}`,
      content: { kind: 'AD_GROUP', name: group.name, defaultBidMicros: group.defaultBid.micros },
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
export const itemsOfPlan = (plan: LaunchPlan): LaunchItem[] => [
  ...plan.campaigns.map(
    (campaign): LaunchItem => ({
      step: 'CAMPAIGNS',
      key: campaignKey(campaign),
      parentKey: null,
      label: campaign.name,
      content: {
        kind: 'CAMPAIGN',
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
