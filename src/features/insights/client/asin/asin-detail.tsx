import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DayChart } from '#client/ui/charts/day-chart.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { metricNames } from '#shared/metrics.ts'
import { type AsinFigure, asinFigures } from '../../asin-columns.ts'
import type { AsinChart, AsinPage, AsinRow } from '../../asin-contract.ts'
import { insightQueries } from '../queries.ts'
import { AsinFigures } from './asin-list.tsx'
import { nameOfAsin } from './asin-name.tsx'
import type { AsinSearch } from './asin-search.ts'

// Profit, stock and cover have no value a day.
const chartFigures = [...metricNames, 'totalSales', 'totalUnits', 'tacos'] as const
type ChartFigure = (typeof chartFigures)[number]
const chartFigureOf = (name: AsinSearch['chart']): ChartFigure => chartFigures.find(one => one === name) ?? 'totalSales'

interface AsinDetailProps {
  row: AsinRow
  data: AsinPage
  shop: Shop
  search: AsinSearch
  range: { from: string; to: string }
  running: boolean
  takesFocus: boolean
  onChange: (next: Partial<AsinSearch>) => void
}

const money: readonly AsinFigure[] = ['totalSales', 'profit', 'totalUnits', 'available', 'coverDays', 'tacos']
const ads: readonly AsinFigure[] = ['cost', 'sales', 'acos', 'roas', 'orders', 'clicks', 'impressions', 'cpc', 'cvr']
const campaigns: string = '/campaigns'
const inventory: string = '/inventory'

/** One product: what it sold and left, its ads, its days, and the way to its campaigns. */
export function AsinDetail({ row, data, shop, search, range, running, takesFocus, onChange }: AsinDetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const { days, from, to } = search
  return (
    <article className="asin-detail">
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {nameOfAsin(row)}
      </h2>
      <Card>
        <AsinFigures row={row} names={money} currency={data.currency} />
        {row.profitUnknown === 'COGS' && (
          <Link to={inventory} search={{ search: row.asin }} className="button button-quiet">
            Enter COGS
          </Link>
        )}
      </Card>
      <AsinDays shop={shop} asin={row.asin} range={range} chosen={search.chart} running={running} onChange={onChange} />
      <Card
        title="Ads"
        aside={
          <Link to={campaigns} search={{ asin: row.asin, days, from, to }} className="button button-quiet">
            See campaigns
          </Link>
        }
      >
        <AsinFigures row={row} names={ads} currency={data.currency} />
      </Card>
    </article>
  )
}

interface AsinDaysProps extends Pick<AsinDetailProps, 'shop' | 'range' | 'running' | 'onChange'> {
  /** Of this product; without it of all products. */
  asin?: string
  chosen: AsinSearch['chart']
}

/** A figure day by day, with the days on which stock ran out or a price changed. */
export function AsinDays({ shop, asin, range, chosen, running, onChange }: AsinDaysProps) {
  const name = chartFigureOf(chosen)
  const query = useQuery(
    insightQueries.asinChart(shop, { dateFrom: range.from, dateTo: range.to, ...(asin && { asin }) }),
  )
  return (
    <div className="asin-days">
      <select
        className="chip chip-drop"
        aria-label="Figure of the chart"
        value={name}
        onChange={event => onChange({ chart: event.target.value as ChartFigure })}
      >
        {chartFigures.map(value => (
          <option key={value} value={value}>
            {asinFigures[value].label}
          </option>
        ))}
      </select>
      <QueryView
        query={query}
        loading={{ rows: 1, kind: 'card', label: 'Loading the chart' }}
        failedTitle="The chart could not be loaded"
        staleTitle="The chart could not be refreshed"
      >
        {data => <OpenChart data={data} name={name} running={running} />}
      </QueryView>
    </div>
  )
}

function OpenChart({ data, name, running }: { data: AsinChart; name: ChartFigure; running: boolean }) {
  const { label, unit } = asinFigures[name]
  return (
    <DayChart
      heading={`${label} by day`}
      height={180}
      points={data.points}
      figures={[{ label, unit, valueOf: point => point[name] }]}
      currency={data.currency}
      movingFrom={data.freshness.movingFrom}
      running={running}
      marks={data.events.map(event => ({
        day: event.date,
        kind: event.kind === 'PRICE_CHANGED' ? 'price' : 'stock',
        label: '',
        detail: eventText(event, data.currency),
      }))}
    />
  )
}

function eventText({ kind, before, after, title, asin }: AsinChart['events'][number], currency: string): string {
  const name = title ?? asin
  // Before the first snapshot only the last change of its stock is known.
  if (kind === 'OUT_OF_STOCK' && before === null) return `${name} out of stock since this day or earlier`
  if (kind === 'OUT_OF_STOCK') return `${name} ran out of stock`
  if (kind === 'BACK_IN_STOCK') return `${name} is back with ${formatNumber(after ?? 0)} in stock`
  const price = (value: number | null) => formatFigure(value ?? 0, 'money', currency)
  return `Price of ${name} from ${price(before)} to ${price(after)}`
}
