import { itemError } from '../entities/item-error.ts'

// What keywords are written in, by the vendor's page of limits; digits go without saying there.
const letters = [
  '0-9A-Za-z',
  // Latin letters with marks, those that the page names.
  '\\u00AE\\u00C0-\\u00CF\\u00D1-\\u00D6\\u00D9-\\u00DC\\u00DF\\u00E0-\\u00EF\\u00F1-\\u00F6\\u00F9-\\u00FC\\u00FF',
  '\\u0104-\\u0107\\u0118\\u0119\\u0130\\u0131\\u0141-\\u0144\\u0152\\u0153\\u015A-\\u015F\\u0178-\\u017E',
  // Arabic, Devanagari, Tamil, Hiragana, Katakana, Kanji.
  '\\u0600-\\u06FF\\u0900-\\u097F\\u0B80-\\u0BFF\\u3000-\\u30FF\\u4E00-\\u9FFF',
].join('')
const allowed = new RegExp(`^[${letters} &\\\\[\\]'".+-]*$`, 'u')
const oddlyPlaced: readonly RegExp[] = [
  // No keyword begins or ends with a full stop.
  /^\.|\.$/,
  // Hyphens and pluses are allowed only between letters.
  /(^|\s)[-+]|[-+](\s|$)/,
]

/** A keyword's text with single blanks: at most 80 characters and `mostWords` words. Throws an `ItemError`. */
export function checkKeywordText(text: string, mostWords: number): string {
  const refuse = (
    reason: 'BLANK' | 'FORBIDDEN_CHARS' | 'LEADING_OR_TRAILING_WHITESPACE' | 'TOO_LONG',
    message: string,
  ) => itemError('malformedValueError', reason, { message, field: 'keywordText', trigger: text })
  const even = text.replace(/\s+/g, ' ')
  if (even.trim() === '') throw refuse('BLANK', 'The keyword must not be blank')
  if (even !== even.trim()) throw refuse('LEADING_OR_TRAILING_WHITESPACE', 'The keyword has blanks at its ends')
  if (!allowed.test(even)) throw refuse('FORBIDDEN_CHARS', 'The keyword has characters that are not allowed')
  const quotes = even.split('"').length - 1
  if (quotes % 2 === 1 || oddlyPlaced.some(pattern => pattern.test(even)))
    throw refuse('FORBIDDEN_CHARS', 'The keyword has a character where it is not allowed')
  if (even.length > 80) throw refuse('TOO_LONG', 'The keyword is longer than 80 characters')
  if (even.split(' ').length > mostWords) throw refuse('TOO_LONG', `The keyword has more than ${mostWords} words`)
  return even
}
