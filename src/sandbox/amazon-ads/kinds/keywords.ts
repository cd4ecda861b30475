import { fromMicros } from '#shared/money.ts'
import type { Keyword } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import { type EntityKind, parentAdGroup } from '../entities/entity-kind.ts'
import { matchesText } from '../entities/list-filters.ts'
import {
  nativeLanguageOf,
  optionalBid,
  optionalState,
  readNativeLanguage,
  requiredEnum,
  requiredState,
  requiredText,
} from '../entities/read-fields.ts'
import { checkKeywordText } from '../limits/keyword-text.ts'
import { clauseStatus } from '../entities/serving-status.ts'
import { checkManualTargeting } from './targeting-type.ts'
import { refuseSameKeyword } from '../entities/refuse-duplicates.ts'

const matchTypes = ['BROAD', 'PHRASE', 'EXACT'] as const
const MOST_WORDS = 10

/** Keywords of ad groups in MANUAL campaigns that hold no product targets. */
export const keywords: EntityKind<Keyword> = {
  path: '/sp/keywords',
  mediaType: 'application/vnd.spKeyword.v3+json',
  key: 'keywords',
  successId: 'keywordId',
  itemId: 'keywordId',
  successObject: 'keyword',
  deleteFilter: 'keywordIdFilter',
  all: store => store.keywords.values(),
  find: (store, id) => store.keywords.get(id),
  idOf: keyword => keyword.keywordId,
  put: (store, keyword) => store.keywords.set(keyword.keywordId, keyword),

  create(caller, item) {
    const matchType = requiredEnum(item, 'matchType', matchTypes)
    const state = requiredState(item)
    const { campaign, adGroup } = parentAdGroup(
      caller,
      requiredText(item, 'campaignId'),
      requiredText(item, 'adGroupId'),
    )
    checkManualTargeting(caller, campaign, adGroup.adGroupId, 'keyword')
    const keywordText = checkKeywordText(requiredText(item, 'keywordText'), MOST_WORDS)
    const siblings = entriesBy(caller.world.store.keywords, 'adGroupId', adGroup.adGroupId).values()
    refuseSameKeyword(siblings, { matchType, keywordText }, 'The keyword exists in this ad group already')
    return {
      keywordId: newEntityId(),
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      keywordText,
      matchType,
      state,
      bidMicros: optionalBid(item, 'bid', caller.marketplace) ?? null,
      ...readNativeLanguage(item),
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (caller, keyword, item) => ({
    ...keyword,
    state: optionalState(item) ?? keyword.state,
    bidMicros: optionalBid(item, 'bid', caller.marketplace) ?? keyword.bidMicros,
  }),

  toWire: keyword => ({
    keywordId: keyword.keywordId,
    adGroupId: keyword.adGroupId,
    campaignId: keyword.campaignId,
    keywordText: keyword.keywordText,
    matchType: keyword.matchType,
    state: keyword.state,
    ...(keyword.bidMicros !== null && { bid: fromMicros(keyword.bidMicros) }),
    ...nativeLanguageOf(keyword),
  }),
  servingStatus: clauseStatus,

  passes(keyword, filter) {
    const types = filter.matchTypeFilter as string[] | null | undefined
    if (filter.locale && keyword.nativeLanguageLocale !== filter.locale) return false
    return (!types || types.includes(keyword.matchType)) && matchesText(keyword.keywordText, filter.keywordTextFilter)
  },
}
