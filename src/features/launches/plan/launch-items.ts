import { normalTerm, type NegativeMatchType } from '#shared/keyword-rules.ts'
import { isPayloadRejection, rejectionOf } from '#shared/marketplace-rejections.ts'
import type { Micros } from '#shared/money.ts'
import { chosenCategories, chosenKeywords, chosenNegatives, chosenProductTargets } from '../chosen-terms.ts'
import type { LaunchDraft, LaunchField } from '../launch-schema.ts'
import type { StepName } from '../contract.ts'
import { type AutoGroup, autoGroups, type KeywordMatch, type Phase, type TargetMatch } from '../templates.ts'
import type { LaunchPlan, PlannedAdGroup, PlannedCampaign } from './launch-plan.ts'

/** What one item of a launch creates or changes; parents are named by their item's key. */
type ItemKinds =
  | ({ kind: 'CAMPAIGN' } & Omit<PlannedCampaign, 'key' | 'phase' | 'adGroups'>)
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

/** The field of the payload to change so that a rejected item can be created; null where the payload does not name it. */
export function fieldOfItem(content: ItemContent, reason: string, payload: LaunchDraft): LaunchField | null {
  if (!isPayloadRejection(reason)) return null
  const field = rejectionOf(reason)?.field
  if (field) return field
  switch (content.kind) {
    case 'CAMPAIGN':
    case 'AD_GROUP':
      return reason === 'FORBIDDEN_CHARS' || reason === 'DUPLICATE_VALUE' ? 'campaignName' : null
    case 'PRODUCT_AD':
      return 'products'
    case 'KEYWORD': {
      const term = normalTerm(content.text)
      return chosenKeywords(payload).some(k => normalTerm(k.keyword) === term) ? 'keywords' : null
    }
    case 'PRODUCT_TARGET':
      if (content.match === 'CATEGORY')
        return chosenCategories(payload).some(c => c.id === content.value) ? 'categories' : null
      return chosenProductTargets(payload).some(t => t.asin === content.value) ? 'productTargets' : null
    case 'NEGATIVE_KEYWORD': {
      const { text, matchType = 'NEGATIVE_EXACT' } = content
      const ofMatch = chosenNegatives(payload).filter(n => n.matchType === matchType)
      return ofMatch.some(n => normalTerm(n.keyword) === normalTerm(text)) ? 'negativeKeywords' : null
    }
    default:
      return null
  }
}

function itemsOfGroup(group: PlannedAdGroup, campaign: PlannedCampaign): LaunchItem[] {
  const key = `group:${group.key}`
  const { phase, name } = group
  const under = (step: StepName, id: string | number, label: string, content: ItemKinds): LaunchItem => ({
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
      parentKey: `campaign:${campaign.key}`,
      label: `${campaign.name} › ${name}`,
      content: { kind: 'AD_GROUP', phase, name, defaultBidMicros: group.defaultBid.micros },
    },
    ...group.products.map(({ asin, sku }) =>
      under('PRODUCT_ADS', asin, `${asin} in ${name}`, { kind: 'PRODUCT_AD', asin, sku }),
    ),
    ...group.keywords.map(({ text, matchType, bid: { micros: bidMicros } }, i) =>
      under('KEYWORDS', i, `${text} (${matchType.toLowerCase()})`, { kind: 'KEYWORD', text, matchType, bidMicros }),
    ),
    ...group.autoTargets.map(({ group: auto, bid: { micros: bidMicros } }) =>
      under('AUTO_TARGETS', auto, autoGroups[auto], { kind: 'AUTO_TARGET', group: auto, bidMicros }),
    ),
    ...group.targets.map(({ match, value, name: label, bid: { micros: bidMicros } }) => {
      const content = { kind: 'PRODUCT_TARGET', match, value, bidMicros } as const
      return under('PRODUCT_TARGETS', `${match}-${value}`, label ?? value, content)
    }),
    ...group.negativeKeywords.map((text, i) =>
      under('NEGATIVE_KEYWORDS', i, `${text} kept out of ${name}`, { kind: 'NEGATIVE_KEYWORD', text }),
    ),
    ...group.negativePhrases.map((text, i) => {
      const content = { kind: 'NEGATIVE_KEYWORD', text, matchType: 'NEGATIVE_PHRASE' } as const
      return under('NEGATIVE_KEYWORDS', `phrase-${i}`, `“${text}” as a phrase kept out of ${name}`, content)
    }),
  ]
}

/** Every item of a plan, parents before children; the same plan gives the same items in the same order. */
export function itemsOfPlan({ campaigns }: LaunchPlan): LaunchItem[] {
  return [
    ...campaigns.map(
      ({ key, adGroups: _adGroups, ...campaign }): LaunchItem => ({
        step: 'CAMPAIGNS',
        key: `campaign:${key}`,
        parentKey: null,
        label: campaign.name,
        content: { kind: 'CAMPAIGN', ...campaign },
      }),
    ),
    ...campaigns.flatMap(campaign => campaign.adGroups.flatMap(group => itemsOfGroup(group, campaign))),
    ...campaigns.map(
      ({ key, name }): LaunchItem => ({
        step: 'ENABLE',
        key: `enable:${key}`,
        parentKey: `campaign:${key}`,
        label: name,
        content: { kind: 'ENABLE' },
      }),
    ),
  ]
}
