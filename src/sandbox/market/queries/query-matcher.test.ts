import { describe, expect, test } from 'vitest'
import { scenarios } from '../../scenarios/scenarios.ts'
import { createReach } from './query-matcher.ts'
import { createTermBook, type Term } from './queries.ts'
import { createGood, relevance } from './listing.ts'

const US = 'ATVPDKIKX0DER'
const { store } = scenarios.demo?.({ now: new Date('2026-11-21T11:30:00Z') }) ?? expect.unreachable()
const products = [...store.products.values()].filter(product => product.marketplaceId === US)
const reach = createReach(createTermBook(US, products, 5))
const good = createGood(products[0] ?? expect.unreachable(), 5, 1e7)
const met = (type: string, value?: string): readonly Term[] =>
  reach.expression([value === undefined ? { type } : { type, value }], [good])
const texts = (terms: readonly Term[]): string[] => terms.map(term => term.text)

describe('automatic targets', () => {
  const [close, loose, substitutes, complements] = [
    'QUERY_HIGH_REL_MATCHES',
    'QUERY_BROAD_REL_MATCHES',
    'ASIN_SUBSTITUTE_RELATED',
    'ASIN_ACCESSORY_RELATED',
  ].map(type => met(type))

  test('meet different searches and pages each', () => {
    const all = [close, loose, substitutes, complements].flatMap(terms => texts(terms ?? []))
    for (const terms of [close, loose, substitutes, complements]) expect(terms?.length).toBeGreaterThan(5)
    expect(new Set(all).size).toBe(all.length)
  })

  test('are closer or looser as their names say', () => {
    const worst = Math.min(...(close ?? []).map(term => relevance(term, good)))
    expect(worst).toBeGreaterThan(Math.max(...(loose ?? []).map(term => relevance(term, good))))
    expect(new Set(substitutes?.map(term => term.categoryId))).toEqual(new Set([good.product.categoryId]))
    expect(complements?.every(term => term.categoryId !== good.product.categoryId)).toBe(true)
  })
})

describe('manual targets', () => {
  test('a product target meets its page alone, a category its pages', () => {
    const page = met('ASIN_SUBSTITUTE_RELATED')[0] ?? expect.unreachable()
    expect(texts(met('ASIN_SAME_AS', page.text.toUpperCase()))).toEqual([page.text])
    expect(texts(met('ASIN_CATEGORY_SAME_AS', good.product.categoryId))).toEqual(texts(met('ASIN_SUBSTITUTE_RELATED')))
    expect(met('ASIN_SAME_AS', 'B000000000')).toEqual([])
  })

  test('broad reaches further than phrase, phrase further than exact', () => {
    const [exact, phrase, broad] = (['EXACT', 'PHRASE', 'BROAD'] as const).map(type =>
      texts(reach.keyword('garlic press', type)),
    )
    expect(exact).toEqual(['garlic press'])
    expect(phrase).toEqual(expect.arrayContaining(exact ?? []))
    expect(broad).toEqual(expect.arrayContaining(phrase ?? []))
    expect(phrase?.length).toBeGreaterThan(1)
  })

  test('a keyword nobody searches finds a rare search where it names something sold, else nothing', () => {
    expect(reach.keyword('garlic press my grandmother had', 'EXACT').map(term => term.kind)).toEqual(['rare'])
    expect(reach.keyword('zyxwv', 'BROAD')).toEqual([])
  })
})
