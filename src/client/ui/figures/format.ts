import { currencyDigits } from '#shared/money.ts'

/** What a figure counts; percent values are already in percent, ratios are plain numbers. */
export type FigureKind = 'money' | 'count' | 'percent' | 'ratio'

const numberFormats = new Map<string, Intl.NumberFormat>()
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(undefined, options)
  numberFormats.set(key, known)
  return known
}
const short: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 }
const shortFrom = 10_000
// An amount of four digits with a long sign of its currency would break on a phone's card.
const fewCharacters = '$1,234.56'.length

/** An amount with its currency and that currency's digits: $1,234.50, ¥1,235. */
export function formatMoney(amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  return numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount)
}
/** An amount in few characters: $12.4K, CA$1.2K; small amounts in full. */
export function formatMoneyShort(amount: number, currency: string): string {
  const full = formatMoney(amount, currency)
  if (Math.abs(amount) < 1000 || (Math.abs(amount) < shortFrom && full.length <= fewCharacters)) return full
  return numberFormat({ ...short, style: 'currency', currency, minimumFractionDigits: 0 }).format(amount)
}
/** A number in full, with at most `digits` decimals. */
export function formatNumber(value: number, digits = 0): string {
  return numberFormat({ maximumFractionDigits: digits }).format(value)
}
/** A number in few characters: 12.4K; small ones in full. */
export function formatNumberShort(value: number): string {
  return Math.abs(value) < shortFrom ? formatNumber(value) : numberFormat(short).format(value)
}
/** A percentage that is given in percent: 12.345 becomes 12.35%. */
export function formatPercent(percent: number, digits = 2): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(percent / 100)
}

/** A figure in full. */
export function formatFigure(value: number, kind: FigureKind, currency = 'USD'): string {
  if (kind === 'money') return formatMoney(value, currency)
  if (kind === 'percent') return formatPercent(value)
  return formatNumber(value, kind === 'ratio' ? 2 : 0)
}
/** A figure in few characters. */
export function formatFigureShort(value: number, kind: FigureKind, currency = 'USD'): string {
  if (kind === 'money') return formatMoneyShort(value, currency)
  if (kind === 'percent') return formatPercent(value, 1)
  return kind === 'ratio' ? formatNumber(value, 2) : formatNumberShort(value)
}
