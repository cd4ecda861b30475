import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { EntityId, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, microsOf } from '../entities/read-fields.ts'
import { limitsOf, type MoneyRange } from '../limits/ad-limits.ts'
import { plainText } from '../plain-text.ts'

const missing = (field: string) =>
  itemError('missingValueError', 'MISSING_VALUE', { message: `${field} is required`, field })

/** An id that must be there: a whole number, or its digits. */
export const requiredId = (item: Item, field: string): EntityId => {
  const value = item[field]
  if (value === undefined || value === null) throw missing(field)
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^\d+$/.test(String(value)))
    throw invalidArgument(`Expected a whole number at ${field}`)
  return String(value)
}

/** The upper-case word for one of these in lower case, or nothing. Throws for the whole request when it is none. */
export const optionalWord = <T extends string>(item: Item, field: string, words: readonly T[]): T | undefined => {
  const value = item[field]
  if (value === undefined || value === null) return undefined
  const found = words.find(word => word.toLowerCase() === value)
  if (!found)
    throw badEnum(
      value,
      field,
      words.map(word => word.toLowerCase()),
    )
  return found
}

export const requiredWord = <T extends string>(item: Item, field: string, words: readonly T[]): T => {
  const word = optionalWord(item, field, words)
  if (word === undefined) throw missing(field)
  return word
}

const states = ['ENABLED', 'PAUSED', 'ARCHIVED'] as const

/** The state an item asks for; nothing is born archived, but a change may archive. */
export const stateOfNew = (item: Item): EntityState => {
  const state = requiredWord(item, 'state', states)
  if (state === 'ARCHIVED')
    throw itemError('rangeError', 'NOT_IN_LIST', {
      message: 'Nothing can be created archived',
      field: 'state',
      trigger: 'archived',
    })
  return state
}
export const stateOfChange = (item: Item, before: EntityState): EntityState =>
  optionalWord(item, 'state', states) ?? before

/** An amount, or nothing, in micros; the older calls also take it as text. Throws an item error outside its range. */
export const optionalAmount = (
  { marketplace }: AdsCaller,
  item: Item,
  field: string,
  range: MoneyRange,
): number | undefined => {
  const value = item[field]
  if (value === undefined || value === null) return undefined
  if (!/^\d+(\.\d+)?$/.test(plainText(value))) throw invalidArgument(`Expected an amount at ${field}`)
  const micros = microsOf(Number(plainText(value)))
  const low = micros < range.leastMicros
  if (low || micros > range.mostMicros)
    throw itemError('rangeError', low ? 'TOO_LOW' : 'TOO_HIGH', {
      message: `The ${field} must be from ${fromMicros(range.leastMicros)} to ${fromMicros(range.mostMicros)}`,
      field,
      trigger: value,
      more: limitsOf(range),
    })
  return roundToUnit(micros, marketplace.currency)
}

export const requiredAmount = (caller: AdsCaller, item: Item, field: string, range: MoneyRange): number => {
  const micros = optionalAmount(caller, item, field, range)
  if (micros === undefined) throw missing(field)
  return micros
}

/** A day written YYYYMMDD as yyyy-MM-dd; nothing when absent. Throws an item error for what is no day. */
export const optionalCompactDay = (item: Item, field: string): string | undefined => {
  const value = item[field]
  if (value === undefined || value === null) return undefined
  const day = plainText(value).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  const at = new Date(`${day}T00:00:00Z`)
  if (!/^\d{8}$/.test(plainText(value)) || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day))
    throw itemError('dateError', 'INVALID_DATE', { message: `The ${field} must be YYYYMMDD`, field, trigger: value })
  return day
}

/** A day as these calls write it: 20260310. */
export const compactDay = (day: string): string => day.replaceAll('-', '')
