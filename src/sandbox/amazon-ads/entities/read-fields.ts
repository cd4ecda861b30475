import { toMicros } from '#shared/money.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { itemError } from './item-error.ts'

/** An item of a batch as it was sent: some object. */
export type Item = Record<string, unknown>

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object inside a request; an absent one is empty. Throws 400 for the whole request when it is anything else. */
export function objectAt(value: unknown, field: string): Item {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw invalidArgument(`Expected an object at ${field}`)
  return value
}

/** A list of objects inside a request; an absent one is empty. Throws 400 for the whole request otherwise. */
export function objectsAt(value: unknown, field: string): Item[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw invalidArgument(`Expected a list of objects at ${field}`)
  return value
}

const MOST_AMOUNT = 9_000_000_000
/** An amount in micros; one that is larger than a number holds exactly is as large as can be. */
export const microsOf = (amount: number): number =>
  Math.abs(amount) > MOST_AMOUNT ? Math.sign(amount) * Number.MAX_SAFE_INTEGER : toMicros(amount)

export const missing = (field: string) =>
  itemError('missingValueError', 'MISSING_VALUE', { message: `${field} is required`, field })

/** Text that must be there. */
export function requiredText(item: Item, field: string): string {
  const text = optionalText(item, field)
  if (text === undefined) throw missing(field)
  return text
}

/** Text or nothing; another kind of value spoils the whole request, as it does the real one's parser. */
export function optionalText(item: Item, field: string): string | undefined {
  const value = item[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidArgument(`Expected a string at ${field}`)
  return value
}

/** A value of a closed list, or nothing. Throws 400 for the whole request when it is outside: case counts. */
export function optionalEnum<T extends string>(item: Item, field: string, allowed: readonly T[]): T | undefined {
  const value = item[field]
  if (value === undefined || value === null) return undefined
  const found = allowed.find(one => one === value)
  if (found === undefined) throw badEnum(value, field, allowed)
  return found
}

export function requiredEnum<T extends string>(item: Item, field: string, allowed: readonly T[]): T {
  const value = optionalEnum(item, field, allowed)
  if (value === undefined) throw missing(field)
  return value
}

const forbiddenInNames = /\p{Cc}/u

/** A name: not blank, no blanks around it, no control characters, at most so long. */
export function checkName(name: string, most: number): string {
  const refuse = (
    reason: 'BLANK' | 'FORBIDDEN_CHARS' | 'LEADING_OR_TRAILING_WHITESPACE' | 'TOO_LONG',
    message: string,
  ) => itemError('malformedValueError', reason, { message, field: 'name', trigger: name })
  if (name.trim() === '') throw refuse('BLANK', 'The name must not be blank')
  if (name !== name.trim()) throw refuse('LEADING_OR_TRAILING_WHITESPACE', 'The name has blanks at its ends')
  if (forbiddenInNames.test(name)) throw refuse('FORBIDDEN_CHARS', 'The name has characters that are not allowed')
  if (name.length > most) throw refuse('TOO_LONG', `The name is longer than ${most} characters`)
  return name
}
