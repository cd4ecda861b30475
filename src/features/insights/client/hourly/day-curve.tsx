import { Chart } from '#client/ui/charts/chart.tsx'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { derivedMetrics, measuredMetrics, type MeasuredName, type MetricName, metrics } from '#shared/metrics.ts'
import type { HourCell } from '../../hourly-contract.ts'

interface DayCurveProps {
  cells: readonly HourCell[]
  metric: MetricName
  currency: string
  /** Hours of fewer clicks are left out. */
  minClicks: number
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** The course of a day, all days of the week together: the metric, and the spend next to it. */
export function DayCurve({ cells, metric, currency, minClicks }: DayCurveProps) {
  const series = (name: MetricName) => ({
    name: name in measuredMetrics ? `${metrics[name].label} an hour` : metrics[name].label,
    values: hours.map(hour =>
      valueOf(
        cells.filter(cell => cell.hour === hour),
        name,
        minClicks,
      ),
    ),
    format: (value: number) =>
      metrics[name].unit === 'count' ? formatNumber(value, 1) : formatFigure(value, metrics[name].unit, currency),
  })
  return (
    <Chart
      heading={`An average day: ${metric === 'cost' ? '' : `${metrics[metric].label} and `}ad spend by hour`}
      hours
      labels={hours.map(String)}
      series={metric === 'cost' ? [series('cost')] : [series(metric), series('cost')]}
    />
  )
}

/** Of sums, never of values: cells of one hour count by what happened in them. */
function valueOf(cells: readonly HourCell[], metric: MetricName, minClicks: number): number | null {
  const sum = (name: MeasuredName | 'times'): number => cells.reduce((total, cell) => total + cell[name], 0)
  const times = sum('times')
  if (times === 0) return null
  if (metric in measuredMetrics) return sum(metric as MeasuredName) / times
  // One order more or less would make a peak of a thin ratio.
  if (sum('clicks') < minClicks) return null
  const { formula, unit } = derivedMetrics[metric as keyof typeof derivedMetrics]
  const divisor = sum(formula[1])
  return divisor === 0 ? null : (sum(formula[0]) / divisor) * (unit === 'percent' ? 100 : 1)
}
