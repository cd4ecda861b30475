import { useQuery } from '@tanstack/react-query'
import { Chart } from '#client/ui/charts/chart.tsx'
import { formatFigureShort } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { metrics } from '#shared/metrics.ts'
import { bucketOf, type Granularity } from '../days.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeQueries } from './queries.ts'

const views = {
  money: { heading: 'spend and sales', label: 'Spend', metrics: ['cost', 'sales'] },
  efficiency: { heading: 'ACOS and ROAS', label: 'ACOS', metrics: ['acos', 'roas'] },
  traffic: { heading: 'clicks and orders', label: 'Clicks', metrics: ['clicks', 'orders'] },
} as const

type ChartView = keyof typeof views

const granularities: { value: Granularity; label: string }[] = [
  { value: 'DAY', label: 'Days' },
  { value: 'WEEK', label: 'Weeks' },
  { value: 'MONTH', label: 'Months' },
]

interface PerformanceChartProps {
  shop: Shop
  range: DateRange
  today: string
  search: { view?: ChartView | undefined; step?: Granularity | undefined }
  onChange: (search: PerformanceChartProps['search']) => void
}

/** The advertising performance over time, two figures at once, with the days that may still change hatched. */
export function PerformanceChart({ shop, range, today, search, onChange }: PerformanceChartProps) {
  const { view = 'money', step = 'DAY' } = search
  const query = useQuery(homeQueries.performance(shop, range, step))
  const { heading, metrics: names } = views[view]
  return (
    <QueryView
      query={query}
      loading={{ rows: 1, kind: 'card', label: 'Loading the chart' }}
      failedTitle="The chart could not be loaded"
    >
      {({ points, currency, freshness: { movingFrom } }) => {
        const labels = points.map(point => point.date)
        return (
          <div>
            <div className="chart-controls">
              <Segment
                label="Figures of the chart"
                value={view}
                onChange={next => onChange({ view: next })}
                options={(Object.keys(views) as ChartView[]).map(value => ({ value, label: views[value].label }))}
              />
              <Segment
                label="Steps of the chart"
                value={step}
                onChange={next => onChange({ step: next })}
                options={granularities}
              />
            </div>
            <Chart
              heading={`Advertising performance: ${heading}`}
              labels={labels}
              series={names.map(name => ({
                name: metrics[name].label,
                values: points.map(point => point[name]),
                format: value => formatFigureShort(value, metrics[name].unit, currency),
              }))}
              mayMove={step === 'DAY' && movingFrom ? labels.filter(label => label >= movingFrom).length : 0}
              running={labels.at(-1) === bucketOf(today, step)}
            />
          </div>
        )
      }}
    </QueryView>
  )
}
