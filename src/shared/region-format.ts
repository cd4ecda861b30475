/**
 * How a person's numbers, amounts and days are written: by a language tag, and an IANA time zone for moments. The words stay
 * English, because the texts around them are: the format says 1.234,56 and 23. Nov, not „November“ in another language.
 */
export interface Region {
  locale: string
  timeZone: string
}
/** Of a person who has chosen none. */
export const defaultRegion: Region = { locale: 'en-US', timeZone: 'UTC' }

const english = 'en-US'

let source = (): Region => defaultRegion
/** Says whose format sentences are written in: on the device its user's, on the server that of the caller. */
export function provideRegion(current: () => Region): void {
  source = current
}
/** The region of the person who reads what is written now; the default one where nobody in particular does. */
export const currentRegion = (): Region => source()

/** Makes each format once: the platform reads its tables for it. */
function cached<O, F>(make: (locale: string, options: O) => F): (locale: string, options: O) => F {
  const formats = new Map<string, F>()
  return (locale, options) => {
    const key = `${locale} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? make(locale, options)
    formats.set(key, format)
    return format
  }
}

// Digits and years as everybody here reads them, whatever the language is written in.
/** The number format of a language tag. */
export const numberFormat = cached(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, { numberingSystem: 'latn', ...options }),
)
const dateFormat = cached(
  (locale, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { numberingSystem: 'latn', calendar: 'gregory', ...options }),
)
const relativeFormat = cached(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)

/** How long ago something was, 90 minutes at most precise to the unit: 5 min. ago, 3 hr. ago, yesterday. */
export const agoText = (count: number, unit: 'minute' | 'hour' | 'day'): string =>
  relativeFormat(english, { numeric: 'auto', style: 'short' }).format(-count, unit)
/** Names in a sentence: a, b, and c. */
export const listText = (names: readonly string[]): string => new Intl.ListFormat(english).format(names)
function doesNotThrow(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}
/** Whether a text is a language tag. */
export const isLocale = (tag: string): boolean => doesNotThrow(() => Intl.getCanonicalLocales(tag))
/** Whether a text is the IANA name of a time zone. */
export const isTimeZone = (name: string): boolean =>
  doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }))
/** The time zone of the machine. */
export const machineTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
/** Every time zone of the platform (IANA names). */
export const allTimeZones = (): string[] => Intl.supportedValuesOf('timeZone')

const isEnglish = (locale: string): boolean => /^en\b/i.test(locale)
const wordsIn = /\s*\p{L}+\.?\s*/gu

/**
 * A moment, or the time from one to another, as `options` say. Names of months and days are English; what other languages put
 * between the numbers (23 de noviembre, 18 Uhr) is left out, except where it is written without spaces.
 */
export function dateText(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  from: Date | number,
  to?: Date | number,
): string {
  const format = dateFormat(locale, options)
  if (isEnglish(locale)) return to === undefined ? format.format(from) : format.formatRange(from, to)
  const parts: (Intl.DateTimeFormatPart & { source?: string })[] =
    to === undefined ? format.formatToParts(from) : format.formatRangeToParts(from, to)
  const hasOwnScript = parts.some(({ type, value }) => type === 'literal' && /[\p{scx=Han}\p{scx=Hangul}]/u.test(value))
  const text = parts.map(({ type, value, source }) => {
    if (type === 'literal') return hasOwnScript ? value : value.replace(wordsIn, ' ')
    if (!/\p{L}/u.test(value) || !isWord(type)) return value
    return englishWord(type, options, source === 'endRange' ? (to ?? from) : from)
  })
  return text.join('').trim()
}

const isWord = (type: string): type is 'month' | 'weekday' | 'dayPeriod' =>
  type === 'month' || type === 'weekday' || type === 'dayPeriod'

function englishWord(type: 'month' | 'weekday' | 'dayPeriod', options: Intl.DateTimeFormatOptions, at: Date | number) {
  const { timeZone, dateStyle } = options
  const length = dateStyle === 'long' || dateStyle === 'full' ? 'long' : 'short'
  const shown = {
    month: { month: options.month ?? length },
    weekday: { weekday: options.weekday ?? length },
    dayPeriod: { hour: 'numeric', hour12: true },
  }[type] as Intl.DateTimeFormatOptions
  const parts = dateFormat(english, { ...shown, ...(timeZone && { timeZone }) }).formatToParts(at)
  return parts.find(part => part.type === type)?.value ?? ''
}

const steps = [
  { size: 1e12, letter: 'T' },
  { size: 1e9, letter: 'B' },
  { size: 1e6, letter: 'M' },
  { size: 1e3, letter: 'K' },
]

/** A number in few characters, with one decimal and the letter K, M, B or T: 12,4K €. Below a thousand in full. */
export function compactText(locale: string, value: number, options: Intl.NumberFormatOptions = {}): string {
  const oneDecimal = { ...options, minimumFractionDigits: 0, maximumFractionDigits: 1 }
  const size = Math.abs(value)
  // 999,960 would be 1,000.0K.
  const step = steps.find(one => Math.round((size / one.size) * 10) / 10 >= 1 && size >= one.size * 0.99995)
  if (!step) return numberFormat(locale, oneDecimal).format(value)
  const parts = numberFormat(locale, oneDecimal).formatToParts(value / step.size)
  const last = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction')
  return parts.map(({ value: text }, index) => (index === last ? text + step.letter : text)).join('')
}

/** The sign between a whole number and its decimals: a point or a comma. */
export const decimalSign = (locale: string): string =>
  numberFormat(locale, {})
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.'
