import { throwFirst } from '../entities/item-error.ts'

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
// No full stop at the ends; hyphens and pluses only between letters; quotation marks in pairs.
const oddlyPlaced = (text: string): boolean =>
  /^\.|\.$|(^|\s)[-+]|[-+](\s|$)/.test(text) || text.split('"').length % 2 === 0

/** A keyword's text with single blanks: at most 80 characters and `mostWords` words. Throws an `ItemError`. */
export function checkKeywordText(keywordText: string, mostWords: number): string {
  const even = keywordText.replace(/\s+/g, ' ')
  const at = { keywordText }
  throwFirst([
    [even.trim() === '', 'BLANK', 'The keyword must not be blank', at],
    [even !== even.trim(), 'LEADING_OR_TRAILING_WHITESPACE', 'The keyword has blanks at its ends', at],
    [!allowed.test(even), 'FORBIDDEN_CHARS', 'The keyword has characters that are not allowed', at],
    [oddlyPlaced(even), 'FORBIDDEN_CHARS', 'The keyword has a character where it is not allowed', at],
    [even.length > 80, 'TOO_LONG', 'The keyword is longer than 80 characters', at],
    [even.split(' ').length > mostWords, 'TOO_LONG', `The keyword has more than ${mostWords} words`, at],
  ])
  return even
}
