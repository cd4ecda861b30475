import * as v from 'valibot'
import { derivedNames, type Figures, measuredNames, type MetricName, metrics, type Ratios } from './metrics.ts'
import { day } from './query-schemas.ts'
import { money } from './money.ts'

const schemaOf = (name: MetricName) => (metrics[name].unit === 'money' ? money : v.number())

/** Entries of a row of figures: money in the row's currency, percentages in percent, ratios null where the divisor is 0. */
export const figureEntries = Object.fromEntries([
  ...measuredNames.map(name => [name, schemaOf(name)]),
  ...derivedNames.map(name => [name, v.nullable(schemaOf(name))]),
]) as { [N in keyof (Figures & Ratios)]: v.GenericSchema<(Figures & Ratios)[N]> }

/** How old the figures are (null: none yet), and from which day on they may still change (null: nothing imported). */
export const freshness = v.object({
  asOf: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  movingFrom: v.nullable(day),
})
