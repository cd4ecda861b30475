import type { AdsCall } from '../client.ts'
import { type BudgetOwner, checkEligibility, readBudgetUsage, readProductFacts } from './product-facts.ts'
import {
  readCategoryBrands,
  readCategoryIds,
  recommendBids,
  recommendCategories,
  recommendKeywords,
  recommendProducts,
  recommendThemes,
} from './recommendations.ts'
import type {
  BidAdvice,
  BidQuestion,
  BudgetUsage,
  CategoryAdvice,
  Eligibility,
  KeywordAdvice,
  KeywordQuestion,
  ProductAdvice,
  ProductFacts,
  ProductTheme,
} from './vocabulary.ts'

/** What the marketplace advises and knows. Where it has nothing to say on a subject (its 422) the answer is empty. */
export interface Advice {
  /** Keywords for up to 50 products or an ad group, best first, one row a match type. */
  keywords(question: KeywordQuestion): Promise<KeywordAdvice[]>
  /** Categories that fit the products and may be targeted. */
  categories(asins: readonly string[], locale?: string): Promise<CategoryAdvice[]>
  /** The ids of all categories of the marketplace that can be targeted. */
  categoryIds(): Promise<string[]>
  /** The names of the brands in a category, by its id; empty where the marketplace does not know the category. */
  categoryBrands(categoryId: string): Promise<string[]>
  /** Products worth targeting from the given ones' ads. */
  products(asins: readonly string[], max?: number, locale?: string): Promise<ProductAdvice[]>
  /** The same grouped by why. */
  productThemes(asins: readonly string[], locale?: string): Promise<ProductTheme[]>
  /** Low, middle and high bid for each subject, in the order of themes. */
  bids(question: BidQuestion): Promise<BidAdvice[]>
  /** Whether the products may be advertised by Sponsored Products, and why not. */
  eligibility(products: readonly { asin: string; sku?: string }[], locale?: string): Promise<Eligibility[]>
  /** What the marketplace knows of the products; unknown ones are missing. */
  productFacts(products: { asins: readonly string[] } | { skus: readonly string[] }): Promise<ProductFacts[]>
  /** Today's budget usage, of Sponsored Products campaigns by default; unknown campaigns are missing. */
  budgetUsage(ids: readonly string[], owner?: BudgetOwner): Promise<BudgetUsage[]>
}

export function createAdvice(call: AdsCall): Advice {
  return {
    keywords: question => recommendKeywords(call, question),
    categories: (asins, locale) => recommendCategories(call, asins, locale),
    categoryIds: () => readCategoryIds(call),
    categoryBrands: categoryId => readCategoryBrands(call, categoryId),
    products: (asins, max, locale) => recommendProducts(call, asins, max, locale),
    productThemes: (asins, locale) => recommendThemes(call, asins, locale),
    bids: question => recommendBids(call, question),
    eligibility: (products, locale) => checkEligibility(call, products, locale),
    productFacts: products => readProductFacts(call, products),
    budgetUsage: (ids, owner) => readBudgetUsage(call, ids, owner),
  }
}
