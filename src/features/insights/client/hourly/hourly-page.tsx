import './hourly.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatFigure, formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { MerchantSwitcher, type Shop, shopText } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { hourlyEndpoints } from '../../hourly-contract.ts'
import { firstMetric } from '../insight-pages.ts'
import { InsightSwitch } from '../insight-switch.tsx'
import { insightQueries } from '../queries.ts'
import { useInsightPage } from '../use-insight-page.ts'
import { DayCurve } from './day-curve.tsx'
import { HourGrid } from './hour-grid.tsx'
import { findingCounts, findingText, fullValue, hourSpan, weekdayName } from './hourly-words.ts'
import { region } from '#client/api/region.ts'

const route = getRouteApi('/dashboard/insights/hourly-trends')

type Heatmap = EndpointOutput<typeof hourlyEndpoints.heatmap>

/** At which hours of the week the ads sell, and at which they only cost. */
export function HourlyPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, timezone, today, range, refresh } = useInsightPage(search)
  const change = (next: Partial<typeof search>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const { metric = firstMetric, campaignId, clock } = search
  const filter = {
    dateFrom: range.from,
    dateTo: range.to,
    metric,
    campaignId,
    ...(clock && { clock, timezone: region().timeZone }),
  }
  const query = useQuery(insightQueries.hours(shop, filter))
  // They are about the grid: what the hours say comes first.
  const choices = (
    <div className="hour-choices">
      <MetricSelect value={metric} onChange={next => change({ metric: next })} />
      <CampaignSelect shop={shop} range={range} value={campaignId} onChange={next => change({ campaignId: next })} />
      {region().timeZone !== timezone && (
        <select
          className="chip chip-drop"
          aria-label="Clock"
          value={clock ?? 'MARKETPLACE'}
          onChange={event => change({ clock: event.target.value === 'USER' ? 'USER' : undefined })}
        >
          <option value="MARKETPLACE">Marketplace time</option>
          <option value="USER">My time</option>
        </select>
      )}
    </div>
  )
  return (
    <Page
      title="Hourly trends"
      wide
      onRefresh={refresh}
      status={<DataAge at={query.data?.asOf} />}
      actions={
        <ExportButton
          endpoint={hourlyEndpoints.exported}
          what="hours of the week"
          filter={filter}
          count={query.data?.since ? query.data.cells.length : undefined}
          shop={shopText(shop)}
        />
      }
      toolbar={<ContextBar account={<MerchantSwitcher />} days={{ search, today, onChange: change }} />}
    >
      <InsightSwitch />
      <QueryView
        query={query}
        loading={{ rows: 2, kind: 'chart', label: 'Loading the hours of the week' }}
        failedTitle="The hours could not be loaded"
        staleTitle="The latest hours could not be loaded"
        empty={data =>
          !data.cells.some(cell => cell.times > 0) && (
            <>
              {choices}
              <NoHours data={data} />
            </>
          )
        }
      >
        {data => <Hours key={data.metric} data={data} choices={choices} />}
      </QueryView>
    </Page>
  )
}

function MetricSelect({ value, onChange }: { value: MetricName; onChange: (metric: MetricName) => void }) {
  return (
    <select
      className="chip chip-drop"
      aria-label="Figure"
      value={value}
      onChange={event => onChange(event.target.value as MetricName)}
    >
      {metricNames.map(name => (
        <option key={name} value={name}>
          {metrics[name].label}
        </option>
      ))}
    </select>
  )
}

interface CampaignSelectProps {
  shop: Shop
  range: { from: string; to: string }
  value: number | undefined
  onChange: (campaignId: number | undefined) => void
}

/** All campaigns, or one of those that spent most. */
function CampaignSelect({ shop, range, value, onChange }: CampaignSelectProps) {
  const { data } = useQuery(insightQueries.campaigns(shop, range.from, range.to))
  const rows = data?.content ?? []
  const isListed = value === undefined || rows.some(row => row.id === value)
  return (
    <select
      className={value === undefined ? 'chip chip-drop' : 'chip chip-drop chip-active'}
      aria-label="Campaign"
      value={value ?? ''}
      onChange={event => onChange(event.target.value ? Number(event.target.value) : undefined)}
    >
      <option value="">All campaigns</option>
      {!isListed && <option value={value}>One campaign</option>}
      {rows.map(row => (
        <option key={row.id} value={row.id}>
          {row.name}
        </option>
      ))}
    </select>
  )
}

function NoHours({ data: { since, dateTo, asOf } }: { data: Heatmap }) {
  if (since !== null && asOf === null)
    return (
      <EmptyState
        title="The first hours are on their way"
        hint={`Hours are collected since ${formatMoment(since)}. Each arrives an hour or two after it ends.`}
      />
    )
  return since === null ? (
    <EmptyState
      title="No hours yet"
      hint="The marketplace sends hours from the day you connect your advertising account, none from before. The first ones arrive within a day."
    />
  ) : (
    <EmptyState
      title="No hours in these days"
      hint={
        dateTo < since.slice(0, 10)
          ? `Hours are collected since ${formatMoment(since)}. Choose later days.`
          : 'Orders of the last three days are not counted yet. Choose more days, or look at spend or clicks.'
      }
    />
  )
}

function Hours({ data, choices }: { data: Heatmap; choices: ReactNode }) {
  const { cells, findings, metric, currency, collected, countedUntil, timezone, minClicks } = data
  const [chosen, setChosen] = useState<number | null>(null)
  const thin = cells.filter(cell => cell.isThin && cell.times > 0).length
  const isYoung = collected.days < collected.needed
  return (
    <>
      <Reading data={data} />
      {choices}
      {isYoung && (
        <p className="hour-note" aria-live="polite">
          Collecting: {formatNumber(collected.days)} of {collected.needed} days
          <progress value={collected.days} max={collected.needed} aria-label="Days collected" />
        </p>
      )}
      <div className="hour-board">
        <div className="hour-scroll">
          <HourGrid {...{ cells, findings, metric, currency, chosen }} onChoose={setChosen} />
        </div>
        <Detail cell={chosen === null ? undefined : cells[chosen]} metric={metric} currency={currency} />
      </div>
      <p className="hour-note">
        {metrics[metric].label}
        {unitNote(metric, currency)}, hours in {timezone.replaceAll('_', ' ')}. The stronger the shade, the higher.
        {thin > 0 && ` Hatched: fewer than ${minClicks} clicks, too few to rely on.`}
        {findings.length > 0 && ' Solid frame: sells best. Dashed frame: wastes most.'}
        {countedUntil !== null &&
          countedUntil !== data.asOf &&
          ' Orders of the last 72 hours are left out, because more still arrive.'}
      </p>
      <DayCurve cells={cells} metric={metric} currency={currency} minClicks={minClicks} />
    </>
  )
}

function unitNote(metric: MetricName, currency: string): string {
  const { unit } = metrics[metric]
  if (unit === 'percent') return ' in percent'
  if (metric === 'cpc') return ` in ${currency}`
  if (unit === 'ratio') return ''
  return unit === 'money' ? ` in ${currency} an hour, on average` : ' an hour, on average'
}

/** The grid in a sentence or two, as far as counts carry them. */
function Reading({ data: { findings, totals, currency } }: { data: Heatmap }) {
  return (
    <section className="hour-reading" aria-label="What the hours say">
      {findings.map(finding => (
        <div key={finding.kind}>
          <p>{findingText(finding)}</p>
          <small>{findingCounts(finding)}</small>
        </div>
      ))}
      {findings.length === 0 && (
        <div>
          <p>No time of the week stands out. The differences may be chance.</p>
          <small>
            {`${formatNumber(totals.clicks)} clicks and ${formatNumber(totals.orders)} orders from ${formatFigure(totals.cost, 'money', currency)} of ad spend so far.`}
          </small>
        </div>
      )}
    </section>
  )
}

/** The chosen hour in numbers. */
function Detail({ cell, metric, currency }: { cell: HourCellOrNone; metric: MetricName; currency: string }) {
  if (!cell) return <p className="hour-hint">Choose an hour to see its figures.</p>
  const money = (value: number) => formatFigure(value, 'money', currency)
  const name = `${weekdayName(cell.weekday)}, ${hourSpan(cell.hour)}`
  return (
    <section className="hour-detail" aria-label={name} aria-live="polite">
      <h2>{name}</h2>
      <p className="hour-value">
        {fullValue(cell, metric, currency)} <span>{metrics[metric].label}</span>
      </p>
      {cell.isThin && (
        <p className="hour-thin">
          {cell.clicks === 1 ? '1 click is' : `${formatNumber(cell.clicks)} clicks are`} too few to rely on.
        </p>
      )}
      <dl className="hour-sums">
        {[
          { label: 'Days counted', value: formatNumber(cell.days) },
          { label: 'Clicks', value: formatNumber(cell.clicks) },
          { label: 'Ad spend', value: money(cell.cost) },
          { label: 'Ad sales', value: money(cell.sales) },
          { label: 'Orders', value: formatNumber(cell.orders) },
          {
            label: 'ACOS',
            value: cell.acos === null ? (cell.cost > 0 ? 'No sales' : '–') : formatFigure(cell.acos, 'percent'),
          },
        ].map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
type HourCellOrNone = Heatmap['cells'][number] | undefined
