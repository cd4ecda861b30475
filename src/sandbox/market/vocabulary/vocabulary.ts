import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Language } from './category-words.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { spanish } from './spanish.ts'

const byCountry: Record<string, Language> = { DE: german, JP: japanese, MX: spanish, ES: spanish }

/** The language shoppers search in; English by default. */
export function languageOf(marketplaceId: string): Language {
  return byCountry[marketplaceByAmazonId(marketplaceId)?.key ?? ''] ?? english
}
