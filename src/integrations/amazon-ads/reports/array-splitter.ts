/**
 * Cuts a JSON array of objects, arriving in pieces, into the texts of its elements. Feed it with `push`; `end` throws
 * SyntaxError unless the array was closed, so that a file that broke off is never taken for a whole one.
 */
export const createArraySplitter = () => {
  let buffer = ''
  let at = 0
  let start = 0
  let depth = 0
  let inString = false
  let closed = false

  const push = (text: string): string[] => {
    buffer += text
    const elements: string[] = []
    for (; at < buffer.length; at++) {
      const char = buffer.charCodeAt(at)
      if (inString) {
        if (char === BACKSLASH) {
          // The escaped character may still be on its way.
          if (at + 1 >= buffer.length) break
          at++
        } else if (char === QUOTE) inString = false
      } else if (char === QUOTE) inString = true
      else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
        if (depth === 0 && char !== OPEN_ARRAY) throw new SyntaxError('not a JSON array')
        if (depth === 1) start = at
        depth++
      } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
        depth--
        if (depth === 1) elements.push(buffer.slice(start, at + 1))
        if (depth === 0) closed = true
      }
    }
    // What is behind us is dropped, so that memory holds one element at a time.
    const keep = depth >= 2 ? start : at
    buffer = buffer.slice(keep)
    at -= keep
    start = 0
    return elements
  }

  const end = (): void => {
    if (!closed) throw new SyntaxError('the array is not closed')
  }
  return { push, end }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
