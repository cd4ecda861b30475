import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { CategoryWords, Language } from './category-words.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { spanish } from './spanish.ts'

const byCountry: Record<string, Language> = { DE: german, JP: japanese, MX: spanish, ES: spanish }

/** The language shoppers search in; English by default. */
export function languageOf(marketplaceId: string): Language {
  return byCountry[marketplaceByAmazonId(marketplaceId)?.key ?? ''] ?? english
}

/** Words of a category. Null for one that only the store has; its words then come from its products' titles. */
export function categoryWords(marketplaceId: string, categoryId: string): CategoryWords | null {
  return languageOf(marketplaceId).categories.find(category => category.id === categoryId) ?? null
}
