import type { DisplayExpression } from '../../core/model/display.ts'
import type { Store } from '../../core/model/store.ts'
import { upperType } from '../sponsored-products/expressions.ts'

const autoTypes: Record<string, string> = {
  QUERY_HIGH_REL_MATCHES: 'SEARCH_CLOSE_MATCH',
  QUERY_BROAD_REL_MATCHES: 'SEARCH_LOOSE_MATCH',
  ASIN_SUBSTITUTE_RELATED: 'PRODUCT_SUBSTITUTES',
  ASIN_ACCESSORY_RELATED: 'PRODUCT_COMPLEMENTS',
  SIMILAR_PRODUCT: 'PRODUCT_SIMILAR',
}

function range(name: string, value: string): Record<string, number> {
  const [low, high] = value.split('-').map(Number)
  return { [`${name}GreaterThan`]: low ?? 0, [`${name}LessThan`]: high ?? 0 }
}

const details: Record<string, (value: string, store: Store) => Record<string, unknown>> = {
  ASIN_SAME_AS: asin => ({ matchType: 'PRODUCT_EXACT', asin }),
  ASIN_EXPANDED_FROM: asin => ({ matchType: 'PRODUCT_SIMILAR', asin }),
  ASIN_CATEGORY_SAME_AS(productCategoryId, store) {
    const product = [...store.products.values()].find(product => product.categoryId === productCategoryId)
    return { productCategoryId, ...(product && { productCategoryResolved: product.categoryName }) }
  },
  ASIN_BRAND_SAME_AS: brand => ({ productBrand: brand, productBrandResolved: brand }),
  ASIN_AGE_RANGE_SAME_AS: age => ({ productAgeRange: age }),
  ASIN_GENRE_SAME_AS: genre => ({ productGenre: genre }),
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: value => ({ productPrimeShippingEligible: value === 'true' }),
  ASIN_PRICE_LESS_THAN: value => ({ productPriceLessThan: Number(value) }),
  ASIN_PRICE_GREATER_THAN: value => ({ productPriceGreaterThan: Number(value) }),
  ASIN_PRICE_BETWEEN: value => range('productPrice', value),
  ASIN_REVIEW_RATING_LESS_THAN: value => ({ productRatingLessThan: Number(value) }),
  ASIN_REVIEW_RATING_GREATER_THAN: value => ({ productRatingGreaterThan: Number(value) }),
  ASIN_REVIEW_RATING_BETWEEN: value => range('productRating', value),
  EXACT_PRODUCT: () => ({ matchType: 'PRODUCT_EXACT' }),
  RELATED_PRODUCT: () => ({ matchType: 'PRODUCT_SIMILAR' }),
  SIMILAR_PRODUCT: () => ({ matchType: 'PRODUCT_SIMILAR' }),
  LOOKBACK: value => ({ lookback: Number(value) }),
  AUDIENCE_SAME_AS: audienceId => ({ audienceId }),
}

function merged(parts: readonly DisplayExpression[], store: Store): Record<string, unknown> {
  return Object.assign(
    {},
    ...parts.map(({ type, value }) => details[upperType(type)]?.(typeof value === 'string' ? value : '', store) ?? {}),
  ) as Record<string, unknown>
}

/** A target's expression in the common model: automatic, products, a category, or people who saw or bought such. */
export function expressionDetails(
  store: Store,
  expression: readonly DisplayExpression[],
): { targetType: string; targetDetails: Record<string, unknown> } {
  const [first] = expression
  const word = upperType(first?.type ?? '')
  const auto = autoTypes[word]
  if (auto) return { targetType: 'AUTO', targetDetails: { matchType: auto } }
  if (Array.isArray(first?.value)) {
    const inner = merged(first.value, store)
    if ('audienceId' in inner) return { targetType: 'AUDIENCE', targetDetails: inner }
    const event = word === 'PURCHASES' ? 'PURCHASE' : 'VIEW'
    const targetType = 'productCategoryId' in inner ? 'PRODUCT_CATEGORY_AUDIENCE' : 'PRODUCT_AUDIENCE'
    return { targetType, targetDetails: { ...inner, event } }
  }
  const targetDetails = merged(expression, store)
  return { targetType: 'asin' in targetDetails ? 'PRODUCT' : 'PRODUCT_CATEGORY', targetDetails }
}
