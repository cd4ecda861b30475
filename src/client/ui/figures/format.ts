import { type FigureKind, figureText, percentText, plainText } from '#shared/figure-text.ts'
import { moneyFormat } from '#shared/money.ts'
import { agoText, compactText, dateText, decimalSign, numberFormat } from '#shared/region-format.ts'
import { region } from '../../api/region.ts'

export type { FigureKind }

// The user's format and time zone, which their account has. Nothing else of the client writes numbers or days.
const number = (options: Intl.NumberFormatOptions) => numberFormat(region().locale, options)
const date = (options: Intl.DateTimeFormatOptions, from: Date | number, to?: Date | number) =>
  dateText(region().locale, options, from, to)
const shortFrom = 10_000
// An amount of four digits with a long sign of its currency would break on a phone's card.
const fewCharacters = '$1,234.56'.length

/** An amount with its currency and that currency's digits: $1,234.50, ¥1,235. */
export function formatMoney(amount: number, currency: string): string {
  return number(moneyFormat(currency)).format(amount)
}
export function formatNumber(value: number, digits = 0): string {
  return plainText(value, digits, region())
}
/** A percentage that is given in percent: 12.345 becomes 12.35%. */
export function formatPercent(percent: number, digits = 2): string {
  return percentText(percent, digits, region())
}

export function formatFigure(value: number, kind: FigureKind, currency = 'USD'): string {
  return figureText(value, kind, currency, region())
}
/** A figure in few characters: $12.4K, CA$1.2K, 12.4K; small ones in full. */
export function formatFigureShort(value: number, kind: FigureKind, currency = 'USD'): string {
  const full = formatFigure(value, kind, currency)
  const size = Math.abs(value)
  if (kind === 'percent') return formatPercent(value, 1)
  if (kind === 'ratio' || size < 1000) return full
  if (size < shortFrom && (kind === 'count' || full.length <= fewCharacters)) return full
  return compactText(region().locale, value, kind === 'money' ? { style: 'currency', currency } : {})
}

/** A rate in five digits that count: 0.92345. */
export const formatRate = (rate: number): string =>
  number({ minimumSignificantDigits: 5, maximumSignificantDigits: 5 }).format(rate)
/** A number as it stands in a field: with the user's decimal sign and nothing between thousands. */
export const formatEntered = (text: string): string => text.replace('.', decimalSign(region().locale))

// A calendar day has no time zone; noon UTC keeps it what it is.
const noon = (day: string): Date => new Date(`${day}T12:00:00Z`)

/** A calendar day (yyyy-MM-dd) as Nov 3. */
export const formatDay = (day: string): string => date({ day: 'numeric', month: 'short', timeZone: 'UTC' }, noon(day))
export const formatFullDay = (day: string): string => date({ dateStyle: 'medium', timeZone: 'UTC' }, noon(day))
/** A calendar day in full: November 3, 2026. */
export const formatLongDay = (day: string): string => date({ dateStyle: 'long', timeZone: 'UTC' }, noon(day))
/** A month (yyyy-MM) as November 2026. */
export const formatMonth = (month: string): string =>
  date({ month: 'long', year: 'numeric', timeZone: 'UTC' }, noon(`${month}-15`))
export function formatDayRange(from: string, to: string): string {
  return date({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }, noon(from), noon(to))
}
/** An hour of the day, 0 to 23, as 6 PM or 18:00. */
export function formatHour(hour: number): string {
  const at = Date.UTC(2000, 0, 1, hour)
  const text = date({ hour: 'numeric', timeZone: 'UTC' }, at)
  return /\p{L}/u.test(text) ? text : date({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }, at)
}
/** A moment in a time zone (IANA name; the user's own when absent). */
export function formatMoment(at: string | number | Date, timeZone = region().timeZone): string {
  return date({ dateStyle: 'medium', timeStyle: 'short', timeZone }, new Date(at))
}
/** The same to the second. */
export function formatExactMoment(at: string | number | Date, timeZone = region().timeZone): string {
  return date({ dateStyle: 'medium', timeStyle: 'medium', timeZone }, new Date(at))
}
/** The day of a moment, in the user's time zone: Nov 3, 2026. */
export const formatMomentDay = (at: string | number | Date): string =>
  date({ dateStyle: 'medium', timeZone: region().timeZone }, new Date(at))
/** The same in full: November 3, 2026. */
export const formatMomentLongDay = (at: string | number | Date): string =>
  date({ dateStyle: 'long', timeZone: region().timeZone }, new Date(at))

/** The time of day of a moment in a time zone (the user's own when absent): 3:40 PM. */
export function formatTime(at: string | number | Date, timeZone = region().timeZone): string {
  return date({ timeStyle: 'short', timeZone }, new Date(at))
}
/** The same to the second. */
export function formatExactTime(at: string | number | Date, timeZone = region().timeZone): string {
  return date({ timeStyle: 'medium', timeZone }, new Date(at))
}
/** A calendar day by its weekday: Fri 20. */
export function formatWeekday(day: string): string {
  return `${date({ weekday: 'short', timeZone: 'UTC' }, noon(day))} ${Number(day.slice(-2))}`
}

/** How long ago something was: just now, 5 min. ago, 3 hr. ago, 2 days ago. */
export function formatAge(at: string | number | Date, now: number): string {
  const seconds = (now - new Date(at).getTime()) / 1000
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return agoText(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return agoText(Math.floor(seconds / 3600), 'hour')
  return agoText(Math.floor(seconds / 86_400), 'day')
}

/** An amount and a moment in another format, for choosing one: 1.234,56 € · 23. Nov 2026, 18:40. */
export function regionExample(locale: string, timeZone: string, at: number): string {
  const moment = dateText(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }, at)
  return `${numberFormat(locale, moneyFormat('EUR')).format(1234.56)} · ${moment}`
}
