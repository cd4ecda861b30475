import { moneyFormat } from '#shared/money.ts'

/** What a figure counts; percent values are already in percent, ratios are plain numbers. */
export type FigureKind = 'money' | 'count' | 'percent' | 'ratio'

/** Makes each format once: the platform reads its tables for it. */
function cached<O, F>(make: (options: O) => F): (options: O) => F {
  const formats = new Map<string, F>()
  return options => {
    const key = JSON.stringify(options)
    const format = formats.get(key) ?? make(options)
    formats.set(key, format)
    return format
  }
}
const numberFormat = cached((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(undefined, options))
const dateFormat = cached((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options))
const relativeFormat = cached(
  (options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(undefined, options),
)
const short: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 }
const shortFrom = 10_000
// An amount of four digits with a long sign of its currency would break on a phone's card.
const fewCharacters = '$1,234.56'.length

/** An amount with its currency and that currency's digits: $1,234.50, ¥1,235. */
export function formatMoney(amount: number, currency: string): string {
  return numberFormat(moneyFormat(currency)).format(amount)
}
export function formatNumber(value: number, digits = 0): string {
  return numberFormat({ maximumFractionDigits: digits }).format(value)
}
/** A percentage that is given in percent: 12.345 becomes 12.35%. */
export function formatPercent(percent: number, digits = 2): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(percent / 100)
}

export function formatFigure(value: number, kind: FigureKind, currency = 'USD'): string {
  if (kind === 'money') return formatMoney(value, currency)
  if (kind === 'percent') return formatPercent(value)
  return formatNumber(value, kind === 'ratio' ? 2 : 0)
}
/** A figure in few characters: $12.4K, CA$1.2K, 12.4K; small ones in full. */
export function formatFigureShort(value: number, kind: FigureKind, currency = 'USD'): string {
  const full = formatFigure(value, kind, currency)
  const size = Math.abs(value)
  if (kind === 'percent') return formatPercent(value, 1)
  if (kind === 'ratio' || size < 1000) return full
  if (size < shortFrom && (kind === 'count' || full.length <= fewCharacters)) return full
  return numberFormat({
    ...short,
    ...(kind === 'money' && { style: 'currency', currency, minimumFractionDigits: 0 }),
  }).format(value)
}

// A calendar day has no time zone; noon UTC keeps it what it is.
const noon = (day: string): Date => new Date(`${day}T12:00:00Z`)

/** A calendar day (yyyy-MM-dd) as 3 Nov. */
export function formatDay(day: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(noon(day))
}
export function formatFullDay(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(noon(day))
}
export function formatDayRange(from: string, to: string): string {
  return dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
    noon(from),
    noon(to),
  )
}
/** An hour of the day, 0 to 23, as 6 PM. */
export function formatHour(hour: number): string {
  return dateFormat({ hour: 'numeric', timeZone: 'UTC' }).format(Date.UTC(2000, 0, 1, hour))
}
/** A moment in a time zone (IANA name; the device's own when absent). */
export function formatMoment(at: string | number | Date, timeZone?: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) }).format(new Date(at))
}

/** The time of day of a moment in a time zone: 3:40 PM. */
export function formatTime(at: string | number | Date, timeZone: string): string {
  return dateFormat({ timeStyle: 'short', timeZone }).format(new Date(at))
}
/** A calendar day by its weekday: Fri 20. */
export function formatWeekday(day: string): string {
  const weekday = dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(noon(day))
  return `${weekday} ${Number(day.slice(-2))}`
}

/** How long ago something was: just now, 5 min. ago, 3 hr. ago, 2 days ago. */
export function formatAge(at: string | number | Date, now: number): string {
  const seconds = (now - new Date(at).getTime()) / 1000
  if (seconds < 60) return 'just now'
  const relative = relativeFormat({ numeric: 'auto', style: 'short' })
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), 'hour')
  return relative.format(-Math.floor(seconds / 86_400), 'day')
}
