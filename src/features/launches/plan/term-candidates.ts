import type { KeywordMatch } from '../templates.ts'
import * as v from 'valibot'
import type { SuggestedBids } from '#features/recommendations/contract.ts'
import type { LaunchAdvice } from './launch-plan.ts'
import { keywordText } from '../launch-schema.ts'
import { normalTerm } from '../chosen-terms.ts'

/** A recommended term with what is suggested for it in each match type. */
export interface Candidate {
  text: string
  term: string
  bids: Partial<Record<KeywordMatch, SuggestedBids | null>>
}

/** The terms of the advice, strongest first. It has a row for each match type; a term is as strong as its first row is early. */
export const candidatesOf = (advice: LaunchAdvice): Candidate[] => {
  const byTerm = new Map<string, Candidate>()
  for (const { text, matchType, suggested } of advice.keywords) {
    // What the marketplace would refuse as a keyword is no candidate, even if it was recommended.
    if (!v.is(keywordText, text)) continue
    const term = normalTerm(text)
    const known = byTerm.get(term) ?? { text: text.trim(), term, bids: {} }
    known.bids[matchType] ??= suggested
    byTerm.set(term, known)
  }
  return [...byTerm.values()]
}

/**
 * The root terms, strongest first: those that no shorter recommended term stands in. “Water bottle” is the root of “steel water
 * bottle”.
 */
export const rootsOf = (candidates: readonly Candidate[]): Candidate[] => {
  const terms = new Set(candidates.map(c => c.term))
  const hasRoot = (term: string) => {
    const words = term.split(' ')
    return words.some((_, from) =>
      words.some((__, to) => {
        const part = words.slice(from, to + 1).join(' ')
        return part !== '' && part !== term && terms.has(part)
      }),
    )
  }
  return candidates.filter(c => !hasRoot(c.term))
}
