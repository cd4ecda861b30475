import { describe, expect, test } from 'vitest'
import { scenarios } from '../../scenarios/scenarios.ts'
import { createQueryMatcher } from './query-matcher.ts'
import { createQueryIndex, type Query } from './queries.ts'
import { createListing, relevance } from './listing.ts'

const US = 'ATVPDKIKX0DER'
const { store } = scenarios.demo?.({ now: new Date('2026-11-21T11:30:00Z') }) ?? expect.unreachable()
const products = [...store.products.values()].filter(product => product.marketplaceId === US)
const matcher = createQueryMatcher(createQueryIndex(US, products, 5))
const listing = createListing(products[0] ?? expect.unreachable(), 5, 1e7)
const queriesOf = (type: string, value?: string): readonly Query[] =>
  matcher.byExpression([value === undefined ? { type } : { type, value }], [listing])
const texts = (queries: readonly Query[]): string[] => queries.map(query => query.text)

describe('automatic targets', () => {
  const [close, loose, substitutes, complements] = [
    'QUERY_HIGH_REL_MATCHES',
    'QUERY_BROAD_REL_MATCHES',
    'ASIN_SUBSTITUTE_RELATED',
    'ASIN_ACCESSORY_RELATED',
  ].map(type => queriesOf(type))

  test('each type matches different searches and pages', () => {
    const all = [close, loose, substitutes, complements].flatMap(queries => texts(queries ?? []))
    for (const queries of [close, loose, substitutes, complements]) expect(queries?.length).toBeGreaterThan(5)
    expect(new Set(all).size).toBe(all.length)
  })

  test('close match is closer than loose match, and substitutes are of the same category', () => {
    const worst = Math.min(...(close ?? []).map(query => relevance(query, listing)))
    expect(worst).toBeGreaterThan(Math.max(...(loose ?? []).map(query => relevance(query, listing))))
    expect(new Set(substitutes?.map(query => query.categoryId))).toEqual(new Set([listing.product.categoryId]))
    expect(complements?.every(query => query.categoryId !== listing.product.categoryId)).toBe(true)
  })
})

describe('manual targets', () => {
  test('a product target matches only its page, a category target all pages of the category', () => {
    const page = queriesOf('ASIN_SUBSTITUTE_RELATED')[0] ?? expect.unreachable()
    expect(texts(queriesOf('ASIN_SAME_AS', page.text.toUpperCase()))).toEqual([page.text])
    expect(texts(queriesOf('ASIN_CATEGORY_SAME_AS', listing.product.categoryId))).toEqual(
      texts(queriesOf('ASIN_SUBSTITUTE_RELATED')),
    )
    expect(queriesOf('ASIN_SAME_AS', 'B000000000')).toEqual([])
  })

  test('broad reaches further than phrase, phrase further than exact', () => {
    const [exact, phrase, broad] = (['EXACT', 'PHRASE', 'BROAD'] as const).map(type =>
      texts(matcher.byKeyword('garlic press', type)),
    )
    expect(exact).toEqual(['garlic press'])
    expect(phrase).toEqual(expect.arrayContaining(exact ?? []))
    expect(broad).toEqual(expect.arrayContaining(phrase ?? []))
    expect(phrase?.length).toBeGreaterThan(1)
  })

  test('a keyword nobody types matches a rare query if it names something sold here, else nothing', () => {
    expect(matcher.byKeyword('garlic press my grandmother had', 'EXACT').map(query => query.kind)).toEqual(['rare'])
    expect(matcher.byKeyword('zyxwv', 'BROAD')).toEqual([])
  })
})
