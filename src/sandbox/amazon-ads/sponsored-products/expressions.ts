import type { DisplayExpression } from '../../core/model/display.ts'
import type { Expression, Store } from '../../core/model/store.ts'
import { invalidArgument } from '../ads-failure.ts'
import { itemError } from '../entities/item-error.ts'
import { enumAt, objectAt, required } from '../entities/read-fields.ts'

/** Values of conditions, of all ad products. */
export const patterns = {
  asin: /^(B[0-9A-Z]{9}|\d{9}[\dX])$/,
  amount: /^\d+(\.\d+)?$/,
  range: /^\d+(\.\d+)?-\d+(\.\d+)?$/,
  flag: /^(true|false)$/,
  filled: /\S/,
}
const { asin, amount, range, flag, filled } = patterns
const stars = /^[0-5](\.\d)?$/

/** Types that a manual target may be made of, from the specification, with their values. */
const values: Record<string, RegExp> = {
  ASIN_AGE_RANGE_SAME_AS: filled,
  ASIN_BRAND_SAME_AS: filled,
  ASIN_CATEGORY_SAME_AS: /^\S+$/,
  ASIN_EXPANDED_FROM: asin,
  ASIN_GENRE_SAME_AS: filled,
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: flag,
  ASIN_PRICE_BETWEEN: range,
  ASIN_PRICE_GREATER_THAN: amount,
  ASIN_PRICE_LESS_THAN: amount,
  ASIN_REVIEW_RATING_BETWEEN: /^[0-5](\.\d)?-[0-5](\.\d)?$/,
  ASIN_REVIEW_RATING_GREATER_THAN: stars,
  ASIN_REVIEW_RATING_LESS_THAN: stars,
  ASIN_SAME_AS: asin,
  KEYWORD_GROUP_SAME_AS: filled,
}
export const manualTypes = Object.keys(values)
export const negativeTypes = ['ASIN_BRAND_SAME_AS', 'ASIN_SAME_AS']
const standAlone = new Set(['ASIN_SAME_AS', 'ASIN_EXPANDED_FROM', 'ASIN_CATEGORY_SAME_AS', 'KEYWORD_GROUP_SAME_AS'])

export const autoTypes = [
  'QUERY_HIGH_REL_MATCHES',
  'QUERY_BROAD_REL_MATCHES',
  'ASIN_SUBSTITUTE_RELATED',
  'ASIN_ACCESSORY_RELATED',
]

/**
 * An item's expression, checked: allowed types, well-formed values, refinements only with a category. Item errors name
 * its `field`.
 */
export function readExpression(
  expression: unknown,
  allowed: readonly string[],
  { isNegative, field = 'expression' }: { isNegative: boolean; field?: string },
): Expression[] {
  const parts = required(expression, field)
  if (!Array.isArray(parts) || parts.length === 0) throw invalidArgument('Expected a list at expression')
  const read = parts.map((one: unknown, i): Expression => {
    const place = `expression.${i + 1}.member`
    const part = objectAt(one, place)
    const type = enumAt(part.type, `${place}.type`, allowed)
    const { value = '' } = part
    if (value !== null && typeof value !== 'string') throw invalidArgument(`Expected a string at ${place}.value`)
    if (!values[type]?.test(value ?? ''))
      throw itemError('TARGETING_EXPRESSION_INVALID_VALUE', `The value does not fit ${type}`, {
        [`${field}[${i}].value`]: value ?? '',
      })
    return { type, value: value ?? '' }
  })
  const alone = read.filter(({ type }) => standAlone.has(type))
  if (!isNegative && alone.length !== 1)
    throw itemError('TARGETING_EXPRESSION_INVALID_VALUE', 'Brand, price, rating and shipping only refine a category', {
      [field]: read,
    })
  return read
}

/** `asinSameAs` and `ASIN_SAME_AS` are the same word. */
export const upperType = (type: string): string =>
  /^[A-Z_]+$/.test(type) ? type : type.replace(/[A-Z]/g, '_$&').toUpperCase()

/** An expression of any ad product with names in the place of category ids. */
export function resolveExpression<E extends DisplayExpression>(store: Store, expression: readonly E[]): E[] {
  return expression.map(part => {
    const { type, value } = part
    if (Array.isArray(value)) return { ...part, value: resolveExpression(store, value) }
    if (type !== 'ASIN_CATEGORY_SAME_AS' && type !== 'asinCategorySameAs') return part
    for (const product of store.products.values())
      if (product.categoryId === value) return { ...part, value: product.categoryName }
    return part
  })
}
