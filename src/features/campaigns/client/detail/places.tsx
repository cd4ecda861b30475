import { useQuery } from '@tanstack/react-query'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { choosesPlacements, placementsOf } from '#shared/campaign-rules.ts'
import type { CampaignRow } from '../../contract.ts'
import { placementLabels } from '../form/field-labels.ts'
import { campaignQueries } from '../queries.ts'

const labels: Partial<Record<string, string>> = {
  ...placementLabels,
  OFF_AMAZON: 'Off the marketplace',
  OTHER: 'Not named',
}
const shown = ['cost', 'clicks', 'cvr', 'acos'] as const satisfies readonly MetricName[]

interface PlacesProps {
  row: CampaignRow
  shop: Shop
  range: DateRange
}

/** In which places a campaign's ads were shown, and what each brought. Display campaigns have none. */
export function Places({ row, shop, range }: PlacesProps) {
  const query = useQuery({
    ...campaignQueries.places(shop, row.id, range),
    enabled: placementsOf(row.adType).length > 0,
  })
  if (!placementsOf(row.adType).length) return null
  return (
    <Card title="By placement">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the figures by placement' }}
        failedTitle="The figures by placement could not be loaded"
        staleTitle="The figures by placement could not be refreshed"
        offline={<p>The figures by placement were not saved on this device. They load once you are online.</p>}
        empty={({ content }) => !content.length && <p className="muted">No figures by placement in these days.</p>}
      >
        {({ content, currency }) => <PlaceTable content={content} currency={currency} row={row} />}
      </QueryView>
    </Card>
  )
}

interface PlaceTableProps {
  content: readonly (Pick<CampaignRow, (typeof shown)[number]> & { place: string })[]
  currency: string
  row: CampaignRow
}

function PlaceTable({ content, currency, row }: PlaceTableProps) {
  const all = content.reduce((sum, { cost }) => sum + cost, 0)
  const missing = row.cost - all
  return (
    <>
      <table className="places">
        <thead>
          <tr>
            <th scope="col">Placement</th>
            {shown.map(name => (
              <th key={name} scope="col">
                {metrics[name].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {content.map(figures => (
            <tr key={figures.place}>
              <th scope="row">
                {labels[figures.place] ?? figures.place}
                <small>{adjustment(figures.place, row)}</small>
                {all > 0 && (
                  <span className="place-share" aria-hidden="true">
                    <span style={{ inlineSize: `${(figures.cost / all) * 100}%` }} />
                  </span>
                )}
              </th>
              {shown.map(name => (
                <td key={name}>
                  <Figure value={figures[name]} kind={metrics[name].unit} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* The two reports come apart from each other. */}
      {missing > row.cost / 100 && (
        <p className="chart-note">
          {formatMoney(missing, currency)} of {formatMoney(row.cost, currency)} is not reported by placement yet.
        </p>
      )}
    </>
  )
}

/** How the campaign's bids are adjusted in a place; nothing where they cannot be. */
function adjustment(place: string, { adType, biddingStrategy, placements }: CampaignRow): string {
  if (choosesPlacements(biddingStrategy) || !placementsOf(adType).some(one => one === place)) return ''
  const percentage = placements.find(one => one.placement === place)?.percentage ?? 0
  if (percentage === 0) return 'Bids as set'
  return `Bids ${percentage > 0 ? '+' : '−'}${formatPercent(Math.abs(percentage), 0)}`
}
