import type { AdGroup, Expression, NegativeTarget, Store, Target } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { Entity, Field } from '../entities/entity-kind.ts'
import { expressionKey, fixedWord, refuseSameExpression, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import type { Item } from '../entities/read-fields.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { autoTypes, manualTypes, negativeTypes, readExpression, resolveExpression } from './expressions.ts'
import { clauseStatus, inNamedAdGroup, names } from './family.ts'
import { bid, isInAdGroup, isOnCampaign, manualTargeting, onCampaign } from './keywords.ts'

/** Gives an ad group the four automatic targets, enabled and without a bid of their own. */
export function addAutoTargets(store: Store, { adGroupId, campaignId, profileId, createdAt }: AdGroup): void {
  for (const type of autoTypes) {
    const targetId = newEntityId()
    const parents = { adGroupId, campaignId, profileId }
    const dates = { createdAt, updatedAt: createdAt }
    const expression = [{ type }]
    store.targets.set(targetId, {
      targetId,
      ...parents,
      expression,
      expressionType: 'AUTO',
      state: 'ENABLED',
      bidMicros: null,
      ...dates,
    })
  }
}

type WithExpression = Entity & { expression: Expression[] }

/** The expression of a target; its siblings have others. */
function expression(types: readonly string[], isNegative: boolean, message: string): Field<WithExpression> {
  return {
    read(scope) {
      if (scope.before) return undefined
      const read = readExpression(scope.item, types, isNegative)
      refuseSameExpression(scope, read, { keyOf: expressionKey, field: 'expression', message })
      return { expression: read }
    },
    write: (target, { caller }) => ({
      expression: target.expression,
      resolvedExpression: resolveExpression(caller.world.store, target.expression),
    }),
  }
}

const passesAsin = (target: WithExpression, filter: Item): boolean =>
  !filter.asinFilter || target.expression.some(({ value = '' }) => matchesText(value, filter.asinFilter))

/** Automatic targets appear with their ad group; no call can create them. */
const refuseAutomatic: Field<Target> = {
  read({ draft, before }) {
    if (!before && draft.expressionType === 'AUTO')
      throw itemError('targetingClauseSetupError', 'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY', {
        message: 'Automatic targets appear with their ad group',
        field: 'expressionType',
        trigger: 'AUTO',
      })
    return undefined
  },
}

/** Product and category targets, and the automatic ones, which can be changed but not archived. */
export const targets: BatchKind<Target> = {
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
      throw itemError('entityStateError', 'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY', {
        message: 'Automatic targets cannot be archived',
      })
  },
  servingStatus: clauseStatus,
  passes(target, filter) {
    const types = (filter.expressionTypeFilter as { include?: string[] } | null | undefined)?.include
    return (!types || types.includes(target.expressionType)) && passesAsin(target, filter)
  },
}

const negativeExpression = expression(negativeTypes, true, 'The negative target exists already')

export const negativeTargets: BatchKind<NegativeTarget> = {
  ...names('negativeTarget', { successObject: 'negativeTargetingClause', successId: 'targetId' }),
  collection: 'negativeTargets',
  id: 'targetId',
  includes: isInAdGroup,
  fields: [state, inNamedAdGroup, negativeExpression],
  servingStatus: clauseStatus,
  passes: passesAsin,
}

export const campaignNegativeTargets: BatchKind<NegativeTarget> = {
  ...names('campaignNegativeTarget', {
    // Plural: so it is in the specification.
    successObject: 'campaignNegativeTargetingClauses',
    successId: 'campaignNegativeTargetingClauseId',
  }),
  collection: 'negativeTargets',
  id: 'targetId',
  includes: isOnCampaign,
  fields: [state, onCampaign, negativeExpression],
  servingStatus: clauseStatus,
  passes: passesAsin,
}
