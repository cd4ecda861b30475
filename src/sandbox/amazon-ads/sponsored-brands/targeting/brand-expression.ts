import type { Store, Expression } from '../../../core/model/store.ts'
import { invalidArgument } from '../../ads-failure.ts'
import { ItemError, itemError } from '../../entities/item-error.ts'
import { type Item, objectsAt } from '../../entities/read-fields.ts'
import { readExpression, resolveExpression } from '../../sponsored-products/expressions.ts'

// The store has types as Sponsored Products writes them; these calls write asinSameAs.
const upper = (type: string): string => type.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
const camel = (type: string): string =>
  type.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

export const targetTypes = [
  'ASIN_CATEGORY_SAME_AS',
  'ASIN_BRAND_SAME_AS',
  'ASIN_PRICE_LESS_THAN',
  'ASIN_PRICE_BETWEEN',
  'ASIN_PRICE_GREATER_THAN',
  'ASIN_REVIEW_RATING_LESS_THAN',
  'ASIN_REVIEW_RATING_BETWEEN',
  'ASIN_REVIEW_RATING_GREATER_THAN',
  'ASIN_SAME_AS',
]
export const negativeTargetTypes = ['ASIN_BRAND_SAME_AS', 'ASIN_SAME_AS']

/** The expressions of an item, checked as those of Sponsored Products are. */
export function readBrandExpression(item: Item, allowed: readonly string[], negative: boolean): Expression[] {
  const { expressions } = item
  if (expressions === undefined || expressions === null)
    throw itemError('missingValueError', 'MISSING_VALUE', { message: 'expressions is required', field: 'expressions' })
  if (!Array.isArray(expressions)) throw invalidArgument('Expected a list at expressions')
  const expression = objectsAt(expressions, 'expressions').map(one => ({ ...one, type: upper(String(one.type)) }))
  try {
    return readExpression({ expression }, allowed, negative)
  } catch (problem) {
    if (!(problem instanceof ItemError)) throw problem
    const field = problem.detail.field?.replace('expression', 'expressions')
    throw new ItemError(problem.selector, problem.reason, { ...problem.detail, ...(field && { field }) })
  }
}

const onWire = (expression: readonly Expression[]): Expression[] =>
  expression.map(one => ({ ...one, type: camel(one.type) }))

/** Expressions as these calls write them, with and without names in the place of ids. */
export function expressionsToWire(
  store: Store,
  expression: readonly Expression[],
): { expressions: Expression[]; resolvedExpressions: Expression[] } {
  return {
    expressions: onWire(expression),
    resolvedExpressions: onWire(resolveExpression(store, expression)),
  }
}
