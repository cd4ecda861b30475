import { fromMicros } from '#shared/money.ts'

/** Cells are JSON text: ids are numbers too long for a double, so they never pass through one. */
export const textCell = (value: string | null | undefined): string => JSON.stringify(value ?? null)
export const idCell = (value: string | null | undefined): string => value ?? 'null'
export const moneyCell = (micros: number): string => String(fromMicros(micros))
/** Rounded to four decimals; null where there is nothing to divide by. */
export const ratioCell = (top: number, bottom: number, factor = 1): string =>
  bottom === 0 ? 'null' : String(Math.round((top / bottom) * factor * 10_000) / 10_000)
