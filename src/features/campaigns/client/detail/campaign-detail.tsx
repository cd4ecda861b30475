import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatPercent } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { CampaignRow } from '../../contract.ts'
import { AllFigures, RowFigures } from '../figures/row-figures.tsx'
import { FiguresChart } from '../figures/figures-chart.tsx'
import { campaignQueries } from '../queries.ts'
import { RowStatus, NegativeRowItem } from '../list/row-status.tsx'
import { campaignFields } from '#features/structure/contract.ts'
import type { Placement } from '#shared/campaign-rules.ts'
import { type FieldValue, formatField, placementLabels, inputFields } from '../form/field-labels.ts'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { OfflineNote, useEditableRow } from '../edit/editable-row.tsx'

interface CampaignDetailPageProps {
  id: number
  shop: Shop
  range: DateRange
  refresh: () => Promise<unknown>
}

/** A campaign on a phone, where it has the screen to itself. */
export function CampaignDetailPage({ id, shop, range, refresh }: CampaignDetailPageProps) {
  const { data } = useQuery(campaignQueries.row(shop, id, range))
  return (
    <Page
      title={data?.content[0]?.name ?? 'Campaign'}
      back="/campaigns"
      onRefresh={refresh}
      status={
        <>
          <DataAge at={data?.freshness.asOf ?? null} />
          <MovingNote movingFrom={data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
    >
      <OfflineNote />
      <CampaignDetail id={id} shop={shop} range={range} untitled />
    </Page>
  )
}

interface CampaignDetailProps {
  id: number
  shop: Shop
  range: DateRange
  /** Where the page already shows the campaign's name. */
  untitled?: boolean
}

/** One campaign: state and settings, its figures, its days, its ad groups, its negatives. */
export function CampaignDetail({ id, shop, range, untitled = false }: CampaignDetailProps) {
  const query = useQuery(campaignQueries.row(shop, id, range))
  return (
    <QueryView
      query={query}
      loading={{ rows: 3, kind: 'card', label: 'Loading the campaign' }}
      staleTitle="The latest figures could not be loaded"
      empty={({ content }) =>
        !content[0] && <EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />
      }
    >
      {({ content: [row] }) =>
        row && (
          <>
            <Settings stored={row} title={untitled ? 'Settings' : row.name} />
            <Card title="Figures">
              <AllFigures figures={row} currency={row.currency} />
            </Card>
            <FiguresChart query={campaignQueries.chart(shop, id, range)} />
            <CampaignAdGroups campaignId={id} shop={shop} range={range} />
            <CampaignNegatives campaignId={id} shop={shop} />
          </>
        )
      }
    </QueryView>
  )
}

// The name is the title, and the state has its own line.
const settings = [
  ...inputFields(campaignFields).filter(([name]) => name !== 'name' && name !== 'state'),
  ['targetingType', campaignFields.targetingType] as const,
  ['startDate', campaignFields.startDate] as const,
]

function Settings({ stored, title }: { stored: CampaignRow; title: string }) {
  const { row, note, next, switchState } = useEditableRow('campaign', stored, ({ id, name }) => ({
    name,
    href: `/campaigns?campaign=${id}`,
  }))
  return (
    <Card title={title}>
      <div className="row-status">
        <RowStatus {...row} />
      </div>
      <KeyValue
        items={[
          ...settings.flatMap(([name, field]) => {
            const value = (row as unknown as Record<string, FieldValue>)[name] ?? null
            return value === null ? [] : [{ label: field.label, value: formatField(name, field, value, row.currency) }]
          }),
          ...row.placements
            .filter(one => one.percentage > 0)
            .map(({ placement, percentage }) => ({
              label: placementLabels[placement as Placement] ?? placement,
              value: `+${formatPercent(percentage)}`,
            })),
        ]}
      />
      {note}
      {next && (
        <div className="detail-actions">
          <Button onClick={switchState}>{next === 'PAUSED' ? 'Pause campaign' : 'Enable campaign'}</Button>
          <Link to={`/campaign-edit/${row.amazonId}` as string} className="button button-quiet">
            Edit campaign
          </Link>
        </div>
      )}
    </Card>
  )
}

/** The negatives that hold for a whole campaign; those of an ad group are on its own page. */
function CampaignNegatives({ campaignId, shop }: { campaignId: number; shop: Shop }) {
  const query = useInfiniteQuery(
    campaignQueries.negatives(shop, { campaignId, level: 'CAMPAIGN', sortBy: 'text', sortDir: 'asc' }),
  )
  return (
    <Card title="Negatives of the campaign">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the negatives' }}
        offline={<p>The negatives were not saved on this device. They load once you are online.</p>}
        empty={({ pages }) => !pages[0]?.content.length && <p>No negatives apply to the whole campaign.</p>}
      >
        {({ pages }) => pages.flatMap(page => page.content).map(row => <NegativeRowItem key={row.id} row={row} />)}
      </QueryView>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more negatives
        </Button>
      )}
    </Card>
  )
}

const shown = 5
const allAddress: string = '/adgroups'
const oneAddress: string = '/adgroup-details'

interface CampaignAdGroupsProps {
  campaignId: number
  shop: Shop
  range: DateRange
}

/** The ad groups of a campaign that cost most, and the way to all of them. */
function CampaignAdGroups({ campaignId, shop, range }: CampaignAdGroupsProps) {
  const query = useInfiniteQuery(
    campaignQueries.adGroups(shop, { campaignId, dateFrom: range.from, dateTo: range.to, sortBy: 'cost' }),
  )
  const total = query.data?.pages[0]?.page.totalElements ?? 0
  return (
    <Card title="Ad groups">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the ad groups' }}
        offline={<p>The ad groups were not saved on this device. They load once you are online.</p>}
        empty={() => total === 0 && <p>This campaign has no ad groups.</p>}
      >
        {({ pages }) => (
          <ul className="ad-groups">
            {pages[0]?.content.slice(0, shown).map(row => (
              <li key={row.id}>
                <Link to={oneAddress} search={{ adGroupId: row.id, ...range }} className="list-row-link">
                  {row.name}
                </Link>
                <div className="list-row-figures">
                  <RowFigures figures={row} currency={row.currency} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {total > shown && (
        <Link to={allAddress} search={{ campaignId, ...range }} className="button button-quiet">
          All {total} ad groups
        </Link>
      )}
    </Card>
  )
}
