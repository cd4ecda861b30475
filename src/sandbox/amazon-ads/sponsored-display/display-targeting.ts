import type { DisplayAd, DisplayExpression, DisplayNegativeTarget, DisplayTarget } from '../../core/model/display.ts'
import type { Field, Scope } from '../entities/entity-kind.ts'
import { amount, fixedWord, inAdGroup, refuseSameExpression, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { optionalText } from '../entities/read-fields.ts'
import type { ArrayKind } from '../entities/array-calls.ts'
import { product, productOf } from '../sponsored-products/product-ads.ts'
import { bidRange, campaignOf, sponsoredDisplay } from './display-campaigns.ts'
import { readDisplayExpression, readNegativeExpression, resolveDisplayExpression } from './display-expression.ts'

const parents = inAdGroup({ namesCampaign: false })

const adName: Field<DisplayAd> = {
  once: true,
  read: ({ item }) => ({ adName: optionalText(item, 'adName') ?? null }),
  write: ad => (ad.adName === null ? {} : { adName: ad.adName }),
}

/** Product ads of Sponsored Display; an ad group advertises a product once at most. */
export const displayAds: ArrayKind<DisplayAd> = {
  ...sponsoredDisplay,
  path: '/sd/productAds',
  collection: 'displayAds',
  id: 'adId',
  fields: [state, parents, product, adName],
  status: {
    prefix: 'AD_STATUS',
    live: 'AD_STATUS_LIVE',
    ownReason: (ad, caller) => (productOf(caller, ad)?.fulfillable === 0 ? 'OUT_OF_STOCK' : undefined),
  },
}

/** The expression of a target; no other target of the ad group has the same. */
const expression = <E extends DisplayTarget | DisplayNegativeTarget>(
  read: (scope: Scope<E>) => DisplayExpression[],
): Field<E> => ({
  once: true,
  read(scope) {
    const parts = read(scope)
    refuseSameExpression(scope, parts, {
      keyOf: JSON.stringify,
      field: 'expression',
      message: 'The target exists in this ad group already',
    })
    return { expression: parts }
  },
  write: (clause, { caller }) => ({
    expression: clause.expression,
    resolvedExpression: resolveDisplayExpression(caller.world.store, clause.expression),
  }),
})

const common = [fixedWord('expressionType', ['MANUAL', 'AUTO']), state, parents] as const
const status = { prefix: 'TARGET_STATUS', live: 'TARGET_STATUS_LIVE' }

/** Targets of Sponsored Display: products, categories, audiences. A bid of null gives a target its ad group's bid again. */
export const displayTargets: ArrayKind<DisplayTarget> = {
  ...sponsoredDisplay,
  path: '/sd/targets',
  collection: 'displayTargets',
  id: 'targetId',
  fields: [
    ...common,
    expression(scope => {
      const parts = readDisplayExpression(scope.item, campaignOf(scope)?.tactic)
      if (scope.draft.expressionType === 'AUTO' && parts[0]?.type !== 'similarProduct')
        throw itemError('TARGETING_EXPRESSION_INVALID_VALUE', 'Only similar products are targeted automatically', {
          expressionType: 'auto',
        })
      return parts
    }),
    amount({ name: 'bid', column: 'bidMicros', range: bidRange, fallback: () => null, isClearable: true }),
  ],
  status,
}

/** Negative targets of Sponsored Display: a product or a brand each. */
export const displayNegativeTargets: ArrayKind<DisplayNegativeTarget> = {
  ...sponsoredDisplay,
  path: '/sd/negativeTargets',
  collection: 'displayNegativeTargets',
  id: 'targetId',
  fields: [
    ...common,
    expression(scope => readNegativeExpression(scope.item)),
    // Answers about negative targets leave out the campaign and, when extended, what ids stand for.
    { write: () => ({ campaignId: undefined }) },
  ],
  status,
  extendedWithout: 'resolvedExpression',
}
