import type { Books, EntityState, Expression } from '../../../core/model.ts'

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

const categoryName = (books: Books, id: string): string => {
  for (const product of books.products.values()) if (product.categoryId === id) return product.categoryName
  return id
}

interface Part {
  type: string
  value?: string | Expression[]
}

const partText = (books: Books, { type, value = '' }: Part): string => {
  const word = upper(type)
  const auto = autoNames[word] ?? autoNames[word.replaceAll('_', '')]
  if (auto) return auto
  if (Array.isArray(value)) return `${type}=(${value.map(inner => partText(books, inner)).join(' ')})`
  const shown = word === 'ASIN_CATEGORY_SAME_AS' ? categoryName(books, value) : value
  return `${expressionNames[word] ?? type.toLowerCase()}="${shown}"`
}

/** An expression in one line, categories by their names. */
export const expressionText = (books: Books, expression: readonly Part[]): string =>
  expression.map(part => partText(books, part)).join(' ')

const keywordClause = (keyword: {
  keywordText: string
  matchType: string
  state: EntityState
  bidMicros: number | null
}): Clause => ({ ...keyword, kind: 'keyword', text: keyword.keywordText, type: keyword.matchType })

const targetClause = (
  books: Books,
  target: { expression: readonly Part[]; expressionType?: string; state: EntityState; bidMicros: number | null },
): Clause => ({
  kind: 'target',
  text: expressionText(books, target.expression),
  type: target.expressionType === 'AUTO' ? 'TARGETING_EXPRESSION_PREDEFINED' : 'TARGETING_EXPRESSION',
  state: target.state,
  bidMicros: target.bidMicros,
})

/** The keyword or target of Sponsored Products with this id; null when there is none. */
export const productsClause = (books: Books, id: string): Clause | null => {
  const keyword = books.keywords.get(id)
  if (keyword) return keywordClause(keyword)
  const target = books.targets.get(id)
  return target ? targetClause(books, target) : null
}

/** The keyword or target of Sponsored Brands with this id; null when there is none. */
export const brandClause = (books: Books, id: string): Clause | null => {
  const keyword = books.brandKeywords.get(id)
  if (keyword) return keywordClause(keyword)
  const target = books.brandTargets.get(id)
  return target ? targetClause(books, target) : null
}

/** The target of Sponsored Display with this id; null when there is none. */
export const displayClause = (books: Books, id: string): Clause | null => {
  const target = books.displayTargets.get(id)
  return target ? targetClause(books, target) : null
}
