import { daysBetween } from './time.ts'
import { type Micros, roundToUnit } from './money.ts'

/** What one euro was worth on a day, in each currency. */
export interface ExchangeRates {
  day: string
  perEuro: Readonly<Record<string, number>>
}

/** Units of these currencies for one US dollar, fixed by their central banks. */
const dollarPegs: Readonly<Record<string, number>> = { AED: 3.6725, SAR: 3.75 }

/**
 * The rates that the European Central Bank published for a day, plus the euro itself and the currencies pegged to the
 * dollar, which the bank does not publish. EGP has no source, so amounts in EGP cannot be converted.
 */
export function toExchangeRates(day: string, published: Readonly<Record<string, number>>): ExchangeRates {
  const dollar = published.USD
  const pegged = Object.entries(dollarPegs).map(([currency, perDollar]) => [currency, (dollar ?? 0) * perDollar])
  return { day, perEuro: { ...published, EUR: 1, ...(dollar !== undefined && Object.fromEntries(pegged)) } }
}

/**
 * The European Central Bank's reference rates of 1 October 2026, for servers that have never reached the bank. Newer rates
 * are in the database.
 */
export const shippedRates: ExchangeRates = toExchangeRates('2026-10-01', {
  USD: 1.1298,
  JPY: 178.49,
  GBP: 0.85373,
  SEK: 11.331,
  PLN: 4.3735,
  TRY: 55.3993,
  AUD: 1.6255,
  BRL: 5.862,
  CAD: 1.6095,
  INR: 108.832,
  MXN: 20.5251,
  SGD: 1.446,
  ZAR: 18.6934,
})

/**
 * Converts micros of one currency to micros of another, rounded half to even at the target's smallest unit. Amounts in the
 * same currency stay unchanged. Null if a rate is missing.
 */
export function convertMicros(micros: Micros, from: string, to: string, { perEuro }: ExchangeRates): Micros | null {
  if (from === to) return micros
  const source = perEuro[from]
  const target = perEuro[to]
  return source === undefined || target === undefined ? null : roundToUnit((micros / source) * target, to)
}

/** True if rates are older than a week, which no weekend or holiday explains. */
export const areRatesOld = (day: string, today: string): boolean => daysBetween(day, today) > 7
