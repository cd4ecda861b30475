import type { NegativeTarget } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import { type EntityKind, parentAdGroup, parentCampaign } from '../entities/entity-kind.ts'
import { expressionKey, negativeTypes, readExpression, resolveExpression } from './expressions.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { optionalState, requiredState, requiredText } from '../entities/read-fields.ts'
import { clauseStatus } from '../entities/serving-status.ts'

type Names = Pick<
  EntityKind<NegativeTarget>,
  'path' | 'mediaType' | 'key' | 'successId' | 'successObject' | 'deleteFilter'
> & { onCampaign: boolean }

const negativeTargetKind = ({ onCampaign, ...names }: Names): EntityKind<NegativeTarget> => ({
  ...names,
  itemId: 'targetId',
  *all(store) {
    for (const negative of store.negativeTargets.values())
      if ((negative.adGroupId === null) === onCampaign) yield negative
  },
  find(store, id) {
    const negative = store.negativeTargets.get(id)
    return negative && (negative.adGroupId === null) === onCampaign ? negative : undefined
  },
  idOf: negative => negative.targetId,
  put: (store, negative) => store.negativeTargets.set(negative.targetId, negative),

  create(caller, item) {
    const state = requiredState(item)
    const expression = readExpression(item, negativeTypes, true)
    const campaignId = requiredText(item, 'campaignId')
    const adGroupId = onCampaign
      ? (parentCampaign(caller, campaignId), null)
      : parentAdGroup(caller, campaignId, requiredText(item, 'adGroupId')).adGroup.adGroupId
    const key = expressionKey(expression)
    for (const other of entriesBy(caller.world.store.negativeTargets, 'campaignId', campaignId).values())
      if (
        other.campaignId === campaignId &&
        other.adGroupId === adGroupId &&
        other.state !== 'ARCHIVED' &&
        expressionKey(other.expression) === key
      )
        throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
          message: 'The negative target exists already',
          field: 'expression',
          trigger: expression,
        })
    return {
      targetId: newEntityId(),
      adGroupId,
      campaignId,
      profileId: caller.profile.profileId,
      expression,
      state,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (_caller, negative, item) => ({ ...negative, state: optionalState(item) ?? negative.state }),

  toWire: (negative, { world }) => ({
    targetId: negative.targetId,
    ...(negative.adGroupId !== null && { adGroupId: negative.adGroupId }),
    campaignId: negative.campaignId,
    expression: negative.expression,
    resolvedExpression: resolveExpression(world.store, negative.expression),
    state: negative.state,
  }),
  servingStatus: clauseStatus,
  passes: (negative, filter) =>
    !filter.asinFilter || negative.expression.some(({ value = '' }) => matchesText(value, filter.asinFilter)),
})

export const negativeTargets = negativeTargetKind({
  path: '/sp/negativeTargets',
  mediaType: 'application/vnd.spNegativeTargetingClause.v3+json',
  key: 'negativeTargetingClauses',
  successId: 'targetId',
  successObject: 'negativeTargetingClause',
  deleteFilter: 'negativeTargetIdFilter',
  onCampaign: false,
})

export const campaignNegativeTargets = negativeTargetKind({
  path: '/sp/campaignNegativeTargets',
  mediaType: 'application/vnd.spCampaignNegativeTargetingClause.v3+json',
  key: 'campaignNegativeTargetingClauses',
  successId: 'campaignNegativeTargetingClauseId',
  // Plural: so it is in the specification.
  successObject: 'campaignNegativeTargetingClauses',
  deleteFilter: 'campaignNegativeTargetIdFilter',
  onCampaign: true,
})
