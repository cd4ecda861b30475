import { isInteger, parse } from 'lossless-json'

// Fifteen digits always fit a double. A longer number is an id.
const longNumber = /[:[,\s]-?\d{16}/

/** Parses a number, but leaves an integer that a double cannot hold as its digits. */
const numberOf = (digits: string): string | number =>
  isInteger(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits)

/** Parses JSON without rounding ids: integers beyond 2^53 become text. Throws SyntaxError like JSON.parse. */
export const parseLossless = (text: string): unknown =>
  longNumber.test(text) ? parse(text, null, numberOf) : (JSON.parse(text) as unknown)

/** An id that is written as a JSON integer of any length, as some calls require. Throws SyntaxError unless it is all digits. */
export function integerId(id: string): unknown {
  if (!/^\d+$/.test(id)) throw new SyntaxError(`expected an id of digits, not ${id}`)
  return (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(id)
}
