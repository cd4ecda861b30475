import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { type Band, Chart, type ChartMark } from '#client/ui/charts/chart.tsx'
import { formatFigure, formatFigureShort } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { changeEndpoints } from '#features/structure/contract.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { bucketOf, type Granularity } from '../days.ts'
import { ExportFile } from './export-file.tsx'
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

type Point = EndpointOutput<typeof homeEndpoints.performance>['points'][number]

/** Where the days that have not settled will end, for the figures that have such bands. */
function bandsOf(points: readonly Point[], name: MetricName): { bands: (Band | null)[] } | undefined {
  if (name !== 'cost' && name !== 'sales' && name !== 'orders' && name !== 'acos') return undefined
  const bands = points.map(point => point.band?.[name] ?? null)
  return bands.some(band => band !== null) ? { bands } : undefined
}

type ProductEvent = EndpointOutput<typeof homeEndpoints.performance>['events'][number]

/** What happened on the days of the chart: changes of ads, stock-outs and new prices. */
function marksOf(
  changes: readonly { date: string; count: number }[],
  events: readonly ProductEvent[],
  currency: string,
): ChartMark[] {
  const byKind = Map.groupBy(events, ({ date, kind }) => `${date} ${kind === 'PRICE_CHANGED' ? 'price' : 'stock'}`)
  return [
    ...changes.map(({ date, count }) => ({ day: date, label: String(count) })),
    ...[...byKind].map(([key, some]): ChartMark => {
      const [day = '', kind] = key.split(' ')
      const named = some.slice(0, 3).map(event => describeEvent(event, currency))
      const more = some.length > named.length ? [`${some.length - named.length} more`] : []
      const detail = [...named, ...more].join(', ')
      return {
        day,
        kind: kind === 'price' ? 'price' : 'stock',
        label: some.length > 1 ? String(some.length) : '',
        detail,
      }
    }),
  ]
}

function describeEvent({ kind, title, asin, before, after }: ProductEvent, currency: string): string {
  const name = title ?? asin
  if (kind === 'OUT_OF_STOCK') return `${name} out of stock`
  if (kind === 'BACK_IN_STOCK') return `${name} back in stock`
  const price = (value: number | null): string => (value === null ? 'unknown' : formatFigure(value, 'money', currency))
  return `${name} from ${price(before)} to ${price(after)}`
}

/** The days on which something was changed. */
const changeDays = (shop: Shop, { from, to }: DateRange) =>
  queryOptions({
    queryKey: [...homeQueries.all, 'change-days', shop, from, to],
    queryFn: ({ signal }) => call(changeEndpoints.days, { query: { dateFrom: from, dateTo: to } }, { signal }),
    meta: { persist: 'idb', figures: true, silent: true },
    placeholderData: keepPreviousData,
  })

/** The advertising performance over time, two figures at once, with the days that may still change hatched. */
export function PerformanceChart({ shop, range, today, search, onChange }: PerformanceChartProps) {
  const { view = 'money', step = 'DAY' } = search
  const query = useQuery(homeQueries.performance(shop, range, step))
  const { heading, metrics: names } = views[view]
  const changes = useQuery({ ...changeDays(shop, range), enabled: step === 'DAY' })
  return (
    <QueryView
      query={query}
      loading={{ rows: 1, kind: 'chart', label: 'Loading the chart' }}
      failedTitle="The chart could not be loaded"
      staleTitle="The chart could not be refreshed"
    >
      {({ points, currency, freshness: { movingFrom }, events = [] }) => {
        const labels = points.map(point => point.date)
        const hasBands = names.some(name => bandsOf(points, name))
        const unsettled = step === 'DAY' && movingFrom ? labels.filter(label => label >= movingFrom).length : 0
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
              <ExportFile
                file="performance"
                what={{ DAY: 'days', WEEK: 'weeks', MONTH: 'months' }[step]}
                count={points.length}
                shop={shop}
                range={range}
                granularity={step}
              />
            </div>
            <Chart
              heading={`Advertising performance: ${heading}`}
              labels={labels}
              series={names.map(name => ({
                name: metrics[name].label,
                values: points.map(point => point[name]),
                format: value => formatFigureShort(value, metrics[name].unit, currency),
                ...bandsOf(points, name),
              }))}
              mayMove={hasBands ? 0 : unsettled}
              {...(step === 'DAY' && { marks: marksOf(changes.data ?? [], events, currency) })}
              running={labels.at(-1) === bucketOf(today, step)}
            />
          </div>
        )
      }}
    </QueryView>
  )
}
