import * as v from 'valibot'
import { pastedRows } from '#client/ui/forms/pasted-rows.ts'
import {
  isShortEnough,
  keywordText,
  type NegativeMatchType,
  negativeMatchTypes,
  negativePhraseMessage,
  normalTerm,
} from '#shared/keyword-rules.ts'
import { asinOfLink } from '#shared/product-link.ts'
import { MAX_NEGATIVES, type negativeTargetTypes } from '#features/negatives/contract.ts'
import { asinSchema } from '#features/recommendations/contract.ts'
import type { NegativeDraft } from './negative-drafts.ts'

export type PastedKind = 'KEYWORD' | (typeof negativeTargetTypes)[number]

/** One of what was pasted: a negative to add, or why it cannot be. */
export interface PastedNegative extends Pick<NegativeDraft, 'text' | 'matchType' | 'targetType'> {
  /** From 1. */
  line: number
  problem: string | null
}

const title = /^((negative )?keywords?|keyword text|search terms?|asins?|products?|brands?)$/i
const looksLikeAsin = /^b0[a-z0-9]{8}$/i

const brandSchema = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'Enter the marketplace’s id of the brand: digits alone'))

function matchOf(cell: string): NegativeMatchType | undefined {
  const name = `NEGATIVE_${cell.toUpperCase().replace(/^NEGATIVE[ _]?/, '')}`
  return negativeMatchTypes.find(type => type === name)
}

// A cell that names a match type belongs to the entry before it; any other cell is the next entry.
function entriesOf(cells: readonly string[]): { text: string; matchType?: NegativeMatchType }[] {
  const entries: { text: string; matchType?: NegativeMatchType }[] = []
  for (const cell of cells) {
    const last = entries.at(-1)
    const matchType = matchOf(cell)
    if (last && matchType && !last.matchType) last.matchType = matchType
    else entries.push({ text: cell.trim() })
  }
  return entries
}

function problemOf(kind: PastedKind, text: string, matchType: NegativeMatchType): string | null {
  const schema = { KEYWORD: keywordText, ASIN_SAME_AS: asinSchema, ASIN_BRAND_SAME_AS: brandSchema }[kind]
  const parsed = v.safeParse(schema, text)
  if (!parsed.success) return parsed.issues[0].message
  if (kind !== 'KEYWORD') return null
  if (looksLikeAsin.test(text)) return 'This is a product, not a search: add it under Products'
  return isShortEnough(text, matchType) ? null : negativePhraseMessage
}

/**
 * Reads a pasted list: one negative a line, separated with commas or semicolons, or in the columns of a spreadsheet, with a
 * match type next to it or without. Those that cannot be added say why; of the same twice, the second.
 */
export function pastedNegatives(pasted: string, kind: PastedKind, usual: NegativeMatchType): PastedNegative[] {
  const seen = new Map<string, number>()
  return pastedRows(pasted, title)
    .flatMap(({ line, cells }) => entriesOf(cells).map(entry => ({ line, ...entry })))
    .map(({ line, text: typed, matchType = usual }) => {
      const text = kind === 'ASIN_SAME_AS' ? (asinOfLink(typed) ?? typed).toUpperCase() : typed
      const key = kind === 'KEYWORD' ? `${matchType} ${normalTerm(text)}` : text
      const before = seen.get(key)
      const problem =
        problemOf(kind, text, matchType) ??
        (before === undefined ? null : `The same as on line ${before}`) ??
        (seen.size >= MAX_NEGATIVES ? `Only ${MAX_NEGATIVES} are added at once` : null)
      if (problem === null) seen.set(key, line)
      return { line, text, matchType, problem, ...(kind !== 'KEYWORD' && { targetType: kind }) }
    })
}
