import { fromMicros } from '#shared/money.ts'
import type { DisplayExpression, DisplayNegativeTarget, DisplayTarget } from '../../core/model/display.ts'
import type { EntityId, EntityState } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { ArrayKind } from '../arrays/array-kind.ts'
import { optionalAmount, requiredId, requiredWord, stateOfChange, stateOfNew } from '../arrays/read-words.ts'
import { wholeId } from '../arrays/whole-ids.ts'
import { itemError } from '../entities/item-error.ts'
import type { Item } from '../entities/read-fields.ts'
import { readDisplayExpression, readNegativeExpression, resolveDisplayExpression } from './display-expression.ts'
import { displayAdGroupFor, displayBidsFor, displayCampaignFor, displayParents, jsonTypes } from './display-parents.ts'
import { extendedClause } from './display-status.ts'

type Clause = DisplayTarget | DisplayNegativeTarget

const expressionTypes = ['MANUAL', 'AUTO'] as const

const checkNew = (
  others: Iterable<{ adGroupId: EntityId; state: EntityState; expression: DisplayExpression[] }>,
  adGroupId: EntityId,
  expression: DisplayExpression[],
): void => {
  const key = JSON.stringify(expression)
  for (const other of others)
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED' && JSON.stringify(other.expression) === key)
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
        message: 'The target exists in this ad group already',
        field: 'expression',
        trigger: expression,
      })
}

const newClause = (caller: AdsCaller, item: Item) => {
  const expressionType = requiredWord(item, 'expressionType', expressionTypes)
  const state = stateOfNew(item)
  const { campaign, adGroup } = displayAdGroupFor(caller, requiredId(item, 'adGroupId'))
  return {
    campaign,
    clause: {
      targetId: newEntityId(),
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      expressionType,
      state,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    },
  }
}

const common = (clause: Clause, { world }: AdsCaller) => ({
  targetId: wholeId(clause.targetId),
  adGroupId: wholeId(clause.adGroupId),
  campaignId: wholeId(clause.campaignId),
  expressionType: clause.expressionType.toLowerCase(),
  expression: clause.expression,
  resolvedExpression: resolveDisplayExpression(world.store, clause.expression),
  state: clause.state.toLowerCase(),
})

const filters = {
  targetIdFilter: (clause: Clause) => clause.targetId,
  adGroupIdFilter: (clause: Clause) => clause.adGroupId,
  campaignIdFilter: (clause: Clause) => clause.campaignId,
}

/** Targets of Sponsored Display: products, categories, audiences. */
export const displayTargets: ArrayKind<DisplayTarget> = {
  path: '/sd/targets',
  idName: 'targetId',
  filters,
  types: jsonTypes,
  all: store => store.displayTargets.values(),
  find: (store, id) => store.displayTargets.get(id),
  idOf: target => target.targetId,
  put: (store, target) => store.displayTargets.set(target.targetId, target),
  parentsOf: displayParents,

  create(caller, item) {
    const { campaign, clause } = newClause(caller, item)
    const expression = readDisplayExpression(item, campaign)
    if (clause.expressionType === 'AUTO' && expression[0]?.type !== 'similarProduct')
      throw itemError('targetingClauseSetupError', 'TARGETING_EXPRESSION_INVALID_VALUE', {
        message: 'Only similar products are targeted automatically',
        field: 'expressionType',
        trigger: 'auto',
      })
    checkNew(caller.world.store.displayTargets.values(), clause.adGroupId, expression)
    const bidMicros = optionalAmount(caller, item, 'bid', displayBidsFor(caller, campaign)) ?? null
    return { ...clause, expression, bidMicros }
  },
  update(caller, target, item) {
    const range = displayBidsFor(caller, displayCampaignFor(caller, target.campaignId))
    const bid = optionalAmount(caller, item, 'bid', range)
    return {
      ...target,
      state: stateOfChange(item, target.state),
      // Null gives the target its ad group's bid again.
      bidMicros: item.bid === null ? null : (bid ?? target.bidMicros),
    }
  },

  toWire: (target, caller) => ({
    ...common(target, caller),
    ...(target.bidMicros !== null && { bid: fromMicros(target.bidMicros) }),
  }),
  extended: extendedClause,
}

/** Negative targets of Sponsored Display: a product or a brand each. */
export const displayNegativeTargets: ArrayKind<DisplayNegativeTarget> = {
  path: '/sd/negativeTargets',
  idName: 'targetId',
  filters,
  types: jsonTypes,
  all: store => store.displayNegativeTargets.values(),
  find: (store, id) => store.displayNegativeTargets.get(id),
  idOf: target => target.targetId,
  put: (store, target) => store.displayNegativeTargets.set(target.targetId, target),
  parentsOf: displayParents,

  create(caller, item) {
    const { clause } = newClause(caller, item)
    const expression = readNegativeExpression(item)
    checkNew(caller.world.store.displayNegativeTargets.values(), clause.adGroupId, expression)
    return { ...clause, expression }
  },
  update: (_caller, target, item) => ({ ...target, state: stateOfChange(item, target.state) }),
  // Of the campaign and of what ids mean, negative targets tell less than the others.
  toWire: (target, caller) => ({ ...common(target, caller), campaignId: undefined }),
  extended: (target, caller) => ({ ...extendedClause(target, caller), resolvedExpression: undefined }),
}
