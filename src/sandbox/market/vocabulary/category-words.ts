/** What shoppers call the products of a leaf category, in one language. */
export interface CategoryWords {
  /** The marketplace's browse node. */
  id: string
  name: string
  /** From the root, joined by ` > `. */
  path: string
  /** Names of the thing itself. */
  heads: readonly string[]
  /** What makes one product differ from the next; products carry some of them in their titles. */
  features: readonly string[]
  /** What or whom it is for. */
  uses: readonly string[]
  /** Words that make a search worthless to sellers of the product. */
  irrelevant: readonly string[]
  /** Typical price in whole units of the marketplace's currency. */
  price: number
  /** Ids of categories bought together with it. */
  complements: readonly string[]
}

/** How a language joins the words of a search. */
export interface Language {
  key: 'en' | 'de' | 'ja' | 'es'
  categories: readonly CategoryWords[]
  rivals: readonly string[]
  feature(feature: string, head: string): string
  use(head: string, use: string): string
}
