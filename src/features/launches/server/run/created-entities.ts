import type { Profile } from '#features/accounts/server/public.ts'
import type { Created } from '#features/structure/server/public.ts'
import type { JournalItem } from '../sql/items.ts'
import { biddingOf } from '../steps/campaign-steps.ts'
import { expressionOf } from '../steps/group-steps.ts'

type Kind = keyof Created
type Entities = { [K in Kind]: Created[K][number][] }

interface Place {
  id: string
  campaignId: string
  adGroupId: string
  state: 'ENABLED' | 'PAUSED' | 'ARCHIVED'
}

const observed = { servingStatus: null, createdAt: null, updatedAt: null }

const addTarget = (created: Entities, { content }: JournalItem, { id, ...place }: Place): void => {
  if (content.kind !== 'AUTO_TARGET' && content.kind !== 'PRODUCT_TARGET') return
  const isAuto = content.kind === 'AUTO_TARGET'
  const expression = isAuto ? [{ type: content.group, value: null }] : expressionOf(content.match, content.value)
  created.targets.push({
    ...observed,
    ...place,
    targetId: id,
    expressionType: isAuto ? 'AUTO' : 'MANUAL',
    expression,
    resolvedExpression: expression,
    bidMicros: content.bidMicros,
  })
}

const addEntity = (created: Entities, item: JournalItem, { id, ...place }: Place, isVendor: boolean): void => {
  const { content } = item
  switch (content.kind) {
    case 'AD_GROUP': {
      const { name, defaultBidMicros } = content
      created.adGroups.push({ ...observed, ...place, adGroupId: id, name, defaultBidMicros })
      return
    }
    case 'PRODUCT_AD':
      created.productAds.push({
        ...observed,
        ...place,
        adId: id,
        asin: content.asin,
        sku: isVendor ? null : content.sku,
      })
      return
    case 'KEYWORD': {
      const { text, matchType, bidMicros } = content
      created.keywords.push({ ...observed, ...place, keywordId: id, text, matchType, bidMicros })
      return
    }
    case 'NEGATIVE_KEYWORD': {
      const { text, matchType = 'NEGATIVE_EXACT' } = content
      created.negativeKeywords.push({ ...observed, ...place, keywordId: id, text, matchType })
      return
    }
    default:
      addTarget(created, item, { id, ...place })
  }
}

const addCampaign = (
  created: Entities,
  { content }: JournalItem,
  { campaignId, state }: Place,
  today: string,
): void => {
  if (content.kind !== 'CAMPAIGN') return
  const { name, targetingType, dailyBudgetMicros } = content
  created.campaigns.push({
    ...observed,
    campaignId,
    name,
    state,
    targetingType,
    dailyBudgetMicros,
    bidding: biddingOf(content),
    startDate: today,
    endDate: null,
    portfolioId: null,
    tags: {},
  })
}

/**
 * What a launch made and the mirror does not have yet, as the marketplace holds it: from the journal, so that nothing
 * need be asked again. Campaigns stand ENABLED where the last step got to, and ARCHIVED once taken back.
 */
export const createdEntities = (
  items: readonly JournalItem[],
  profile: Pick<Profile, 'accountType'>,
  today: string,
  wanted: (item: JournalItem) => boolean = () => true,
): Created => {
  const created: Entities = {
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
  const above = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  // Of what was saved before only another state is news.
  const isNews = (i: JournalItem) => !i.saved || i.state === 'ARCHIVED' || switched.has(i.key)
  for (const item of made.filter(i => isNews(i) && wanted(i))) {
    const id = item.amazonId ?? ''
    const isArchived = item.state === 'ARCHIVED'
    if (item.step === 'CAMPAIGNS') {
      const state = isArchived ? 'ARCHIVED' : enabled.has(item.key) ? 'ENABLED' : 'PAUSED'
      addCampaign(created, item, { id, campaignId: id, adGroupId: '', state }, today)
      continue
    }
    const parent = above(item)
    const campaign = parent?.step === 'CAMPAIGNS' ? parent : above(parent)
    const place = { id, campaignId: campaign?.amazonId ?? '', adGroupId: parent?.amazonId ?? '' }
    addEntity(created, item, { ...place, state: isArchived ? 'ARCHIVED' : 'ENABLED' }, profile.accountType === 'vendor')
  }
  return created
}
