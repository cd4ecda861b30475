import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useToday } from '#client/api/server-clock.ts'
import { useEvents } from '#client/api/events.ts'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { resolveRange, type DateRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, useShop, type Shop } from '#features/accounts/client/public.ts'
import { todayIn, bucketOf, type Granularity } from '../days.ts'
import { ExportFile } from './export-file.tsx'
import { HomeCards } from './home-cards.tsx'
import { MarketplaceBreakdown } from './marketplace-breakdown.tsx'
import { homeQueries } from './queries.ts'
import { type Band, Chart, type ChartMark } from '#client/ui/charts/chart.tsx'
import { formatFigure, formatFigureShort } from '#client/ui/figures/format.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import './home.css'

const AccountNeeds = lazyWhenIdle(() => import('#features/campaigns/client/public.ts').then(m => m.AccountNeeds))
const WhyCard = lazyWhenIdle(() => import('./why-card.tsx').then(m => m.WhyCard))
const BudgetsCard = lazyWhenIdle(() => import('./budgets-card.tsx').then(m => m.BudgetsCard))
const InstallCard = lazyWhenIdle(() => import('#client/pwa/install-card.tsx').then(m => m.InstallCard))

const route = getRouteApi('/dashboard/home')

export function HomePage() {
  const shop = useShop()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const today = useToday(at => todayIn(shop.marketplaceId, at))
  const range = resolveRange(search, today)
  const change = (next: typeof search): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const cards = useQuery(homeQueries.cards(shop, range))
  const refresh = () => client.invalidateQueries({ queryKey: homeQueries.all })
  useEvents('/events', event => event.event === 'figures' && void refresh())
  return (
    <Page
      title="Home"
      status={
        <>
          <DataAge at={cards.data?.freshness.asOf} />
          <MovingNote movingFrom={cards.data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
      toolbar={<ContextBar account={<MerchantSwitcher />} days={{ search, today, onChange: change }} />}
      onRefresh={refresh}
      wide
    >
      <QueryView
        query={cards}
        loading={{ rows: 9, kind: 'tile', label: 'Loading your figures' }}
        staleTitle="The latest figures could not be loaded"
        empty={({ freshness }) =>
          !freshness.asOf && (
            <EmptyState
              title="Your figures are on their way"
              hint="The first import brings the last 95 days. This screen updates itself when they arrive."
            />
          )
        }
      >
        {data => (
          <HomeCards data={data} today={today}>
            <ExportFile file="cards" what="figures" count={data.cards.length} shop={shop} range={range} />
          </HomeCards>
        )}
      </QueryView>
      {cards.data?.freshness.asOf && (
        <>
          <Suspense>
            <AccountNeeds shop={shop} />
            <BudgetsCard shop={shop} />
            <InstallCard />
          </Suspense>
          <Suspense>
            <WhyCard shop={shop} range={range} chosen={search.why ?? 'acos'} onChoose={why => change({ why })} />
          </Suspense>
          <PerformanceChart shop={shop} range={range} today={today} search={search} onChange={change} />
          <MarketplaceBreakdown shop={shop} range={range} />
        </>
      )}
    </Page>
  )
}

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

/** The advertising performance over time, two figures at once, with the days that may still change hatched. */
function PerformanceChart({ shop, range, today, search, onChange }: PerformanceChartProps) {
  const { view = 'money', step = 'DAY' } = search
  const query = useQuery(homeQueries.performance(shop, range, step))
  const { heading, metrics: names } = views[view]
  const changes = useQuery({ ...homeQueries.changeDays(shop, range), enabled: step === 'DAY' })
  return (
    <QueryView
      query={query}
      loading={{ rows: 1, kind: 'chart', label: 'Loading the chart' }}
      failedTitle="The chart could not be loaded"
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
