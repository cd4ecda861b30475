// Fifteen digits always fit a double. A longer number is an id.
const longNumber = /[:[,\s]-?\d{16}/

// Texts are matched so that what stands in them is left alone.
const textsAndLongIntegers = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** Leaves an integer that a double cannot hold as its digits. */
const keepDigits = (part: string): string =>
  part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`

/** Parses JSON without rounding ids: integers beyond 2^53 become text. Throws SyntaxError like JSON.parse. */
export const parseLossless = (text: string): unknown =>
  JSON.parse(longNumber.test(text) ? text.replace(textsAndLongIntegers, keepDigits) : text) as unknown

/** An id that is written as a JSON integer of any length, as some calls require. Throws SyntaxError unless it is all digits. */
export function integerId(id: string): unknown {
  if (!/^\d+$/.test(id)) throw new SyntaxError(`expected an id of digits, not ${id}`)
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(id)
}
