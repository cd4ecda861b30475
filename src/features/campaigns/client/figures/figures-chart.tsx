import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useToday } from '#client/api/server-clock.ts'
import { DayChart } from '#client/ui/charts/day-chart.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { dayIn } from '#shared/time.ts'
import type { CampaignChart } from '../../contract.ts'

const views: { value: 'money' | 'traffic' | 'efficiency'; label: string; figures: [MetricName, MetricName] }[] = [
  { value: 'money', label: 'Money', figures: ['cost', 'sales'] },
  { value: 'traffic', label: 'Clicks', figures: ['clicks', 'orders'] },
  { value: 'efficiency', label: 'ACOS', figures: ['acos', 'roas'] },
]

// ACOS stays what it is.
const inSentence = (label: string): string => (/^[A-Z][a-z]/.test(label) ? label.toLowerCase() : label)

interface FiguresChartProps<K extends readonly unknown[]> {
  query: UseQueryOptions<CampaignChart, Error, CampaignChart, K>
}

/** The days of one campaign or ad group, two figures at once, with the days that may still move hatched. */
export function FiguresChart<K extends readonly unknown[]>({ query }: FiguresChartProps<K>) {
  return (
    <QueryView
      query={useQuery(query)}
      loading={{ rows: 1, kind: 'card', label: 'Loading the chart' }}
      failedTitle="The chart could not be loaded"
      staleTitle="The chart could not be refreshed"
      empty={({ freshness }) =>
        freshness.asOf === null && (
          <p className="muted chart-awaited">The chart begins with the first import of figures.</p>
        )
      }
    >
      {data => <ChartWithChoice data={data} />}
    </QueryView>
  )
}

function ChartWithChoice({ data }: { data: CampaignChart }) {
  const [view, setView] = useState(views[0]?.value ?? 'money')
  const { id: marketplaceId } = useCurrentMarketplace()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(marketplaceId)))
  const figures = views.find(({ value }) => value === view)?.figures ?? ['cost', 'sales']
  return (
    <>
      <div className="figures-chart-view">
        <Segment label="Figures of the chart" value={view} onChange={setView} options={views} />
      </div>
      <DayChart
        heading={`Day by day: ${figures.map(name => inSentence(metrics[name].label)).join(' and ')}`}
        points={data.points}
        figures={figures.map(name => ({
          ...metrics[name],
          valueOf: (point: CampaignChart['points'][number]) => point[name],
        }))}
        currency={data.currency}
        movingFrom={data.freshness.movingFrom}
        running={data.points.at(-1)?.date === today}
      />
    </>
  )
}
