import { blockedBy } from '../contract.ts'
import { CAMPAIGN_KEY, type WizardState } from './wizard-state.ts'

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
