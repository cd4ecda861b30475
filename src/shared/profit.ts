import type { Micros } from './money.ts'

/** What profit after ads is worked out from. Sales, fees and goods are of the products whose costs are complete. */
export interface ProfitTerms {
  salesMicros: Micros
  /** What the marketplace keeps. */
  feesMicros: Micros
  /** What the goods cost that were sold. */
  goodsMicros: Micros
  /** What the ads cost. */
  costMicros: Micros
}

/** Profit after ads = sales - (marketplace fees + cost of goods + ad spend). */
export const profitAfterAds = ({ salesMicros, feesMicros, goodsMicros, costMicros }: ProfitTerms): Micros =>
  salesMicros - feesMicros - goodsMicros - costMicros
