const words: Record<string, string> = {
  EXACT: 'Exact',
  PHRASE: 'Phrase',
  BROAD: 'Broad',
  NEGATIVE_EXACT: 'Negative exact',
  NEGATIVE_PHRASE: 'Negative phrase',
  NEGATIVE_BROAD: 'Negative broad',
}
const autoGroups: Record<string, string> = {
  CLOSE_MATCH: 'Close match',
  LOOSE_MATCH: 'Loose match',
  SUBSTITUTES: 'Substitutes',
  COMPLEMENTS: 'Complements',
}

/** What a match type is called. */
export const matchWords = (matchType: string | null): string => (matchType ? (words[matchType] ?? matchType) : '–')

/** What a keyword or target is called; the automatic groups as in the marketplace's console. */
export const targetName = ({ kind, text }: { kind: string; text: string }): string =>
  kind === 'AUTO' ? (autoGroups[text] ?? text) : text
