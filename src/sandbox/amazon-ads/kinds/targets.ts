import { fromMicros } from '#shared/money.ts'
import type { AdGroup, Store, Target } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import { type EntityKind, parentAdGroup } from '../entities/entity-kind.ts'
import { autoTypes, expressionKey, manualTypes, readExpression, resolveExpression } from './expressions.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { optionalBid, optionalState, requiredEnum, requiredState, requiredText } from '../entities/read-fields.ts'
import { clauseStatus } from '../entities/serving-status.ts'
import { checkManualTargeting } from './targeting-type.ts'

/** Gives an ad group the four automatic targets, enabled and without a bid of their own. */
export const addAutoTargets = (store: Store, adGroup: AdGroup): void => {
  for (const type of autoTypes) {
    const targetId = newEntityId()
    store.targets.set(targetId, {
      targetId,
      adGroupId: adGroup.adGroupId,
      campaignId: adGroup.campaignId,
      profileId: adGroup.profileId,
      expression: [{ type }],
      expressionType: 'AUTO',
      state: 'ENABLED',
      bidMicros: null,
      createdAt: adGroup.createdAt,
      updatedAt: adGroup.createdAt,
    })
  }
}

/** Product and category targets, and the automatic ones, which can be changed but neither made nor archived. */
export const targets: EntityKind<Target> = {
  path: '/sp/targets',
  mediaType: 'application/vnd.spTargetingClause.v3+json',
  key: 'targetingClauses',
  successId: 'targetId',
  itemId: 'targetId',
  successObject: 'targetingClause',
  deleteFilter: 'targetIdFilter',
  all: store => store.targets.values(),
  find: (store, id) => store.targets.get(id),
  idOf: target => target.targetId,
  put: (store, target) => store.targets.set(target.targetId, target),

  create(caller, item) {
    const state = requiredState(item)
    if (requiredEnum(item, 'expressionType', ['AUTO', 'MANUAL'] as const) === 'AUTO')
      throw itemError('targetingClauseSetupError', 'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY', {
        message: 'Automatic targets appear with their ad group',
        field: 'expressionType',
        trigger: 'AUTO',
      })
    const expression = readExpression(item, manualTypes)
    const { campaign, adGroup } = parentAdGroup(
      caller,
      requiredText(item, 'campaignId'),
      requiredText(item, 'adGroupId'),
    )
    checkManualTargeting(caller, campaign, adGroup.adGroupId, 'target')
    const key = expressionKey(expression)
    for (const other of entriesBy(caller.world.store.targets, 'adGroupId', adGroup.adGroupId).values())
      if (
        other.adGroupId === adGroup.adGroupId &&
        other.state !== 'ARCHIVED' &&
        expressionKey(other.expression) === key
      )
        throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
          message: 'The target exists in this ad group already',
          field: 'expression',
          trigger: expression,
        })
    return {
      targetId: newEntityId(),
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      expression,
      expressionType: 'MANUAL',
      state,
      bidMicros: optionalBid(item, 'bid', caller.marketplace) ?? null,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (caller, target, item) => ({
    ...target,
    state: optionalState(item) ?? target.state,
    bidMicros: optionalBid(item, 'bid', caller.marketplace) ?? target.bidMicros,
  }),
  checkArchive(target) {
    if (target.expressionType === 'AUTO')
      throw itemError('entityStateError', 'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY', {
        message: 'Automatic targets cannot be archived',
      })
  },

  toWire: (target, { world }) => ({
    targetId: target.targetId,
    adGroupId: target.adGroupId,
    campaignId: target.campaignId,
    expression: target.expression,
    resolvedExpression: resolveExpression(world.store, target.expression),
    expressionType: target.expressionType,
    state: target.state,
    ...(target.bidMicros !== null && { bid: fromMicros(target.bidMicros) }),
  }),
  servingStatus: clauseStatus,

  passes(target, filter) {
    const types = (filter.expressionTypeFilter as { include?: string[] } | null | undefined)?.include
    if (types && !types.includes(target.expressionType)) return false
    return !filter.asinFilter || target.expression.some(({ value = '' }) => matchesText(value, filter.asinFilter))
  },
}
