import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { EntityId, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { wholeId } from '../exact-json.ts'
import { limitsOf, type MoneyRange } from '../limits/ad-limits.ts'
import { plainText } from '../plain-text.ts'
import { itemError } from './item-error.ts'
import { type Item, microsOf, missing, optionalEnum, optionalText, requiredEnum, requiredText } from './read-fields.ts'

/** How an API family writes values, and how it words the errors of those it cannot take. */
export interface WireStyle {
  id(id: EntityId): unknown
  word(word: string): string
  day(day: string): string
  /** An id that must be there. */
  readId(item: Item, field: string): EntityId
  /** A word of a closed list, as the store has it. Throws for the whole request when it is outside. */
  readWord<T extends string>(item: Item, field: string, allowed: readonly T[]): T | undefined
  readState(item: Item, isNew: boolean): EntityState | undefined
  /** A calendar day as yyyy-MM-dd. Throws an item error for other text. */
  readDay(item: Item, field: string): string | undefined
  /** An amount in micros. Throws an item error outside its range. */
  readAmount(caller: AdsCaller, item: Item, field: string, range: MoneyRange): number | undefined
  /** Null: the campaign leaves its portfolio. */
  readPortfolioId(item: Item): EntityId | null | undefined
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

function checkRange(
  { marketplace }: AdsCaller,
  { micros, range, field, trigger }: { micros: number; range: MoneyRange; field: string; trigger: unknown },
  message: (low: boolean) => string,
): number {
  const low = micros < range.leastMicros
  if (low || micros > range.mostMicros)
    throw itemError('rangeError', low ? 'TOO_LOW' : 'TOO_HIGH', {
      message: message(low),
      field,
      trigger,
      more: limitsOf(range),
    })
  return roundToUnit(micros, marketplace.currency)
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** A calendar day (yyyy-MM-dd) or nothing; null counts as nothing. Throws an item error for other text. */
export function readDate(item: Item, field: string): string | undefined {
  const text = optionalText(item, field)
  if (text !== undefined && !isDay(text))
    throw itemError('dateError', 'INVALID_DATE', { message: 'The date must be YYYY-MM-DD', field, trigger: text })
  return text
}

/** Newer families: ids and days are text, words upper case. ARCHIVED is never among the writable states. */
export function textStyle(writableStates: readonly EntityState[]): WireStyle {
  return {
    id: id => id,
    word: word => word,
    day: day => day,
    readId: requiredText,
    readWord: optionalEnum,
    readState: (item, isNew) => (isNew ? requiredEnum : optionalEnum)(item, 'state', writableStates),
    readDay: readDate,
    readAmount(caller, item, field, range) {
      const value = item[field]
      if (isAbsent(value)) return undefined
      if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidArgument(`Expected a number at ${field}`)
      return checkRange(caller, { micros: microsOf(value), range, field, trigger: value }, low =>
        low
          ? 'Bid is lower than the minimum allowed by the marketplace'
          : 'Bid is higher than the maximum allowed by the marketplace',
      )
    },
    readPortfolioId(item) {
      const text = optionalText(item, 'portfolioId')
      return text === '' ? null : text
    },
  }
}

const states = ['ENABLED', 'PAUSED', 'ARCHIVED'] as const

/** A day as the older families write it: 20260310. */
export const compactDay = (day: string): string => day.replaceAll('-', '')

/** Older families: ids are whole numbers, words lower case, days without dashes; an update may archive. */
export const numberStyle: WireStyle = {
  id: wholeId,
  word: word => word.toLowerCase(),
  day: compactDay,
  readId(item, field) {
    const value = item[field]
    if (isAbsent(value)) throw missing(field)
    if ((typeof value !== 'number' && typeof value !== 'string') || !/^\d+$/.test(String(value)))
      throw invalidArgument(`Expected a whole number at ${field}`)
    return String(value)
  },
  readWord(item, field, allowed) {
    const value = item[field]
    if (isAbsent(value)) return undefined
    const found = allowed.find(word => word.toLowerCase() === value)
    if (!found) {
      const words = allowed.map(word => word.toLowerCase())
      throw badEnum(value, field, words)
    }
    return found
  },
  readState(item, isNew) {
    const state = numberStyle.readWord(item, 'state', states)
    if (isNew && state === undefined) throw missing('state')
    if (isNew && state === 'ARCHIVED')
      throw itemError('rangeError', 'NOT_IN_LIST', {
        message: 'Nothing can be created archived',
        field: 'state',
        trigger: 'archived',
      })
    return state
  },
  readDay(item, field) {
    const value = item[field]
    if (isAbsent(value)) return undefined
    const text = plainText(value)
    const day = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
    if (!/^\d{8}$/.test(text) || !isDay(day))
      throw itemError('dateError', 'INVALID_DATE', { message: `The ${field} must be YYYYMMDD`, field, trigger: value })
    return day
  },
  // These calls take an amount as text, too.
  readAmount(caller, item, field, range) {
    const value = item[field]
    if (isAbsent(value)) return undefined
    if (!/^\d+(\.\d+)?$/.test(plainText(value))) throw invalidArgument(`Expected an amount at ${field}`)
    const micros = microsOf(Number(plainText(value)))
    const message = `The ${field} must be from ${fromMicros(range.leastMicros)} to ${fromMicros(range.mostMicros)}`
    return checkRange(caller, { micros, range, field, trigger: value }, () => message)
  },
  readPortfolioId: item => (isAbsent(item.portfolioId) ? item.portfolioId : numberStyle.readId(item, 'portfolioId')),
}
