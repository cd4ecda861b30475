import type { BrandNegativeKeyword } from '../../../core/model/brands.ts'
import { newEntityId } from '../../../core/new-id.ts'
import { badEnum } from '../../ads-failure.ts'
import type { ArrayKind } from '../../arrays/array-kind.ts'
import { stateOfChange } from '../../arrays/read-words.ts'
import { wholeId } from '../../arrays/whole-ids.ts'
import { requiredText } from '../../entities/read-fields.ts'
import { checkKeywordText } from '../../limits/keyword-text.ts'
import { brandParents, checkParentsSaid, hasCreativeType, keywordRefusal, newClause } from './brand-clause.ts'
import { refuseSameKeyword } from '../../entities/refuse-duplicates.ts'
import { entriesBy } from '../../../core/store/collections.ts'

const matchTypes = { negativeExact: 'NEGATIVE_EXACT', negativePhrase: 'NEGATIVE_PHRASE' } as const
const mostWords = { NEGATIVE_EXACT: 10, NEGATIVE_PHRASE: 4 }
const onWire = { NEGATIVE_EXACT: 'negativeExact', NEGATIVE_PHRASE: 'negativePhrase' }

const isMatchType = (word: string): word is keyof typeof matchTypes => Object.hasOwn(matchTypes, word)

/** Negative keywords of Sponsored Brands, of version 3. */
export const brandNegativeKeywords: ArrayKind<BrandNegativeKeyword> = {
  path: '/sb/negativeKeywords',
  idName: 'keywordId',
  filters: {
    keywordIdFilter: negative => negative.keywordId,
    adGroupIdFilter: negative => negative.adGroupId,
    campaignIdFilter: negative => negative.campaignId,
    matchTypeFilter: negative => onWire[negative.matchType],
  },
  types: {
    change: 'application/vnd.sbkeywordresponse.v3+json',
    one: 'application/vnd.sbnegativekeyword.v3+json',
    list: 'application/vnd.sbnegativekeyword.v3+json',
    others: ['application/vnd.sbnegativekeyword.v3.2+json'],
  },
  all: store => store.brandNegativeKeywords.values(),
  find: (store, id) => store.brandNegativeKeywords.get(id),
  idOf: negative => negative.keywordId,
  put: (store, negative) => store.brandNegativeKeywords.set(negative.keywordId, negative),
  parentsOf: brandParents,

  create(caller, item) {
    const word = requiredText(item, 'matchType')
    if (!isMatchType(word)) throw badEnum(word, 'matchType', Object.keys(matchTypes))
    const matchType = matchTypes[word]
    const { clause } = newClause(caller, item)
    const keywordText = checkKeywordText(requiredText(item, 'keywordText'), mostWords[matchType])
    const siblings = entriesBy(caller.world.store.brandNegativeKeywords, 'adGroupId', clause.adGroupId).values()
    refuseSameKeyword(siblings, { matchType, keywordText }, 'The negative keyword exists already')
    return { keywordId: newEntityId(), ...clause, keywordText, matchType }
  },

  update(_caller, negative, item) {
    checkParentsSaid(negative, item, ['adGroupId', 'campaignId'])
    return { ...negative, state: stateOfChange(item, negative.state) }
  },

  toWire: negative => ({
    keywordId: wholeId(negative.keywordId),
    adGroupId: wholeId(negative.adGroupId),
    campaignId: wholeId(negative.campaignId),
    keywordText: negative.keywordText,
    matchType: onWire[negative.matchType],
    state: negative.state.toLowerCase(),
  }),
  refusal: keywordRefusal,
  passes: (negative, { keywordText, creativeType }, caller) =>
    (!keywordText || negative.keywordText === keywordText) && hasCreativeType(caller, negative.adGroupId, creativeType),
}
