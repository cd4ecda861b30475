import { useQuery } from '@tanstack/react-query'
import { Chart, type ChartSeries } from '#client/ui/charts/chart.tsx'
import { formatFigureShort } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState } from '#client/ui/states/state-views.tsx'
import { bucketOf, type Granularity } from '../rules.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeQueries } from './queries.ts'

const views = {
  money: {
    heading: 'spend and sales',
    label: 'Spend',
    series: [
      { name: 'Ad spend', field: 'cost', kind: 'money' },
      { name: 'Ad sales', field: 'sales', kind: 'money' },
    ],
  },
  efficiency: {
    heading: 'ACOS and ROAS',
    label: 'ACOS',
    series: [
      { name: 'ACOS', field: 'acos', kind: 'percent' },
      { name: 'ROAS', field: 'roas', kind: 'ratio' },
    ],
  },
  traffic: {
    heading: 'clicks and orders',
    label: 'Clicks',
    series: [
      { name: 'Clicks', field: 'clicks', kind: 'count' },
      { name: 'Orders', field: 'orders', kind: 'count' },
    ],
  },
} as const

export type ChartView = keyof typeof views
export const chartViews = Object.keys(views) as [ChartView, ...ChartView[]]

const granularities: { value: Granularity; label: string }[] = [
  { value: 'DAY', label: 'Days' },
  { value: 'WEEK', label: 'Weeks' },
  { value: 'MONTH', label: 'Months' },
]

interface PerformanceChartProps {
  shop: Shop
  range: DateRange
  /** The day in the profile's time zone. */
  today: string
  view: ChartView
  granularity: Granularity
  onView: (view: ChartView) => void
  onGranularity: (granularity: Granularity) => void
}

/** The advertising performance over time, two figures at once, with the days that may still move hatched. */
export const PerformanceChart = (props: PerformanceChartProps) => {
  const { shop, range, today, view, granularity, onView, onGranularity } = props
  const { data, error, refetch } = useQuery(homeQueries.performance(shop, range, granularity))
  if (!data && error)
    return <FailedState error={error} title="The chart could not be loaded" onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={1} kind="card" label="Loading the chart" />
  const series = views[view].series.map(
    ({ name, field, kind }): ChartSeries => ({
      name,
      values: data.points.map(point => point[field]),
      format: value => formatFigureShort(value, kind, data.currency),
    }),
  )
  const { movingFrom } = data.freshness
  const labels = data.points.map(point => point.date)
  const mayMove = granularity === 'DAY' && movingFrom ? labels.filter(label => label >= movingFrom).length : 0
  return (
    <div>
      <div className="chart-controls">
        <Segment
          label="Figures of the chart"
          value={view}
          onChange={onView}
          options={chartViews.map(value => ({ value, label: views[value].label }))}
        />
        <Segment label="Steps of the chart" value={granularity} onChange={onGranularity} options={granularities} />
      </div>
      <Chart
        heading={`Advertising performance: ${views[view].heading}`}
        kind="line"
        labels={labels}
        series={series}
        mayMove={mayMove}
        running={labels.at(-1) === bucketOf(today, granularity)}
      />
    </div>
  )
}
