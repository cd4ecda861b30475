import * as v from 'valibot'
import { blockedBy, keywordText, MAX_NEGATIVE_PHRASE_WORDS, type NegativeMatchType, normalTerm } from '../contract.ts'
import { listFull, MAX_IN_LIST } from '../lists/list-changes.ts'
import { CAMPAIGN_KEY, type WizardNegativeKeyword, type WizardState } from './wizard-state.ts'

/** Why a negative keyword cannot be added to a list, in words; null when it can. */
export const negativeFault = (
  text: string,
  matchType: NegativeMatchType,
  chosen: readonly WizardNegativeKeyword[],
): string | null => {
  const parsed = v.safeParse(keywordText, text)
  if (!parsed.success) return parsed.issues[0].message
  if (matchType === 'NEGATIVE_PHRASE' && parsed.output.split(/\s+/).length > MAX_NEGATIVE_PHRASE_WORDS)
    return `A negative phrase has at most ${MAX_NEGATIVE_PHRASE_WORDS} words`
  if (chosen.length >= MAX_IN_LIST) return listFull
  const term = normalTerm(text)
  const isDouble = chosen.some(n => n.matchType === matchType && normalTerm(n.keyword) === term)
  return isDouble ? 'This negative keyword is in the list already' : null
}

/** The chosen keywords that a negative keyword would keep from ever being shown. */
export const blockedKeywords = ({ products, keywords, negativeKeywords }: WizardState): string[] => {
  if (!negativeKeywords.length) return []
  const isBlocked = rememberedBlocks(negativeKeywords)
  const chosen = [...products.map(p => p.asin), CAMPAIGN_KEY].flatMap(key => keywords[key] ?? [])
  return [...new Set(chosen.filter(k => isBlocked(k.keyword, k.matchType === 'EXACT')).map(k => k.keyword))]
}

type IsBlocked = ReturnType<typeof blockedBy>
const remembered = new WeakMap<WizardState['negativeKeywords'], IsBlocked>()

// Asked at each keystroke, of a thousand keywords against a thousand phrases: each text is held against them once.
const rememberedBlocks = (negatives: WizardState['negativeKeywords']): IsBlocked => {
  const known = remembered.get(negatives)
  if (known) return known
  const ask = blockedBy(negatives)
  const answers = new Map<string, boolean>()
  const isBlocked: IsBlocked = (text, isExact) => {
    const key = `${isExact} ${text}`
    const answer = answers.get(key) ?? ask(text, isExact)
    answers.set(key, answer)
    return answer
  }
  remembered.set(negatives, isBlocked)
  return isBlocked
}
