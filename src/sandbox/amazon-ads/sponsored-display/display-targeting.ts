import type {
  DisplayAd,
  DisplayExpression,
  DisplayNegativeTarget,
  DisplayTarget,
  DisplayCampaign,
} from '../../core/model/display.ts'
import type { Field, Scope } from '../entities/entity-kind.ts'
import { amount, fixedWord, inAdGroup, refuseSameExpression, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { optionalText, type Item, objectsAt, required } from '../entities/read-fields.ts'
import { arrayCalls, type ArrayKind } from '../entities/array-calls.ts'
import { patterns, resolveExpression } from '../sponsored-products/expressions.ts'
import { product, productOf } from '../sponsored-products/product-ads.ts'
import { bidRange, campaignOf, sponsoredDisplay } from './display-campaigns.ts'
import type { Expression } from '../../core/model/store.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'

const nothing = /^$/
const { asin, filled } = patterns

type Conditions = Record<string, RegExp>

const refinements: Conditions = {
  asinBrandSameAs: filled,
  asinPriceBetween: patterns.range,
  asinPriceGreaterThan: patterns.amount,
  asinPriceLessThan: patterns.amount,
  asinReviewRatingBetween: patterns.range,
  asinReviewRatingGreaterThan: patterns.amount,
  asinReviewRatingLessThan: patterns.amount,
  asinIsPrimeShippingEligible: patterns.flag,
  asinAgeRangeSameAs: filled,
  asinGenreSameAs: filled,
}
const contextual: Conditions = {
  asinSameAs: asin,
  asinCategorySameAs: filled,
  similarProduct: nothing,
  contentCategorySameAs: filled,
}
const behaviour: Conditions = {
  asinCategorySameAs: filled,
  similarProduct: nothing,
  exactProduct: nothing,
  relatedProduct: nothing,
  negative: nothing,
  audienceSameAs: filled,
  lookback: /^(7|14|30|60|90|180|365)$/,
}
const audiences = ['views', 'audience', 'purchases']

const wrong = (message: string, field: string, trigger: unknown) =>
  itemError('TARGETING_EXPRESSION_INVALID_VALUE', message, { [field]: trigger })

function checkValues(parts: readonly unknown[], allowed: Conditions, field: string): Expression[] {
  return objectsAt(parts, field).map(({ type, value }, i) => {
    const pattern = allowed[String(type)]
    if (!pattern) throw badEnum(type, `${field}[${i}].type`, Object.keys(allowed))
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (!pattern.test(text)) throw wrong(`The value does not fit ${String(type)}`, `${field}[${i}].value`, value ?? '')
    return { type: String(type), ...(text && { value: text }) }
  })
}

/** Refinements are allowed only with a category. */
function checkAlone(parts: readonly Expression[], subjects: Conditions, field: string): void {
  const subject = parts.filter(({ type }) => type in subjects)
  const narrowed = parts.some(({ type }) => type in refinements)
  if (subject.length !== 1) throw wrong('An expression has one subject', field, parts)
  if (narrowed && subject[0]?.type !== 'asinCategorySameAs') throw wrong('Only a category can be refined', field, parts)
}

function readAudience({ type, value }: Item): DisplayExpression {
  const field = 'expression[0].value'
  if (!Array.isArray(value)) throw invalidArgument(`Expected a list at ${field}`)
  const parts = checkValues(value, { ...behaviour, ...refinements }, field)
  const lookbacks = parts.filter(part => part.type === 'lookback')
  const isNamed = parts.some(part => part.type === 'audienceSameAs')
  if (isNamed !== (type === 'audience')) throw wrong('Only an audience is named by its id', field, value)
  if (lookbacks.length !== (isNamed ? 0 : 1)) throw wrong('One look-back is needed', field, value)
  const rest = parts.filter(part => part.type !== 'lookback' && part.type !== 'negative')
  checkAlone(rest, behaviour, field)
  return { type: String(type), value: parts }
}

function listAt({ expression }: Item): Item[] {
  const parts = required(expression, 'expression')
  if (!Array.isArray(parts) || parts.length === 0) throw invalidArgument('Expected a list at expression')
  return parts as Item[]
}

/** The expression of a target, checked: products and categories for T00020, audiences too for T00030. */
function readDisplayExpression(item: Item, tactic: DisplayCampaign['tactic'] | undefined): DisplayExpression[] {
  const expression = listAt(item)
  const [first] = expression
  if (first && audiences.includes(String(first.type))) {
    if (tactic !== 'T00030') throw wrong('Audiences need the tactic T00030', 'expression', expression)
    if (expression.length !== 1) throw wrong('An audience stands alone', 'expression', expression)
    return [readAudience(first)]
  }
  const parts = checkValues(expression, { ...contextual, ...refinements }, 'expression')
  checkAlone(parts, contextual, 'expression')
  return parts
}

/** The expression of a negative target: one product or one brand. */
function readNegativeExpression(item: Item): DisplayExpression[] {
  const expression = listAt(item)
  if (expression.length !== 1) throw wrong('One product or one brand is needed', 'expression', expression)
  return checkValues(expression, { asinSameAs: asin, asinBrandSameAs: filled }, 'expression')
}

const parents = inAdGroup({ namesCampaign: false })

const adName: Field<DisplayAd> = {
  once: true,
  read: ({ item }) => ({ adName: optionalText(item, 'adName') ?? null }),
  write: ad => (ad.adName === null ? {} : { adName: ad.adName }),
}

/** Product ads of Sponsored Display; an ad group advertises a product once at most. */
const displayAds: ArrayKind<DisplayAd> = {
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
    resolvedExpression: resolveExpression(caller.world.store, clause.expression),
  }),
})

const common = [fixedWord('expressionType', ['MANUAL', 'AUTO']), state, parents] as const
const status = { prefix: 'TARGET_STATUS', live: 'TARGET_STATUS_LIVE' }

/** Targets of Sponsored Display: products, categories, audiences. A bid of null gives a target its ad group's bid again. */
const displayTargets: ArrayKind<DisplayTarget> = {
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
const displayNegativeTargets: ArrayKind<DisplayNegativeTarget> = {
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

export const displayTargetingCalls = [displayAds, displayTargets, displayNegativeTargets].flatMap(arrayCalls)
