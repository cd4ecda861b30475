const formats = new Map<string, Intl.DateTimeFormat>()
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(undefined, options)
  formats.set(key, known)
  return known
}
// Made when first used: the platform reads its tables for it, which a start need not wait for.
let relative: Intl.RelativeTimeFormat | undefined
function ago(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
  return relative.format(value, unit)
}

// A calendar day has no time zone; noon UTC keeps it what it is.
const noon = (day: string): Date => new Date(`${day}T12:00:00Z`)

/** A calendar day (yyyy-MM-dd) as 3 Nov. */
export function formatDay(day: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(noon(day))
}
/** A calendar day with its year. */
export function formatFullDay(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(noon(day))
}
/** Two calendar days as one range. */
export function formatDayRange(from: string, to: string): string {
  return dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
    noon(from),
    noon(to),
  )
}
/** A moment in a time zone (IANA name; the device's own when absent). */
export function formatMoment(at: string | number | Date, timeZone?: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) }).format(new Date(at))
}

/** How long ago something was: just now, 5 min. ago, 3 hr. ago, 2 days ago. */
export function formatAge(at: string | number | Date, now: number): string {
  const seconds = (now - new Date(at).getTime()) / 1000
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return ago(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return ago(-Math.floor(seconds / 3600), 'hour')
  return ago(-Math.floor(seconds / 86_400), 'day')
}
