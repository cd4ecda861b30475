import type { Micros } from '#shared/money.ts'

export interface BreakEven {
  /** Percent: with a higher ACOS an average sale through ads loses money; 0 where it does so without ads. */
  acos: number | null
  unknownBecause: string | null
}

const unknown = (unknownBecause: string): BreakEven => ({ acos: null, unknownBecause })

type UnitEconomics = Record<'priceMicros' | 'cogsMicros' | 'feesMicros', Micros | null>

/**
 * Break-even ACOS of one piece of a product = (price − COGS − fees, as the marketplace estimates them) ÷ price; null, with the
 * reason, while one of them is not known.
 */
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
  'Price less COGS and the marketplace’s own estimate of its fees. Taxes included in the price, returns and overheads are not deducted.'
