import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { chevronDownOutline, chevronUpOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { useToday } from '#client/api/server-clock.ts'
import { DayChart } from '#client/ui/charts/day-chart.tsx'
import { Sparkline } from '#client/ui/figures/figure.tsx'
import { formatDay, formatFigure } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { dayIn } from '#shared/time.ts'
import type { CampaignChart } from '../../contract.ts'
import { figureOptions } from '../figures/row-figures.tsx'
import { campaignQueries } from '../queries.ts'
import type { ListSearch } from './list-search.ts'

interface ListChartProps {
  list: 'campaigns' | 'adGroups'
  shop: Shop
  range: DateRange
  /** The list's query, without pages. */
  filter: object & { sortBy: string; sortDir: string }
  campaignId?: number | undefined
  /** The address: a figure, or `off`. */
  chosen: string | undefined
  /** What stands in the same line from 768 px: the way to other lists. */
  lead?: ReactNode
  /** Folded unless the address says otherwise: there is little room. */
  isFolded?: boolean
  onChange: (change: Partial<ListSearch>) => void
}

interface ChartState {
  metric: MetricName
  isOpen: boolean
  query: UseQueryResult<CampaignChart>
}

function useListChart({ list, shop, filter, chosen, isFolded = false }: ListChartProps): ChartState {
  const wide = useWide()
  const { sortBy: _by, sortDir: _dir, ...narrowing } = filter
  return {
    metric: metricNames.find(name => name === chosen) ?? 'cost',
    isOpen: chosen === undefined ? wide && !isFolded : chosen !== 'off',
    query: useQuery(campaignQueries.listChart(shop, list, narrowing)),
  }
}

/** How all that the list matches did day by day, and when something was changed; on a phone only once it was opened. */
export function ListChart(props: ListChartProps) {
  const { shop, range, campaignId, lead, onChange } = props
  const wide = useWide()
  const { metric, isOpen, query } = useListChart(props)
  const changes = useQuery({ ...campaignQueries.changeDays(shop, range, campaignId), enabled: isOpen })
  if (!wide && !isOpen) return null
  return (
    <div className="list-chart">
      <div className="list-chart-line">
        {lead}
        <select
          className="chip chip-drop"
          aria-label="Figure of the chart"
          value={metric}
          onChange={event => onChange({ chart: event.target.value })}
        >
          {figureOptions.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        {!isOpen && query.data && <SmallChart data={query.data} metric={metric} shop={shop} />}
        <button
          type="button"
          className="icon-button"
          aria-expanded={isOpen}
          aria-label={isOpen ? 'Fold the chart' : 'Open the chart'}
          onClick={() => onChange({ chart: isOpen ? 'off' : metric })}
        >
          <Icon icon={isOpen ? chevronUpOutline : chevronDownOutline} />
        </button>
      </div>
      {isOpen && (
        <QueryView
          query={query}
          loading={{ rows: 1, kind: 'card', label: 'Loading the chart' }}
          failedTitle="The chart could not be loaded"
          staleTitle="The chart could not be refreshed"
          empty={({ freshness }) =>
            freshness.asOf === null && (
              <p className="muted chart-awaited">The chart begins with the first import of figures.</p>
            )
          }
        >
          {data => <OpenChart data={data} metric={metric} shop={shop} changes={changes.data ?? []} />}
        </QueryView>
      )}
    </div>
  )
}

/** The chart of a phone while it is folded: its line in small, which opens it. */
export function FoldedChart(props: ListChartProps) {
  const wide = useWide()
  const { metric, isOpen, query } = useListChart(props)
  if (wide || isOpen) return null
  return (
    <button
      type="button"
      className="folded-chart"
      aria-expanded={false}
      aria-label="Open the chart"
      onClick={() => props.onChange({ chart: metric })}
    >
      {query.data && <SmallChart data={query.data} metric={metric} shop={props.shop} />}
    </button>
  )
}

function SmallChart({ data, metric, shop }: Omit<OpenChartProps, 'changes'>) {
  const isRunning = useIsRunning(data, shop)
  if (data.freshness.asOf === null) return null
  return (
    <Sparkline
      values={data.points.map(point => point[metric])}
      label={`${metrics[metric].label} by day`}
      running={isRunning}
    />
  )
}

interface OpenChartProps {
  data: CampaignChart
  metric: MetricName
  shop: Shop
  changes: readonly { date: string; count: number }[]
}

function OpenChart({ data, metric, shop, changes }: OpenChartProps) {
  const isRunning = useIsRunning(data, shop)
  const { label, unit } = metrics[metric]
  return (
    <>
      <DayChart
        heading={`${label} by day`}
        height={140}
        points={data.points}
        figures={[{ label, unit, valueOf: point => point[metric] }]}
        currency={data.currency}
        movingFrom={data.freshness.movingFrom}
        running={isRunning}
        marks={changes.map(({ date, count }) => ({ day: date, label: String(count) }))}
      />
      <ChangeMarks changes={changes} />
    </>
  )
}

const shownMarks = 6
const history: string = '/changes'

/** The days that the chart marks, the latest first; each leads to what was changed on it. */
function ChangeMarks({ changes }: Pick<OpenChartProps, 'changes'>) {
  if (!changes.length) return null
  return (
    <ul className="change-marks" aria-label="Days with changes">
      {changes
        .slice(-shownMarks)
        .toReversed()
        .map(({ date, count }) => (
          <li key={date}>
            <Link to={history} search={{ from: date, to: date }}>
              {formatDay(date)}: {count === 1 ? '1 change' : `${formatFigure(count, 'count')} changes`}
            </Link>
          </li>
        ))}
    </ul>
  )
}

/** Whether the chart's last day is not over yet. */
function useIsRunning({ points }: CampaignChart, shop: Shop): boolean {
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(shop.marketplaceId)))
  return points.at(-1)?.date === today
}
