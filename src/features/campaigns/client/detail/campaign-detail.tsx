import './detail.css'
import { Suspense } from 'react'
import { onlineManager, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useToday } from '#client/api/server-clock.ts'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { ManagedMark } from '#features/optimizer/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import type { CampaignRow } from '../../contract.ts'
import { OfflineNote } from '../edit/editable-row.tsx'
import { FiguresChart } from '../figures/figures-chart.tsx'
import { AllFigures, FiguresAwaited, RowFigures } from '../figures/row-figures.tsx'
import { NegativeList } from '../negatives/negative-list.tsx'
import { campaignQueries, listedCampaign } from '../queries.ts'
import { SearchTermList } from '../search-terms/search-term-list.tsx'
import { ChangeList } from '../changes/change-list.tsx'
import { BudgetUse } from './budget-use.tsx'
import { CampaignActions, CampaignMenu, CampaignSettings } from './campaign-actions.tsx'
import { Places } from './places.tsx'
import { CampaignNeeds, isOutOfBudget, useServing } from './needs-now.tsx'

const route = getRouteApi('/dashboard/campaigns')

/** The raise of a running campaign's budget for today alone; that it needs one is shown by `CampaignNeeds`. */
const BudgetRescue = lazyWhenIdle(() => import('#features/budget-rescue/client/public.ts').then(m => m.BudgetRescue))

interface CampaignDetailPageProps {
  id: number
  shop: Shop
  range: DateRange
  refresh: () => Promise<unknown>
}

/** A campaign on a phone, where it has the screen to itself. */
export function CampaignDetailPage({ id, shop, range, refresh }: CampaignDetailPageProps) {
  const { data } = useCampaignRow(shop, id, range)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(shop.marketplaceId)))
  const row = data?.content[0]
  return (
    <Page
      title={row?.name ?? 'Campaign'}
      back="/campaigns"
      onRefresh={refresh}
      actions={row && <CampaignMenu stored={row} />}
      toolbar={
        <ContextBar
          days={{
            search,
            today,
            onChange: days => void navigate({ search: previous => ({ ...previous, ...days }), replace: true }),
          }}
        />
      }
      status={
        <>
          <DataAge at={data?.freshness.asOf} />
          <MovingNote movingFrom={data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
      footer={row && <CampaignActions stored={row} shop={shop} />}
    >
      <OfflineNote />
      <CampaignDetail id={id} shop={shop} range={range} untitled />
    </Page>
  )
}

function useCampaignRow(shop: Shop, id: number, range: DateRange) {
  const client = useQueryClient()
  return useQuery({
    ...campaignQueries.row(shop, id, range),
    placeholderData: () =>
      onlineManager.isOnline() ? undefined : listedCampaign(client, shop, row => row.id === id)?.page,
  })
}

interface CampaignDetailProps {
  id: number
  shop: Shop
  range: DateRange
  /** Where the page already shows the campaign's name and its actions. */
  untitled?: boolean
}

/** One campaign: how it does first, then what it needs and what is in it. */
export function CampaignDetail({ id, shop, range, untitled = false }: CampaignDetailProps) {
  const query = useCampaignRow(shop, id, range)
  return (
    <QueryView
      query={query}
      loading={{ rows: 3, kind: 'card', label: 'Loading the campaign' }}
      failedTitle="The campaign could not be loaded"
      staleTitle="The latest figures could not be loaded"
      empty={({ content }) =>
        !content[0] && <EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />
      }
    >
      {({ content: [row], freshness }) =>
        row && (
          <FiguresAwaited value={freshness.asOf === null}>
            {!untitled && <DetailHead row={row} shop={shop} />}
            <CampaignSettings stored={row} />
            {row.state !== 'ARCHIVED' && (
              <Suspense>
                <ManagedMark campaignId={row.id} offers />
              </Suspense>
            )}
            <section className="card detail-figures" aria-label="Figures">
              <AllFigures figures={row} currency={row.currency} />
            </section>
            <FiguresChart query={campaignQueries.chart(shop, id, range)} />
            <CampaignNeeds stored={row} shop={shop} />
            <Rescue row={row} shop={shop} />
            <BudgetUse campaignId={id} budget={row.budget} shop={shop} />
            <Places row={row} shop={shop} range={range} />
            <Parts campaignId={id} shop={shop} range={range} />
          </FiguresAwaited>
        )
      }
    </QueryView>
  )
}

function Rescue({ row, shop }: { row: CampaignRow; shop: Shop }) {
  const isOut = isOutOfBudget(useServing(row, shop))
  if (row.state !== 'ENABLED' || row.budget === null) return null
  return (
    <Suspense>
      <BudgetRescue campaignId={row.id} shop={shop} isOut={isOut} />
    </Suspense>
  )
}

function DetailHead({ row, shop }: { row: CampaignRow; shop: Shop }) {
  return (
    <header className="detail-head">
      <h2>{row.name}</h2>
      <div className="detail-head-actions">
        <CampaignActions stored={row} shop={shop} />
        <CampaignMenu stored={row} />
      </div>
    </header>
  )
}

const parts = [
  { value: 'groups', label: 'Ad groups' },
  { value: 'terms', label: 'Terms' },
  { value: 'negatives', label: 'Negatives' },
  { value: 'history', label: 'History' },
] as const

interface PartsProps {
  campaignId: number
  shop: Shop
  range: DateRange
}

/** What is in a campaign, one kind at a time. */
function Parts({ campaignId, shop, range }: PartsProps) {
  const { part = 'groups' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <Segment
        label="What is in the campaign"
        value={part}
        options={parts}
        onChange={next => void navigate({ search: previous => ({ ...previous, part: next }), replace: true })}
      />
      {part === 'groups' && <CampaignAdGroups campaignId={campaignId} shop={shop} range={range} />}
      {part === 'terms' && <SearchTermList campaignId={campaignId} shop={shop} range={range} />}
      {part === 'negatives' && <NegativeList campaignId={campaignId} shop={shop} />}
      {part === 'history' && <ChangeList campaignId={campaignId} shop={shop} />}
    </>
  )
}

const shown = 5
const allAddress: string = '/adgroups'
const oneAddress: string = '/adgroup-details'

/** The ad groups of a campaign that cost most, and the way to all of them. */
function CampaignAdGroups({ campaignId, shop, range }: PartsProps) {
  const { days, from, to } = route.useSearch()
  const query = useInfiniteQuery(
    campaignQueries.adGroups(shop, { campaignId, dateFrom: range.from, dateTo: range.to, sortBy: 'cost' }),
  )
  const total = query.data?.pages[0]?.page.totalElements ?? 0
  return (
    <section className="card" aria-label="Ad groups">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the ad groups' }}
        failedTitle="The ad groups could not be loaded"
        staleTitle="The ad groups could not be refreshed"
        offline={<p>The ad groups were not saved on this device. They load once you are online.</p>}
        empty={() => total === 0 && <p>This campaign has no ad groups.</p>}
      >
        {({ pages }) => (
          <ul className="ad-groups">
            {pages[0]?.content.slice(0, shown).map(row => (
              <li key={row.id}>
                <Link to={oneAddress} search={{ adGroupId: row.id, days, from, to }} className="list-row-link">
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
        <Link to={allAddress} search={{ campaignId, days, from, to }} className="button button-quiet">
          All {total} ad groups
        </Link>
      )}
    </section>
  )
}
