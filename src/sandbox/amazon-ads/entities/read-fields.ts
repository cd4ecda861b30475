import { toMicros } from '#shared/money.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { itemError } from './item-error.ts'

// A value of the wrong kind spoils the whole request, as it does the real one's parser; a missing one only its item.

/** An item of a batch as it was sent: some object. */
export type Item = Record<string, unknown>

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

export const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object inside a request; an absent one is empty. Throws 400 for anything else. */
export function objectAt(value: unknown, field: string): Item {
  if (isAbsent(value)) return {}
  if (!isObject(value)) throw invalidArgument(`Expected an object at ${field}`)
  return value
}

/** A list of objects inside a request; an absent one is empty. Throws 400 otherwise. */
export function objectsAt(value: unknown, field: string): Item[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw invalidArgument(`Expected a list of objects at ${field}`)
  return value
}

export function numberAt(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidArgument(`Expected a number at ${field}`)
  return value
}

const MOST_AMOUNT = 9_000_000_000
/** An amount in micros; one that is larger than a number holds exactly is as large as can be. */
export const microsOf = (amount: number): number =>
  Math.abs(amount) > MOST_AMOUNT ? Math.sign(amount) * Number.MAX_SAFE_INTEGER : toMicros(amount)

/** A value that must be there; null counts as nothing. */
export function required<T>(value: T, field: string): NonNullable<T> {
  if (isAbsent(value)) throw itemError('MISSING_VALUE', `${field} is required`, { [field]: undefined })
  return value as NonNullable<T>
}

export function optionalText(item: Item, field: string): string | undefined {
  const value = item[field]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') throw invalidArgument(`Expected a string at ${field}`)
  return value
}

export const requiredText = (item: Item, field: string): string => required(optionalText(item, field), field)

/** A value of a closed list. Throws 400 when it is outside: case counts. */
export function enumAt<T extends string>(value: unknown, field: string, allowed: readonly T[]): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw badEnum(value, field, allowed)
  return found
}

export const optionalEnum = <T extends string>(item: Item, field: string, allowed: readonly T[]): T | undefined =>
  isAbsent(item[field]) ? undefined : enumAt(item[field], field, allowed)

/** A whole number of percent at a place. Throws an item error outside its limits. */
export function percentageAt(
  percentage: unknown,
  place: string,
  [least, most]: readonly [number, number],
  reason?: 'BID_INVALID_PLACEMENT',
): number {
  const share = Number(percentage)
  if (!Number.isInteger(percentage) || share < least || share > most)
    throw itemError(
      reason ?? (share < least ? 'TOO_LOW' : 'TOO_HIGH'),
      `The percentage must be a whole number from ${least} to ${most}`,
      { [`${place}.percentage`]: percentage },
      { lowerLimit: String(least), upperLimit: String(most) },
    )
  return share
}
