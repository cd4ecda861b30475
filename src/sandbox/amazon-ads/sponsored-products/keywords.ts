import type { Keyword, NegativeKeyword } from '../../core/model/store.ts'
import { type Entity, type Field } from '../entities/entity-kind.ts'
import { amount, fixedWord, inCampaign, keywordText, nativeLanguage, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import type { Item } from '../entities/read-fields.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { clauseStatus, inNamedAdGroup, marketplaceBids, names } from './family.ts'

/** An ad group of a MANUAL campaign holds keywords or product targets, not both. */
export function manualTargeting(other: 'keywords' | 'targets'): Field<Entity> {
  return {
    read({ caller, before, draft }) {
      if (before) return undefined
      const { store } = caller.world
      if (store.campaigns.get(draft.campaignId ?? '')?.targetingType === 'AUTO')
        throw itemError('targetingClauseSetupError', 'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN', {
          message: 'A campaign with automatic targeting takes no manual targeting',
          field: 'campaignId',
          trigger: draft.campaignId,
        })
      refuseOtherTargeting(store[other].values(), draft.adGroupId)
      return undefined
    },
  }
}

/** Throws when the ad group holds one of these clauses. */
export function refuseOtherTargeting(others: Iterable<Entity>, adGroupId: string | null | undefined): void {
  for (const other of others)
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED')
      throw itemError('targetingClauseSetupError', 'TYPE_CONFLICT_IN_AD_GROUP', {
        message: 'An ad group holds keywords or product targets, not both',
        field: 'adGroupId',
        trigger: adGroupId,
      })
}

export const bid = amount<Entity>({ name: 'bid', column: 'bidMicros', range: marketplaceBids, fallback: () => null })

/** Filters of keywords and negatives, which differ in the name of the one by text. */
function passesKeyword(textFilter: string) {
  return (keyword: Keyword | NegativeKeyword, filter: Item): boolean => {
    const types = filter.matchTypeFilter as string[] | null | undefined
    if (filter.locale && keyword.nativeLanguageLocale !== filter.locale) return false
    return (!types || types.includes(keyword.matchType)) && matchesText(keyword.keywordText, filter[textFilter])
  }
}

export const keywords: BatchKind<Keyword> = {
  ...names('keyword'),
  collection: 'keywords',
  id: 'keywordId',
  fields: [
    fixedWord('matchType', ['BROAD', 'PHRASE', 'EXACT']),
    state,
    inNamedAdGroup,
    manualTargeting('targets'),
    keywordText(() => 10, 'The keyword exists in this ad group already'),
    bid,
    nativeLanguage,
  ],
  servingStatus: clauseStatus,
  passes: passesKeyword('keywordTextFilter'),
}

/** An exact negative takes more words than a phrase. */
export const maxNegativeWords = (matchType: string): number => (matchType === 'NEGATIVE_EXACT' ? 10 : 4)
// NEGATIVE_BROAD is in the specification's list but in no guide; it is taken for unsupported.
const negativeFields: readonly Field<NegativeKeyword>[] = [
  fixedWord('matchType', ['NEGATIVE_EXACT', 'NEGATIVE_PHRASE']),
  state,
]
const negativeText = keywordText(maxNegativeWords, 'The negative keyword exists already')

/** The negatives of a whole campaign; the same collection has those of ad groups. */
export const onCampaign: Field<Entity> = {
  read: scope => (scope.before ? undefined : { ...inCampaign.read?.(scope), adGroupId: null }),
}
export const isOnCampaign = ({ adGroupId }: Entity): boolean => adGroupId === null
export const isInAdGroup = ({ adGroupId }: Entity): boolean => adGroupId !== null

// Both kinds have one name of the id in replies to changes and another, `keywordId`, in updates and lists.
export const negativeKeywords: BatchKind<NegativeKeyword> = {
  ...names('negativeKeyword'),
  collection: 'negativeKeywords',
  id: 'keywordId',
  includes: isInAdGroup,
  fields: [...negativeFields, inNamedAdGroup, negativeText, nativeLanguage],
  servingStatus: clauseStatus,
  passes: passesKeyword('negativeKeywordTextFilter'),
}

// Negatives of whole campaigns have no language of their own in the specification.
export const campaignNegativeKeywords: BatchKind<NegativeKeyword> = {
  ...names('campaignNegativeKeyword'),
  collection: 'negativeKeywords',
  id: 'keywordId',
  includes: isOnCampaign,
  fields: [...negativeFields, onCampaign, negativeText],
  servingStatus: clauseStatus,
  passes: passesKeyword('campaignNegativeKeywordTextFilter'),
}
