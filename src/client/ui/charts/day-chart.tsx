import { lazy, Suspense } from 'react'
import type { MetricUnit } from '#shared/metrics.ts'
import { formatFigureShort } from '../figures/format.ts'
import { Skeleton } from '../states/state-views.tsx'
import type { ChartMark } from './chart.tsx'

const Chart = lazy(() => import('./chart.tsx').then(m => ({ default: m.Chart })))

interface DayChartProps<Point extends { date: string }> {
  heading: string
  height?: number
  points: readonly Point[]
  figures: readonly { label: string; unit: MetricUnit; valueOf: (point: Point) => number | null }[]
  currency: string
  /** From this day on figures may still change. */
  movingFrom: string | null
  /** Whether the last day is not over yet. */
  running: boolean
  marks?: readonly ChartMark[]
}

/** Figures day by day; the chart itself loads with the first one that is shown. */
export function DayChart<Point extends { date: string }>(props: DayChartProps<Point>) {
  const { points, figures, currency, movingFrom, heading, height, running, marks } = props
  const labels = points.map(({ date }) => date)
  return (
    <Suspense fallback={<Skeleton rows={1} kind="card" />}>
      <Chart
        heading={heading}
        {...(height !== undefined && { height })}
        labels={labels}
        series={figures.map(({ label, unit, valueOf }) => ({
          name: label,
          values: points.map(valueOf),
          format: value => formatFigureShort(value, unit, currency),
        }))}
        running={running}
        mayMove={movingFrom ? labels.filter(day => day >= movingFrom).length : 0}
        {...(marks && { marks })}
      />
    </Suspense>
  )
}
