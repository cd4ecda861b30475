// How people read what a target aims at. Its text in the mirror has the marketplace's names of conditions, with values:
// "ASIN_CATEGORY_SAME_AS: Mugs, ASIN_PRICE_BETWEEN: 5-9".

const autoGroups: Record<string, string> = {
  CLOSE_MATCH: 'Close match',
  LOOSE_MATCH: 'Loose match',
  SUBSTITUTES: 'Substitutes',
  COMPLEMENTS: 'Complements',
}

const range = (value: string): string => value.replace(/^([\d.]+)-([\d.]+)$/, '$1 to $2')

/** What a condition is in words; conditions that are not here keep the marketplace's name. */
const conditions: Record<string, (value: string) => string> = {
  ASIN_SAME_AS: value => `Product: ${value}`,
  ASIN_EXPANDED_FROM: value => `Products like: ${value}`,
  ASIN_CATEGORY_SAME_AS: value => `Category: ${value}`,
  ASIN_BRAND_SAME_AS: value => `Brand: ${value}`,
  KEYWORD_GROUP_SAME_AS: value => `Keyword group: ${value}`,
  ASIN_PRICE_LESS_THAN: value => `price below ${value}`,
  ASIN_PRICE_GREATER_THAN: value => `price above ${value}`,
  ASIN_PRICE_BETWEEN: value => `price ${range(value)}`,
  ASIN_REVIEW_RATING_LESS_THAN: value => `rating below ${value}`,
  ASIN_REVIEW_RATING_GREATER_THAN: value => `rating above ${value}`,
  ASIN_REVIEW_RATING_BETWEEN: value => `rating ${range(value)}`,
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: value => (value === 'false' ? 'without Prime shipping' : 'with Prime shipping'),
  ASIN_AGE_RANGE_SAME_AS: value => `ages ${value}`,
  ASIN_GENRE_SAME_AS: value => `genre ${value}`,
  VIEWS: value => `Viewed ${inWords(value)}`,
  PURCHASES: value => `Bought ${inWords(value)}`,
  AUDIENCE: value => `Audience: ${inWords(value)}`,
  AUDIENCE_SAME_AS: value => `Audience: ${value}`,
  EXACT_PRODUCT: () => 'the advertised products',
  SIMILAR_PRODUCT: () => 'similar products',
  RELATED_PRODUCT: () => 'related products',
  LOOKBACK: value => `in the last ${value} days`,
}

function inWords(text: string): string {
  // A name may hold a comma as well; such a part has no condition of its own and stays as it is.
  return text
    .split(', ')
    .map(part => {
      const [, type = '', value = ''] = /^([A-Z_]+)(?:: (.*))?$/.exec(part) ?? []
      return conditions[type]?.(value) ?? part
    })
    .join(', ')
}

/** What a keyword, target or negative is called, by its text in the mirror; automatic groups as in the marketplace's console. */
export function targetText({ kind, text }: { kind: string; text: string }): string {
  if (kind === 'KEYWORD') return text
  return autoGroups[text] ?? inWords(text)
}
