import { normalTerm, wordRuns } from '#shared/keyword-rules.ts'
import { type BrandPhase, brandPhases, type Phase } from '../templates.ts'
import type { BrandAdvice } from './launch-plan.ts'

/** True for what keeps terms of brands in a campaign of their own. */
export const isBrandPhase = (phase: Phase): phase is BrandPhase => brandPhases.some(one => one === phase)

// These scripts have no spaces between words.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

// What stands where a product has no brand.
const placeholders = new Set(['', 'generic', 'unbranded', 'unknown', 'no brand', 'n/a', 'na', 'none', '-'])

// Brands and terms in one spelling: people leave out signs and the possessive.
const brandText = (text: string | null): string =>
  normalTerm((text ?? '').replaceAll(/[®™]/g, '')).replaceAll(/['’]s(?![\p{L}\p{N}])/gu, '')

/** A check of whether a term names one of the brands, as whole words where the script has them; unknown brands are null. */
export function namesBrand(brands: readonly (string | null)[]): (text: string) => boolean {
  const texts = brands.filter(isBrand).map(brandText)
  const within = texts.filter(brand => unspaced.test(brand))
  const spaced = new Set(texts.filter(brand => !unspaced.test(brand)))
  const longest = Math.max(0, ...[...spaced].map(brand => brand.split(' ').length))
  return text => {
    const term = brandText(text)
    return wordRuns(term, longest).some(run => spaced.has(run)) || within.some(brand => term.includes(brand))
  }
}

/** Whether a product's brand is known: a placeholder names none. */
export function isBrand(brand: string | null): boolean {
  return !placeholders.has(brandText(brand))
}

/** What a term is about: a brand of the seller's, another brand, or neither. */
export type TermKind = BrandPhase | 'GENERIC'

/** Tells terms apart by brand. One with the seller's own brand is its own, whatever else it names. */
export function kindOfTerms(
  own: readonly (string | null)[],
  competitors: readonly string[],
): (text: string) => TermKind {
  const isOwn = namesBrand(own)
  const isCompetitor = namesBrand(competitors)
  return text => {
    if (isOwn(text)) return 'OWN_BRAND'
    return isCompetitor(text) ? 'COMPETITORS' : 'GENERIC'
  }
}

/** The brands of the products' categories, less the seller's own, and the products for which none is named. */
export function brandAdviceOf(
  own: readonly string[],
  products: readonly { asin: string; brands: readonly string[] }[],
): BrandAdvice {
  const ownTexts = new Set(own.map(brandText))
  const named = new Map(products.flatMap(p => p.brands).map(brand => [brandText(brand), brand]))
  return {
    own: own.filter(isBrand),
    competitors: [...named].filter(([text, brand]) => isBrand(brand) && !ownTexts.has(text)).map(([, brand]) => brand),
    unknownFor: products.filter(p => !p.brands.length).map(p => p.asin),
  }
}
