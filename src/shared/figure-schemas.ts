import * as v from 'valibot'
import { day } from './query-schemas.ts'

const nullableNumber = v.nullable(v.number())

/** Entries of a row of figures: money in the row's currency; ctr, cvr and acos in percent; ratios null where the divisor is 0. */
export const figureEntries = {
  impressions: v.number(),
  clicks: v.number(),
  cost: v.number(),
  sales: v.number(),
  orders: v.number(),
  units: v.number(),
  ctr: nullableNumber,
  cpc: nullableNumber,
  cvr: nullableNumber,
  acos: nullableNumber,
  roas: nullableNumber,
}

/** How old the figures are (null: none yet), and from which day on they may still change (null: nothing imported). */
export const freshness = v.object({
  asOf: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  movingFrom: v.nullable(day),
})
