import { fromMicros, type Micros } from '#shared/money.ts'

/** An amount as a seller reads it, without the small change of large sums. */
export function moneyText(micros: Micros, currency: string): string {
  const amount = fromMicros(micros)
  const maximumFractionDigits = Math.abs(amount) >= 100 || currency === 'JPY' ? 0 : 2
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency,
    maximumFractionDigits,
    minimumFractionDigits: maximumFractionDigits,
  })
}

/** A moment of the day at the marketplace. */
export const timeText = (at: Date, timeZone: string): string =>
  at.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })

export const percentText = (share: number): string => `${Math.round(share * 100)}%`

/** Rounded to two digits: what differs by less says the same. */
export const roughly = (value: number): string => value.toPrecision(2)
