/** Amounts are kept as whole micro-units (1/1,000,000 of the currency); a number holds them exactly up to nine billion. */
export const MICROS = 1_000_000

const digitsOf: Record<string, number> = { JPY: 0 }

/** How many decimals the currency is written with: 0 for JPY, else 2. */
export const currencyDigits = (currency: string): number => digitsOf[currency] ?? 2
/** The smallest unit of the currency in micros (a cent is 10,000, a yen 1,000,000). */
export const smallestUnitMicros = (currency: string): number => MICROS / 10 ** currencyDigits(currency)

/** Decimal amount to micros, exactly; half a micro rounds away from zero. Throws RangeError on what is not a finite amount. */
export const toMicros = (amount: number | string): number => {
  const text = typeof amount === 'number' ? decimalText(amount) : amount.trim()
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`not an amount: ${text}`)
  const fraction = `${match[3] ?? ''}0000000`
  const micros = Number(match[2]) * MICROS + Number(fraction.slice(0, 6)) + (Number(fraction[6]) >= 5 ? 1 : 0)
  if (!Number.isSafeInteger(micros)) throw new RangeError(`amount too large: ${text}`)
  return match[1] && micros ? -micros : micros
}

const decimalText = (amount: number): string => {
  if (!Number.isFinite(amount)) throw new RangeError(`not an amount: ${amount}`)
  return /e/i.test(String(amount)) ? amount.toFixed(8) : String(amount)
}

/** Micros to the decimal amount that JSON carries. */
export const fromMicros = (micros: number): number => micros / MICROS

/** Rounds half to even at the currency's smallest unit. */
export const roundToUnit = (micros: number, currency: string): number => {
  const unit = smallestUnitMicros(currency)
  const low = Math.floor(micros / unit) * unit
  const rest = micros - low
  if (rest * 2 === unit) return (low / unit) % 2 === 0 ? low : low + unit
  return rest * 2 > unit ? low + unit : low
}

/** True when the amount can be written with the currency's digits. */
export const hasUnitPrecision = (micros: number, currency: string): boolean =>
  micros % smallestUnitMicros(currency) === 0

/**
 * Splits an amount by weights, exact to the smallest unit: shares are rounded down and what is left goes to
 * `remainderTo` (an index). The shares always add up to the amount.
 */
export const splitMicros = (
  micros: number,
  weights: readonly number[],
  currency: string,
  remainderTo: number,
): number[] => {
  const unit = smallestUnitMicros(currency)
  const sum = weights.reduce((a, b) => a + b, 0)
  const shares = weights.map(weight => Math.floor((micros * weight) / sum / unit) * unit)
  const rest = micros - shares.reduce((a, b) => a + b, 0)
  shares[remainderTo] = (shares[remainderTo] ?? 0) + rest
  return shares
}
