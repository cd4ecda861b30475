import { fromMicros } from '#shared/money.ts'
import type { BrandNegativeTarget, BrandTarget } from '../../../core/model/brands.ts'
import type { Expression } from '../../../core/model/store.ts'
import { newEntityId } from '../../../core/new-id.ts'
import type { ArrayKind } from '../../arrays/array-kind.ts'
import { optionalAmount, requiredAmount, stateOfChange } from '../../arrays/read-words.ts'
import { wholeId } from '../../arrays/whole-ids.ts'
import { itemError } from '../../entities/item-error.ts'
import { expressionKey } from '../../kinds/expressions.ts'
import { brandCampaignFor } from '../brand-parents.ts'
import { brandBidsFor, checkBrandTargeting } from './brand-bid.ts'
import { type BrandClause, brandParents, checkParentsSaid, newClause } from './brand-clause.ts'
import { expressionsToWire, negativeTargetTypes, readBrandExpression, targetTypes } from './brand-expression.ts'

type Clause = BrandClause & { expression: Expression[] }

const checkNew = (others: Iterable<Clause>, adGroupId: string, expression: readonly Expression[]): void => {
  const key = expressionKey(expression)
  for (const other of others)
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED' && expressionKey(other.expression) === key)
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
        message: 'The target exists in this ad group already',
        field: 'expressions',
        trigger: expression,
      })
}

const filters = {
  targetIdFilter: (target: { targetId: string }) => target.targetId,
  adGroupIdFilter: (target: BrandClause) => target.adGroupId,
  campaignIdFilter: (target: BrandClause) => target.campaignId,
}

/** Product and category targets of Sponsored Brands, of version 3. */
export const brandTargets: ArrayKind<BrandTarget> = {
  path: '/sb/targets',
  idName: 'targetId',
  filters,
  types: {
    change: 'application/vnd.sbtargetresponse.v3+json',
    one: 'application/vnd.sbtarget.v3+json',
    list: 'application/vnd.sblisttargetsresponse.v3.2+json',
    others: ['application/vnd.sblisttargetsresponse.v3+json'],
  },
  all: store => store.brandTargets.values(),
  find: (store, id) => store.brandTargets.get(id),
  idOf: target => target.targetId,
  put: (store, target) => store.brandTargets.set(target.targetId, target),
  parentsOf: brandParents,

  create(caller, item) {
    const { campaign, clause } = newClause(caller, item)
    checkBrandTargeting(caller, clause.adGroupId, 'target')
    const expression = readBrandExpression(item, targetTypes, false)
    checkNew(caller.world.store.brandTargets.values(), clause.adGroupId, expression)
    const bidMicros = requiredAmount(caller, item, 'bid', brandBidsFor(caller, campaign, clause.adGroupId))
    return { targetId: newEntityId(), ...clause, expression, bidMicros }
  },

  update(caller, target, item) {
    checkParentsSaid(target, item, ['adGroupId', 'campaignId'])
    const range = brandBidsFor(caller, brandCampaignFor(caller, target.campaignId), target.adGroupId)
    return {
      ...target,
      state: stateOfChange(item, target.state),
      bidMicros: optionalAmount(caller, item, 'bid', range) ?? target.bidMicros,
    }
  },

  toWire: (target, { world }) => ({
    targetId: wholeId(target.targetId),
    adGroupId: wholeId(target.adGroupId),
    campaignId: wholeId(target.campaignId),
    state: target.state.toLowerCase(),
    bid: fromMicros(target.bidMicros),
    ...expressionsToWire(world.store, target.expression),
  }),
}

/** Negative targets of Sponsored Brands: brands and products, one each. */
export const brandNegativeTargets: ArrayKind<BrandNegativeTarget> = {
  path: '/sb/negativeTargets',
  idName: 'targetId',
  filters,
  types: {
    change: 'application/vnd.sbnegativetarget.v3+json',
    one: 'application/vnd.sbnegativetarget.v3+json',
    list: 'application/vnd.sblistnegativetargetsresponse.v3.2+json',
    others: ['application/vnd.sblistnegativetargetsresponse.v3+json'],
  },
  all: store => store.brandNegativeTargets.values(),
  find: (store, id) => store.brandNegativeTargets.get(id),
  idOf: target => target.targetId,
  put: (store, target) => store.brandNegativeTargets.set(target.targetId, target),
  parentsOf: brandParents,

  create(caller, item) {
    const { clause } = newClause(caller, item)
    const expression = readBrandExpression(item, negativeTargetTypes, true)
    checkNew(caller.world.store.brandNegativeTargets.values(), clause.adGroupId, expression)
    return { targetId: newEntityId(), ...clause, expression }
  },

  update(_caller, target, item) {
    checkParentsSaid(target, item, ['adGroupId'])
    return { ...target, state: stateOfChange(item, target.state) }
  },

  toWire: (target, { world }) => ({
    targetId: wholeId(target.targetId),
    adGroupId: wholeId(target.adGroupId),
    campaignId: wholeId(target.campaignId),
    state: target.state.toLowerCase(),
    ...expressionsToWire(world.store, target.expression),
  }),
}
