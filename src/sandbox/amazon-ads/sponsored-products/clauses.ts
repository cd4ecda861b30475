import type { Expression, Keyword, NegativeKeyword, NegativeTarget, Target } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import type { Entity, Field } from '../entities/entity-kind.ts'
import {
  amount,
  expressionKey,
  fixedWord,
  inCampaign,
  keywordText,
  nativeLanguage,
  refuseSameExpression,
  state,
} from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { manualTypes, negativeTypes, readExpression, resolveExpression } from './expressions.ts'
import { inNamedAdGroup, marketplaceBids, names } from './family.ts'

export function refuseOtherTargeting(others: ReadonlyMap<string, Entity>, { adGroupId }: Entity): void {
  for (const other of entriesBy(others, 'adGroupId', adGroupId).values())
    if (other.state !== 'ARCHIVED')
      throw itemError('TYPE_CONFLICT_IN_AD_GROUP', 'An ad group holds keywords or product targets, not both', {
        adGroupId,
      })
}

/** An ad group of a MANUAL campaign holds keywords or product targets, not both. */
const manualTargeting = (other: 'keywords' | 'targets'): Field => ({
  once: true,
  read({ caller: { world }, draft }) {
    const { campaignId } = draft
    if (world.store.campaigns.get(campaignId ?? '')?.targetingType === 'AUTO')
      throw itemError(
        'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN',
        'A campaign with automatic targeting takes no manual targeting',
        { campaignId },
      )
    refuseOtherTargeting(world.store[other], draft)
    return undefined
  },
})

const bid = amount({ name: 'bid', column: 'bidMicros', range: marketplaceBids, fallback: () => null })
const status = { prefix: 'TARGETING_CLAUSE', live: 'TARGETING_CLAUSE_STATUS_LIVE', campaignFirst: true }

/** Filters of keywords and negatives, which differ in the name of the one by text. */
const keywordFilters = (textFilter: string): NonNullable<BatchKind<Keyword | NegativeKeyword>['filters']> => ({
  locale: keyword => keyword.nativeLanguageLocale,
  matchTypeFilter: keyword => keyword.matchType,
  [textFilter]: keyword => keyword.keywordText,
})

const keywords: BatchKind<Keyword> = {
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
  status,
  filters: keywordFilters('keywordTextFilter'),
}

/** An exact negative takes more words than a phrase. */
export const maxNegativeWords = (matchType: string): number => (matchType === 'NEGATIVE_EXACT' ? 10 : 4)
// NEGATIVE_BROAD is in the specification's list but in no guide; it is taken for unsupported.
const negativeMatchType = fixedWord('matchType', ['NEGATIVE_EXACT', 'NEGATIVE_PHRASE'])
const negativeText = keywordText(maxNegativeWords, 'The negative keyword exists already')

/** The negatives of a whole campaign; the same collection has those of ad groups. */
const onCampaign: Field = { once: true, read: scope => ({ ...inCampaign.read?.(scope), adGroupId: null }) }
const isOnCampaign = ({ adGroupId }: Entity): boolean => adGroupId === null
const isInAdGroup = ({ adGroupId }: Entity): boolean => adGroupId !== null

// Both kinds have one name of the id in replies to changes and another, `keywordId`, in updates and lists.
const negativeKeywords: BatchKind<NegativeKeyword> = {
  ...names('negativeKeyword'),
  collection: 'negativeKeywords',
  id: 'keywordId',
  includes: isInAdGroup,
  fields: [negativeMatchType, state, inNamedAdGroup, negativeText, nativeLanguage],
  status,
  filters: keywordFilters('negativeKeywordTextFilter'),
}

// Negatives of whole campaigns have no language of their own in the specification.
const campaignNegativeKeywords: BatchKind<NegativeKeyword> = {
  ...names('campaignNegativeKeyword'),
  collection: 'negativeKeywords',
  id: 'keywordId',
  includes: isOnCampaign,
  fields: [negativeMatchType, state, onCampaign, negativeText],
  status,
  filters: keywordFilters('campaignNegativeKeywordTextFilter'),
}

type WithExpression = Entity & { expression: Expression[] }

/** The expression of a target; its siblings have others. */
const expression = (types: readonly string[], isNegative: boolean, message: string): Field<WithExpression> => ({
  once: true,
  read(scope) {
    const read = readExpression(scope.item.expression, types, { isNegative })
    refuseSameExpression(scope, read, { keyOf: expressionKey, field: 'expression', message })
    return { expression: read }
  },
  write: (target, { caller }) => ({
    expression: target.expression,
    resolvedExpression: resolveExpression(caller.world.store, target.expression),
  }),
})

const asinFilter = (target: WithExpression): string[] => target.expression.map(({ value = '' }) => value)

/** Automatic targets appear with their ad group; no call can create them. */
const refuseAutomatic: Field<Target> = {
  once: true,
  read({ draft: { expressionType } }) {
    if (expressionType === 'AUTO')
      throw itemError(
        'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY',
        'Automatic targets appear with their ad group',
        { expressionType },
      )
    return undefined
  },
}

/** Product and category targets, and the automatic ones, which can be changed but not archived. */
const targets: BatchKind<Target> = {
  ...names('target', { successObject: 'targetingClause' }),
  collection: 'targets',
  id: 'targetId',
  fields: [
    state,
    fixedWord('expressionType', ['AUTO', 'MANUAL']),
    refuseAutomatic,
    inNamedAdGroup,
    manualTargeting('keywords'),
    expression(manualTypes, false, 'The target exists in this ad group already'),
    bid,
  ],
  checkArchive(target) {
    if (target.expressionType === 'AUTO')
      throw itemError('AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY', 'Automatic targets cannot be archived')
  },
  status,
  filters: { expressionTypeFilter: target => target.expressionType, asinFilter },
}

const negativeExpression = expression(negativeTypes, true, 'The negative target exists already')

const negativeTargets: BatchKind<NegativeTarget> = {
  ...names('negativeTarget', { successObject: 'negativeTargetingClause', successId: 'targetId' }),
  collection: 'negativeTargets',
  id: 'targetId',
  includes: isInAdGroup,
  fields: [state, inNamedAdGroup, negativeExpression],
  status,
  filters: { asinFilter },
}

const campaignNegativeTargets: BatchKind<NegativeTarget> = {
  ...names('campaignNegativeTarget', {
    // Plural: so it is in the specification.
    successObject: 'campaignNegativeTargetingClauses',
    successId: 'campaignNegativeTargetingClauseId',
  }),
  collection: 'negativeTargets',
  id: 'targetId',
  includes: isOnCampaign,
  fields: [state, onCampaign, negativeExpression],
  status,
  filters: { asinFilter },
}

export const clauseCalls = [
  keywords,
  negativeKeywords,
  campaignNegativeKeywords,
  targets,
  negativeTargets,
  campaignNegativeTargets,
].flatMap(batchCalls)
