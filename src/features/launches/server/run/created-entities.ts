import type { Profile } from '#features/accounts/server/public.ts'
import type { Created } from '#features/structure/server/public.ts'
import type { JournalItem } from '../sql/items.ts'
import { biddingOf } from './campaign-steps.ts'
import { expressionOf } from './group-steps.ts'

const observed = { servingStatus: null, createdAt: null, updatedAt: null }

/**
 * What a launch made and the mirror does not have yet, as the marketplace holds it: from the journal, so that nothing need be asked again. Campaigns
 * stand ENABLED where the last step got to, and ARCHIVED once taken back.
 */
export const createdEntities = (
  items: readonly JournalItem[],
  profile: Pick<Profile, 'accountType'>,
  today: string,
): Created => {
  const created: { [K in keyof Created]: Created[K][number][] } = {
    campaigns: [],
    adGroups: [],
    productAds: [],
    keywords: [],
    targets: [],
    negativeKeywords: [],
    negativeTargets: [],
  }
  const made = items.filter(i => i.amazonId && (i.state === 'CREATED' || i.state === 'ARCHIVED'))
  const byKey = new Map(made.map(i => [i.key, i]))
  const enabled = new Set(made.filter(i => i.step === 'ENABLE').map(i => i.parentKey))
  const switched = new Set(made.filter(i => i.step === 'ENABLE' && !i.saved).map(i => i.parentKey))
  // What was saved before may have been edited since, and is the mirror's own.
  for (const item of made.filter(i => !i.saved || i.state === 'ARCHIVED' || switched.has(i.key))) {
    const id = item.amazonId ?? ''
    const parent = item.parentKey ? byKey.get(item.parentKey) : undefined
    const campaign = parent?.step === 'CAMPAIGNS' ? parent : parent?.parentKey ? byKey.get(parent.parentKey) : undefined
    const state = item.state === 'ARCHIVED' ? ('ARCHIVED' as const) : ('ENABLED' as const)
    const base = { ...observed, campaignId: campaign?.amazonId ?? '', adGroupId: parent?.amazonId ?? '', state }
    const { content } = item
    switch (content.kind) {
      case 'CAMPAIGN':
        created.campaigns.push({
          ...observed,
          campaignId: id,
          name: content.name,
          state: state === 'ARCHIVED' ? state : enabled.has(item.key) ? 'ENABLED' : 'PAUSED',
          targetingType: content.targetingType,
          dailyBudgetMicros: content.dailyBudgetMicros,
          bidding: biddingOf(content),
          startDate: today,
          endDate: null,
          portfolioId: null,
          tags: {},
        })
        break
      case 'AD_GROUP':
        created.adGroups.push({
          ...base,
          adGroupId: id,
          name: content.name,
          defaultBidMicros: content.defaultBidMicros,
        })
        break
      case 'PRODUCT_AD': {
        const { asin, sku } = content
        created.productAds.push({ ...base, adId: id, asin, sku: profile.accountType === 'vendor' ? null : sku })
        break
      }
      case 'KEYWORD':
        created.keywords.push({
          ...base,
          keywordId: id,
          text: content.text,
          matchType: content.matchType,
          bidMicros: content.bidMicros,
        })
        break
      case 'AUTO_TARGET':
      case 'PRODUCT_TARGET': {
        const expression =
          content.kind === 'AUTO_TARGET'
            ? [{ type: content.group, value: null }]
            : expressionOf(content.match, content.value)
        created.targets.push({
          ...base,
          targetId: id,
          expressionType: content.kind === 'AUTO_TARGET' ? 'AUTO' : 'MANUAL',
          expression,
          resolvedExpression: expression,
          bidMicros: content.bidMicros,
        })
        break
      }
      case 'NEGATIVE_KEYWORD':
        created.negativeKeywords.push({ ...base, keywordId: id, text: content.text, matchType: 'NEGATIVE_EXACT' })
        break
      case 'ENABLE':
        break
    }
  }
  return created
}
