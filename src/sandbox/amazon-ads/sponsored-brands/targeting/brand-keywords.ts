import { fromMicros } from '#shared/money.ts'
import type { BrandKeyword } from '../../../core/model/brands.ts'
import { newEntityId } from '../../../core/new-id.ts'
import type { ArrayKind } from '../../arrays/array-kind.ts'
import { optionalAmount, requiredAmount, requiredWord, stateOfChange } from '../../arrays/read-words.ts'
import { wholeId } from '../../arrays/whole-ids.ts'
import { nativeLanguageOf, readNativeLanguage, requiredText } from '../../entities/read-fields.ts'
import { checkKeywordText } from '../../limits/keyword-text.ts'
import { brandCampaignFor } from '../brand-parents.ts'
import { brandBidsFor, checkBrandTargeting } from './brand-bid.ts'
import { brandParents, checkParentsSaid, hasCreativeType, keywordRefusal, newClause } from './brand-clause.ts'
import { refuseSameKeyword } from '../../entities/refuse-duplicates.ts'
import { entriesBy } from '../../../core/store/collections.ts'

const matchTypes = ['BROAD', 'PHRASE', 'EXACT'] as const
const MOST_WORDS = 10

/** Keywords of Sponsored Brands, still of version 3; a new one is enabled and has a bid of its own. */
export const brandKeywords: ArrayKind<BrandKeyword> = {
  path: '/sb/keywords',
  idName: 'keywordId',
  filters: {
    keywordIdFilter: keyword => keyword.keywordId,
    adGroupIdFilter: keyword => keyword.adGroupId,
    campaignIdFilter: keyword => keyword.campaignId,
    matchTypeFilter: keyword => keyword.matchType.toLowerCase(),
  },
  types: {
    change: 'application/vnd.sbkeywordresponse.v3+json',
    one: 'application/vnd.sbkeyword.v3+json',
    list: 'application/vnd.sbkeyword.v3+json',
    others: ['application/vnd.sbkeyword.v3.2+json'],
  },
  all: store => store.brandKeywords.values(),
  find: (store, id) => store.brandKeywords.get(id),
  idOf: keyword => keyword.keywordId,
  put: (store, keyword) => store.brandKeywords.set(keyword.keywordId, keyword),
  parentsOf: brandParents,

  create(caller, item) {
    const matchType = requiredWord(item, 'matchType', matchTypes)
    const { campaign, clause } = newClause(caller, item)
    checkBrandTargeting(caller, clause.adGroupId, 'keyword')
    const keywordText = checkKeywordText(requiredText(item, 'keywordText'), MOST_WORDS)
    const siblings = entriesBy(caller.world.store.brandKeywords, 'adGroupId', clause.adGroupId).values()
    refuseSameKeyword(siblings, { matchType, keywordText }, 'The keyword exists in this ad group already')
    const bidMicros = requiredAmount(caller, item, 'bid', brandBidsFor(caller, campaign, clause.adGroupId))
    return { keywordId: newEntityId(), ...clause, keywordText, matchType, bidMicros, ...readNativeLanguage(item) }
  },

  update(caller, keyword, item) {
    checkParentsSaid(keyword, item, ['adGroupId', 'campaignId'])
    const range = brandBidsFor(caller, brandCampaignFor(caller, keyword.campaignId), keyword.adGroupId)
    return {
      ...keyword,
      state: stateOfChange(item, keyword.state),
      bidMicros: optionalAmount(caller, item, 'bid', range) ?? keyword.bidMicros,
    }
  },

  toWire: keyword => ({
    keywordId: wholeId(keyword.keywordId),
    adGroupId: wholeId(keyword.adGroupId),
    campaignId: wholeId(keyword.campaignId),
    keywordText: keyword.keywordText,
    matchType: keyword.matchType.toLowerCase(),
    state: keyword.state.toLowerCase(),
    bid: fromMicros(keyword.bidMicros),
    ...nativeLanguageOf(keyword),
  }),
  refusal: keywordRefusal,

  passes(keyword, { keywordText, creativeType, campaignIdFilter }, caller) {
    if (keywordText && keyword.keywordText !== keywordText) return false
    if (!hasCreativeType(caller, keyword.adGroupId, creativeType)) return false
    // Known of the real one: without a filter of campaigns, it misses some. Here: all but a campaign's first ad group.
    if (campaignIdFilter) return true
    const [first] = [...caller.world.store.brandAdGroups.values()].filter(
      adGroup => adGroup.campaignId === keyword.campaignId,
    )
    return first?.adGroupId === keyword.adGroupId
  },
}
