import type { NegativeKeyword } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import { type EntityKind, parentAdGroup, parentCampaign } from '../entities/entity-kind.ts'
import { matchesText } from '../entities/list-filters.ts'
import {
  optionalState,
  requiredEnum,
  requiredState,
  requiredText,
  nativeLanguageOf,
  readNativeLanguage,
} from '../entities/read-fields.ts'
import { checkKeywordText } from '../limits/keyword-text.ts'
import { clauseStatus } from '../entities/serving-status.ts'
import { refuseSameKeyword } from '../entities/refuse-duplicates.ts'

// NEGATIVE_BROAD is in the specification's list but in no guide; it is taken for unsupported.
const matchTypes = ['NEGATIVE_EXACT', 'NEGATIVE_PHRASE'] as const
const MOST_WORDS = { NEGATIVE_EXACT: 10, NEGATIVE_PHRASE: 4 }

type Names = Pick<
  EntityKind<NegativeKeyword>,
  'path' | 'mediaType' | 'key' | 'successId' | 'successObject' | 'deleteFilter'
> & { onCampaign: boolean; textFilter: string }

// Both kinds give one id's name out and take another: `keywordId` in updates and lists.
const negativeKeywordKind = ({ onCampaign, textFilter, ...names }: Names): EntityKind<NegativeKeyword> => ({
  ...names,
  itemId: 'keywordId',
  *all(store) {
    for (const negative of store.negativeKeywords.values())
      if ((negative.adGroupId === null) === onCampaign) yield negative
  },
  find(store, id) {
    const negative = store.negativeKeywords.get(id)
    return negative && (negative.adGroupId === null) === onCampaign ? negative : undefined
  },
  idOf: negative => negative.keywordId,
  put: (store, negative) => store.negativeKeywords.set(negative.keywordId, negative),

  create(caller, item) {
    const matchType = requiredEnum(item, 'matchType', matchTypes)
    const state = requiredState(item)
    const campaignId = requiredText(item, 'campaignId')
    const adGroupId = onCampaign
      ? (parentCampaign(caller, campaignId), null)
      : parentAdGroup(caller, campaignId, requiredText(item, 'adGroupId')).adGroup.adGroupId
    const keywordText = checkKeywordText(requiredText(item, 'keywordText'), MOST_WORDS[matchType])
    const inCampaign = [...entriesBy(caller.world.store.negativeKeywords, 'campaignId', campaignId).values()]
    const siblings = inCampaign.filter(other => other.adGroupId === adGroupId)
    refuseSameKeyword(siblings, { matchType, keywordText }, 'The negative keyword exists already')
    return {
      keywordId: newEntityId(),
      adGroupId,
      campaignId,
      profileId: caller.profile.profileId,
      keywordText,
      matchType,
      state,
      // Negatives of whole campaigns have no language of their own in the specification.
      ...(!onCampaign && readNativeLanguage(item)),
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (_caller, negative, item) => ({ ...negative, state: optionalState(item) ?? negative.state }),

  toWire: negative => ({
    keywordId: negative.keywordId,
    ...(negative.adGroupId !== null && { adGroupId: negative.adGroupId }),
    campaignId: negative.campaignId,
    keywordText: negative.keywordText,
    matchType: negative.matchType,
    state: negative.state,
    ...nativeLanguageOf(negative),
  }),
  servingStatus: clauseStatus,

  passes(negative, filter) {
    const types = filter.matchTypeFilter as string[] | null | undefined
    if (filter.locale && negative.nativeLanguageLocale !== filter.locale) return false
    return (!types || types.includes(negative.matchType)) && matchesText(negative.keywordText, filter[textFilter])
  },
})

export const negativeKeywords = negativeKeywordKind({
  path: '/sp/negativeKeywords',
  mediaType: 'application/vnd.spNegativeKeyword.v3+json',
  key: 'negativeKeywords',
  successId: 'negativeKeywordId',
  successObject: 'negativeKeyword',
  deleteFilter: 'negativeKeywordIdFilter',
  textFilter: 'negativeKeywordTextFilter',
  onCampaign: false,
})

export const campaignNegativeKeywords = negativeKeywordKind({
  path: '/sp/campaignNegativeKeywords',
  mediaType: 'application/vnd.spCampaignNegativeKeyword.v3+json',
  key: 'campaignNegativeKeywords',
  successId: 'campaignNegativeKeywordId',
  successObject: 'campaignNegativeKeyword',
  deleteFilter: 'campaignNegativeKeywordIdFilter',
  textFilter: 'campaignNegativeKeywordTextFilter',
  onCampaign: true,
})
