import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { EntityId, EntityState } from '../../core/model/store.ts'
import { type AdsCaller, wholeId } from '../ads-caller.ts'
import { invalidArgument, plainText } from '../ads-failure.ts'
import type { MoneyRange } from '#shared/ad-limits.ts'
import { itemError } from './item-error.ts'
import {
  isAbsent,
  type Item,
  microsOf,
  numberAt,
  optionalEnum,
  optionalText,
  required,
  requiredText,
} from './read-fields.ts'

/** How an API family writes values, and how it words the errors of those it cannot take. */
export interface WireStyle {
  id(id: EntityId): unknown
  word(word: string): string
  day(day: string): string
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

/** An amount rounded to the currency's unit. Throws outside its range: a budget's error has reasons of its own. */
export function checkRange(
  { marketplace }: AdsCaller,
  micros: number,
  { leastMicros, mostMicros }: MoneyRange,
  at: Item,
  { what = 'Bid', message }: { what?: 'Bid' | 'The budget'; message?: string } = {},
): number {
  const low = micros < leastMicros
  if (!low && micros <= mostMicros) return roundToUnit(micros, marketplace.currency)
  const bound = low ? 'lower than the minimum' : 'higher than the maximum'
  throw itemError(
    `${what === 'Bid' ? '' : 'BUDGET_'}TOO_${low ? 'LOW' : 'HIGH'}`,
    message ?? `${what} is ${bound} allowed by the marketplace`,
    at,
    { lowerLimit: String(fromMicros(leastMicros)), upperLimit: String(fromMicros(mostMicros)) },
  )
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** Newer families: ids and days are text, words upper case. ARCHIVED is never among the writable states. */
export function textStyle(writableStates: readonly EntityState[]): WireStyle {
  return {
    id: id => id,
    word: word => word,
    day: day => day,
    readId: requiredText,
    readWord: optionalEnum,
    readState(item, isNew) {
      const state = optionalEnum(item, 'state', writableStates)
      return isNew ? required(state, 'state') : state
    },
    readDay(item, field) {
      const text = optionalText(item, field)
      if (text !== undefined && !isDay(text))
        throw itemError('INVALID_DATE', 'The date must be YYYY-MM-DD', { [field]: text })
      return text
    },
    readAmount(caller, item, field, range) {
      const value = item[field]
      if (isAbsent(value)) return undefined
      return checkRange(caller, microsOf(numberAt(value, field)), range, { [field]: value })
    },
    readPortfolioId(item) {
      const text = optionalText(item, 'portfolioId')
      return text === '' ? null : text
    },
  }
}

/** A day as the older families write it: 20260310. */
export const compactDay = (day: string): string => day.replaceAll('-', '')

/** Older families: ids are whole numbers, words lower case, days without dashes; an update may archive. */
export const numberStyle: WireStyle = {
  id: wholeId,
  word: word => word.toLowerCase(),
  day: compactDay,
  readId(item, field) {
    const value = required(item[field], field)
    if ((typeof value !== 'number' && typeof value !== 'string') || !/^\d+$/.test(String(value)))
      throw invalidArgument(`Expected a whole number at ${field}`)
    return String(value)
  },
  readWord(item, field, allowed) {
    const words = allowed.map(word => word.toLowerCase())
    const word = optionalEnum(item, field, words)
    return word === undefined ? undefined : allowed[words.indexOf(word)]
  },
  readState(item, isNew) {
    const state = numberStyle.readWord(item, 'state', ['ENABLED', 'PAUSED', 'ARCHIVED'])
    if (isNew && state === 'ARCHIVED')
      throw itemError('NOT_IN_LIST', 'Nothing can be created archived', { state: 'archived' })
    return isNew ? required(state, 'state') : state
  },
  readDay(item, field) {
    const value = item[field]
    if (isAbsent(value)) return undefined
    const text = plainText(value)
    const day = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
    if (!/^\d{8}$/.test(text) || !isDay(day))
      throw itemError('INVALID_DATE', `The ${field} must be YYYYMMDD`, { [field]: value })
    return day
  },
  // These calls take an amount as text, too.
  readAmount(caller, item, field, range) {
    const value = item[field]
    if (isAbsent(value)) return undefined
    const text = plainText(value)
    if (!/^\d+(\.\d+)?$/.test(text)) throw invalidArgument(`Expected an amount at ${field}`)
    const message = `The ${field} must be from ${fromMicros(range.leastMicros)} to ${fromMicros(range.mostMicros)}`
    return checkRange(caller, microsOf(Number(text)), range, { [field]: value }, { message })
  },
  readPortfolioId: item => (isAbsent(item.portfolioId) ? item.portfolioId : numberStyle.readId(item, 'portfolioId')),
}
