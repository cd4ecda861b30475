/** A moment of the day at the marketplace. */
export const timeText = (at: Date, timeZone: string): string =>
  at.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })

export const percentText = (share: number): string => `${Math.round(share * 100)}%`

/** Rounded to two digits: what differs by less says the same. */
export const roughly = (value: number): string => value.toPrecision(2)
