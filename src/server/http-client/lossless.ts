import { isInteger, parse } from 'lossless-json'

// Fifteen digits always fit a double; whoever sends more outside of quotes sends an id.
const longNumber = /[:[,\s]-?\d{16}/

/** A number as a number, except an integer too long for a double, which comes as its digits. */
const numberOf = (digits: string): string | number =>
  isInteger(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits)

/** Parses JSON without rounding ids: integers beyond 2^53 come as text. Throws SyntaxError like JSON.parse. */
export const parseLossless = (text: string): unknown =>
  longNumber.test(text) ? parse(text, null, numberOf) : (JSON.parse(text) as unknown)

/** Ids written as integers, as some calls want them, whatever their length. Throws SyntaxError unless all are digits. */
export function integerId(id: string): unknown {
  if (!/^\d+$/.test(id)) throw new SyntaxError(`an id of digits was expected, not ${id}`)
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(id)
}
