import { moneyFormat } from './money.ts'
import { currentRegion, numberFormat, type Region } from './region-format.ts'

/** What a figure counts; percent values are already in percent, ratios are plain numbers. */
export type FigureKind = 'money' | 'count' | 'percent' | 'ratio'

/** A percentage that is given in percent: 12.345 becomes 12.35%. */
export const percentText = (percent: number, digits = 2, { locale }: Region = currentRegion()): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(percent / 100)

/** A number with at most these decimals. */
export const plainText = (value: number, digits = 0, { locale }: Region = currentRegion()): string =>
  numberFormat(locale, { maximumFractionDigits: digits }).format(value)

/** A figure as its reader writes it; money with its currency and that currency's digits. */
export function figureText(
  value: number,
  kind: FigureKind,
  currency = 'USD',
  region: Region = currentRegion(),
): string {
  if (kind === 'money') return numberFormat(region.locale, moneyFormat(currency)).format(value)
  if (kind === 'percent') return percentText(value, 2, region)
  return plainText(value, kind === 'ratio' ? 2 : 0, region)
}
