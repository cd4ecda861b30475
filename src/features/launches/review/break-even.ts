import type { Micros } from '#shared/money.ts'

/** What one piece of a product brings and takes, in micro-units; null is what is not known. */
export interface UnitEconomics {
  priceMicros: Micros | null
  cogsMicros: Micros | null
  /** What the marketplace keeps of a sale at this price, by its own estimate. */
  feesMicros: Micros | null
}

export interface BreakEven {
  /** Percent: with a higher ACOS an average sale through ads loses money; 0 where it does so without ads. */
  acos: number | null
  unknownBecause: string | null
}

const unknown = (unknownBecause: string): BreakEven => ({ acos: null, unknownBecause })

/** Break-even ACOS = (price − COGS − fees) ÷ price; null, with the reason, while one of them is not known. */
export function breakEvenOf({ priceMicros, cogsMicros, feesMicros }: UnitEconomics): BreakEven {
  if (!priceMicros) return unknown('The price is not known.')
  if (cogsMicros === null) return unknown('COGS is missing: enter it in the inventory.')
  if (feesMicros === null) return unknown('The marketplace’s fees are not known yet.')
  const margin = (priceMicros - cogsMicros - feesMicros) / priceMicros
  return { acos: Math.max(0, Math.floor(margin * 1000) / 10), unknownBecause: null }
}

/** Of several products the one with least to spare decides; null while none is known. */
export function lowestBreakEven(all: readonly BreakEven[]): number | null {
  const figures = all.flatMap(one => one.acos ?? [])
  return figures.length ? Math.min(...figures) : null
}

/** What the figure leaves out. */
export const BREAK_EVEN_CAVEAT =
  'Price less COGS and the marketplace’s own estimate of its fees. Taxes within the price, returns and overheads are not taken off.'
