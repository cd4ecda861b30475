import { percentText } from './figure-text.ts'
import { type Micros, moneyText, numberText } from './money.ts'
import { currentRegion, dateText, type Region } from './region-format.ts'

/** A value in a sentence: each reader of the sentence writes it their own way. `share` is a part of 1, with at most `digits` decimals of its percent. */
type Value =
  | { micros: Micros; currency: string }
  | { number: number; digits?: number }
  | { share: number; digits?: number }
  | { time: string; timeZone: string }
  | { day: string }

/** A sentence for readers whose formats are not known yet: plain, or in parts. As JSON it is the same. */
export type ReaderText = string | readonly (string | Value)[]

/** A sentence with values that are written when its reader is known: text`${{ micros, currency }} was spent.` */
export function text(strings: TemplateStringsArray, ...values: (ReaderText | Value)[]): ReaderText {
  return strings.flatMap((part, index) => {
    const value = values[index]
    return value === undefined ? [part] : Array.isArray(value) ? [part, ...value] : [part, value as string | Value]
  })
}

/** The sentence as this reader writes its values. */
export function writeText(sentence: ReaderText, region: Region = currentRegion()): string {
  return typeof sentence === 'string' ? sentence : sentence.map(part => writeValue(part, region)).join('')
}

function writeValue(part: string | Value, region: Region): string {
  if (typeof part === 'string') return part
  const { locale, timeZone } = region
  if ('micros' in part) return moneyText(part.micros, part.currency, region)
  if ('number' in part) return numberText(part.number, part.digits ?? 0, region)
  if ('share' in part) return percentText(part.share * 100, part.digits ?? 0, region)
  if ('time' in part) return dateText(locale, { timeStyle: 'short', timeZone: part.timeZone }, new Date(part.time))
  return dateText(locale, { month: 'long', day: 'numeric', timeZone }, new Date(part.day))
}
