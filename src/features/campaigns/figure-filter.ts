import * as v from 'valibot'
import { type MetricName, metricNames } from '#shared/metrics.ts'

/** How a figure is compared: `>` above, `>=` at least, `<` below, `<=` at most. */
export const comparisons = ['>', '>=', '<', '<='] as const
export type Comparison = (typeof comparisons)[number]

/** One condition on a figure of the days shown: money in the currency's units, percentages in percent. */
export interface FigureCondition {
  metric: MetricName
  is: Comparison
  value: number
}

export const MAX_FIGURE_CONDITIONS = 6
const MAX_VALUE = 1e9
const condition = /^([a-zA-Z]+)(>=|<=|>|<)(\d{1,10}(?:\.\d{1,6})?)$/

/** The conditions that a text such as `acos>40,orders<=0` names; null when one of them is none. */
export function parseFigureFilter(text: string): FigureCondition[] | null {
  const found = text.split(',').map((part): FigureCondition | null => {
    const [, name, is, value] = condition.exec(part) ?? []
    const metric = metricNames.find(one => one === name)
    const comparison = comparisons.find(one => one === is)
    return metric && comparison && Number(value) <= MAX_VALUE ? { metric, is: comparison, value: Number(value) } : null
  })
  return found.every(one => one !== null) && found.length <= MAX_FIGURE_CONDITIONS ? found : null
}

/** The text of conditions in an address or query; undefined for none. */
export const writeFigureFilter = (conditions: readonly FigureCondition[]): string | undefined =>
  conditions.map(({ metric, is, value }) => `${metric}${is}${value}`).join(',') || undefined

/** Conditions in a query string. It stays a text, because an address and a query must carry the same. */
export const figureFilter = v.pipe(
  v.string(),
  v.maxLength(400, 'At most 400 characters'),
  v.check(text => parseFigureFilter(text) !== null, 'Must be up to 6 conditions like acos>40,orders<=0'),
)
