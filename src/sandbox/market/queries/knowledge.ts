import type { Store } from '../../core/model/store.ts'
import { createReach, type Reach } from './query-matcher.ts'
import { createTermBook, type TermBook } from './queries.ts'

/** What is searched in each marketplace, made when first asked for and anew when products came or went. */
export type Knowledge = (marketplaceId: string) => { book: TermBook; reach: Reach }

export const createKnowledge = (store: Store, seed: number): Knowledge => {
  const known = new Map<string, { size: number; book: TermBook; reach: Reach }>()
  return marketplaceId => {
    const products = [...store.products.values()].filter(product => product.marketplaceId === marketplaceId)
    let entry = known.get(marketplaceId)
    if (entry?.size !== products.length) {
      const book = createTermBook(marketplaceId, products, seed)
      entry = { size: products.length, book, reach: createReach(book) }
      known.set(marketplaceId, entry)
    }
    return entry
  }
}
