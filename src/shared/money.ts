import * as v from 'valibot'
import { currentRegion, numberFormat, type Region } from './region-format.ts'

/**
 * Money as a whole number of micro-units (1/1,000,000 of the currency unit), exact up to nine billion units. The database
 * and the server count in micros; a name that holds them ends in `Micros`. A plain number may become micros, an `Amount`
 * may not: only `toMicros` converts.
 */
export type Micros = number & v.Flavor<'micros'>
/** Money in decimals of the currency unit, as people write it and JSON carries it. Only `fromMicros` makes one of micros. */
export type Amount = number & v.Flavor<'amount'>

/** An amount of money in JSON, in decimals of its currency. */
export const money = v.number() as v.BaseSchema<number, Amount, v.NumberIssue>
/** A new amount that a person gives, with the message where there is none. */
export const newMoney = (message: string) => v.pipe(v.number(message), v.finite(message))

const MICROS = 1_000_000

const digitsOf: Record<string, number> = { JPY: 0 }

/** How many decimals the currency is written with: 0 for JPY, else 2. */
export const currencyDigits = (currency: string): number => digitsOf[currency] ?? 2
/** The smallest unit of the currency in micros (a cent is 10,000, a yen 1,000,000). */
export const smallestUnitMicros = (currency: string): Micros => MICROS / 10 ** currencyDigits(currency)

/** Decimal amount to micros, exactly; half a micro rounds away from zero. Throws RangeError when the input is not a finite amount. */
export function toMicros(amount: Amount | string): Micros {
  const text = typeof amount === 'number' ? decimalText(amount) : amount.trim()
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`not an amount: ${text}`)
  const fraction = `${match[3] ?? ''}0000000`
  const micros = Number(match[2]) * MICROS + Number(fraction.slice(0, 6)) + (Number(fraction[6]) >= 5 ? 1 : 0)
  if (!Number.isSafeInteger(micros)) throw new RangeError(`amount too large: ${text}`)
  return match[1] && micros ? -micros : micros
}

function decimalText(amount: number): string {
  if (!Number.isFinite(amount)) throw new RangeError(`not an amount: ${amount}`)
  return /e/i.test(String(amount)) ? amount.toFixed(8) : String(amount)
}

/** Micros to the decimal amount that JSON carries. */
export const fromMicros = (micros: Micros): Amount => micros / MICROS

/** How amounts of a currency are written for people. */
export const moneyFormat = (currency: string): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  minimumFractionDigits: currencyDigits(currency),
  maximumFractionDigits: currencyDigits(currency),
})
/** An amount in a sentence, as its reader writes it: $1,234.50, 1.234,50 $, ¥1,235. */
export const moneyText = (micros: Micros, currency: string, { locale }: Region = currentRegion()): string =>
  numberFormat(locale, moneyFormat(currency)).format(fromMicros(roundToUnit(micros, currency)))
/** A part of 1 in a sentence, as whole percent. */
export const shareText = (share: number, { locale }: Region = currentRegion()): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)
/** A number in a sentence, as its reader writes it, with these decimals. */
export const numberText = (value: number, digits = 0, { locale }: Region = currentRegion()): string =>
  numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

/** Rounds half to even at the currency's smallest unit. */
export function roundToUnit(micros: Micros, currency: string): Micros {
  const unit = smallestUnitMicros(currency)
  const low = Math.floor(micros / unit) * unit
  const rest = micros - low
  if (rest * 2 === unit) return (low / unit) % 2 === 0 ? low : low + unit
  return rest * 2 > unit ? low + unit : low
}

/** Rounds down to the currency's smallest unit. */
export const floorToUnit = (micros: Micros, currency: string): Micros =>
  Math.floor(micros / smallestUnitMicros(currency)) * smallestUnitMicros(currency)
/** Rounds up to the currency's smallest unit. */
export const ceilToUnit = (micros: Micros, currency: string): Micros =>
  Math.ceil(micros / smallestUnitMicros(currency)) * smallestUnitMicros(currency)

/** True when the amount can be written with the currency's digits. */
export const hasUnitPrecision = (micros: Micros, currency: string): boolean =>
  micros % smallestUnitMicros(currency) === 0
