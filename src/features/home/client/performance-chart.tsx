import { useQuery } from '@tanstack/react-query'
import { Chart, type ChartSeries } from '#client/ui/charts/chart.tsx'
import { formatFigureShort } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { metrics } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { bucketOf, type Granularity } from '../days.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeQueries } from './queries.ts'

const views = {
  money: { heading: 'spend and sales', label: 'Spend', metrics: ['cost', 'sales'] },
  efficiency: { heading: 'ACOS and ROAS', label: 'ACOS', metrics: ['acos', 'roas'] },
  traffic: { heading: 'clicks and orders', label: 'Clicks', metrics: ['clicks', 'orders'] },
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

/** The advertising performance over time, two figures at once, with the days that may still change hatched. */
export function PerformanceChart(props: PerformanceChartProps) {
  const query = useQuery(homeQueries.performance(props.shop, props.range, props.granularity))
  return (
    <QueryView
      query={query}
      loading={{ rows: 1, kind: 'card', label: 'Loading the chart' }}
      failedTitle="The chart could not be loaded"
    >
      {data => <ChartWithControls data={data} {...props} />}
    </QueryView>
  )
}

interface ChartWithControlsProps extends PerformanceChartProps {
  data: EndpointOutput<typeof homeEndpoints.performance>
}

function ChartWithControls({ data, today, view, granularity, onView, onGranularity }: ChartWithControlsProps) {
  const series = views[view].metrics.map(
    (name): ChartSeries => ({
      name: metrics[name].label,
      values: data.points.map(point => point[name]),
      format: value => formatFigureShort(value, metrics[name].unit, data.currency),
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
        labels={labels}
        series={series}
        mayMove={mayMove}
        running={labels.at(-1) === bucketOf(today, granularity)}
      />
    </div>
  )
}
