import { normalTerm } from '../payload-rules.ts'

// These scripts have no spaces between words.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** A check of whether a term names one of the brands, as whole words where the script has them; unknown brands are null. */
export const namesBrand = (brands: readonly (string | null)[]): ((text: string) => boolean) => {
  const known = brands.flatMap(brand => (brand?.trim() ? [normalTerm(brand)] : []))
  return text => {
    const term = normalTerm(text).replaceAll(/['’]s\b/g, '')
    return known.some(brand => (unspaced.test(brand) ? term.includes(brand) : ` ${term} `.includes(` ${brand} `)))
  }
}
