import type { Store, EntityState, Expression } from '../../../core/model/store.ts'

/** What an ad was targeted by, as reports and the stream write it. */
export interface Clause {
  kind: 'keyword' | 'target'
  /** A keyword's text, `close-match`, `asin="B0..."`, `category="Garlic Presses"`. */
  text: string
  /** BROAD, PHRASE, EXACT, or which kind of target. */
  type: string
  state: EntityState
  /** Null: the ad group's default bid holds. */
  bidMicros: number | null
}

const autoNames: Record<string, string> = {
  QUERY_HIGH_REL_MATCHES: 'close-match',
  QUERY_BROAD_REL_MATCHES: 'loose-match',
  ASIN_SUBSTITUTE_RELATED: 'substitutes',
  ASIN_ACCESSORY_RELATED: 'complements',
  SIMILARPRODUCT: 'similar-product',
}
const expressionNames: Record<string, string> = {
  ASIN_SAME_AS: 'asin',
  ASIN_EXPANDED_FROM: 'asin-expanded',
  ASIN_CATEGORY_SAME_AS: 'category',
  ASIN_BRAND_SAME_AS: 'brand',
  KEYWORD_GROUP_SAME_AS: 'keyword-group',
}

/** `asinCategorySameAs` and `ASIN_CATEGORY_SAME_AS` are the same word. */
const upper = (type: string): string => (/_|^[A-Z]+$/.test(type) ? type : type.replace(/[A-Z]/g, '_$&').toUpperCase())

function categoryName(store: Store, id: string): string {
  for (const product of store.products.values()) if (product.categoryId === id) return product.categoryName
  return id
}

interface Part {
  type: string
  value?: string | Expression[]
}

function partText(store: Store, { type, value = '' }: Part): string {
  const word = upper(type)
  const auto = autoNames[word] ?? autoNames[word.replaceAll('_', '')]
  if (auto) return auto
  if (Array.isArray(value)) return `${type}=(${value.map(inner => partText(store, inner)).join(' ')})`
  const shown = word === 'ASIN_CATEGORY_SAME_AS' ? categoryName(store, value) : value
  return `${expressionNames[word] ?? type.toLowerCase()}="${shown}"`
}

/** An expression in one line, categories by their names. */
export const expressionText = (store: Store, expression: readonly Part[]): string =>
  expression.map(part => partText(store, part)).join(' ')

function keywordClause(keyword: {
  keywordText: string
  matchType: string
  state: EntityState
  bidMicros: number | null
}): Clause {
  return { ...keyword, kind: 'keyword', text: keyword.keywordText, type: keyword.matchType }
}

function targetClause(
  store: Store,
  target: { expression: readonly Part[]; expressionType?: string; state: EntityState; bidMicros: number | null },
): Clause {
  return {
    kind: 'target',
    text: expressionText(store, target.expression),
    type: target.expressionType === 'AUTO' ? 'TARGETING_EXPRESSION_PREDEFINED' : 'TARGETING_EXPRESSION',
    state: target.state,
    bidMicros: target.bidMicros,
  }
}

/** The keyword or target of Sponsored Products with this id; null when there is none. */
export function productsClause(store: Store, id: string): Clause | null {
  const keyword = store.keywords.get(id)
  if (keyword) return keywordClause(keyword)
  const target = store.targets.get(id)
  return target ? targetClause(store, target) : null
}

/** The keyword or target of Sponsored Brands with this id; null when there is none. */
export function brandClause(store: Store, id: string): Clause | null {
  const keyword = store.brandKeywords.get(id)
  if (keyword) return keywordClause(keyword)
  const target = store.brandTargets.get(id)
  return target ? targetClause(store, target) : null
}

/** The target of Sponsored Display with this id; null when there is none. */
export function displayClause(store: Store, id: string): Clause | null {
  const target = store.displayTargets.get(id)
  return target ? targetClause(store, target) : null
}
