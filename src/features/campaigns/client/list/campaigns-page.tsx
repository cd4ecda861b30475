import '../campaigns.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { RowMenu, type RowAction } from '#client/ui/lists/row-menu.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { shopText } from '#features/accounts/client/public.ts'
import { ManagedMark } from '#features/optimizer/client/public.ts'
import type { CampaignRow } from '../../contract.ts'
import { exportEndpoints } from '../../export-contract.ts'
import { CampaignDetail, CampaignDetailPage } from '../detail/campaign-detail.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { EntityList } from './entity-list.tsx'
import { ActiveConditions } from './figure-conditions.tsx'
import { filterOf, filtersIn, filtersOfList } from './list-filters.ts'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { useScreenColumns } from './columns.tsx'
import { ListMenu, ListTabs } from './list-switch.tsx'
import { ListSearchButton, ListToolbar, noFilters } from './list-toolbar.tsx'
import { campaignQueries } from '../queries.ts'
import { useDefaultView } from '#features/views/client/public.ts'
import { JustLaunched } from './just-launched.tsx'
import { FoldedChart, ListChart } from './list-chart.tsx'
import { isPlainSearch, type ListSearch } from './list-search.ts'
import { campaignSorts, columnOf, useListPage } from './use-list-page.ts'
import { OfflineNote, ActionRow, useEditableRow } from '../edit/editable-row.tsx'
import { createOutline } from 'ionicons/icons'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from './row-status.tsx'

const route = getRouteApi('/dashboard/campaigns')
const newCampaign: string = '/create-campaign'

/** Every campaign of the marketplace with its figures, beside the chosen one where there is room. */
export function CampaignsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const { shop, today, range, refresh } = useListPage(search)
  const sortBy = columnOf(campaignSorts, search.sortBy, 'cost')
  const narrowing = filtersIn(filtersOfList.campaigns, search)
  const filter = {
    ...filterOf(search, range, sortBy),
    ...narrowing,
    ...(search.launched && { launched: true }),
    ...(search.asin && { asin: search.asin }),
    ...(search.portfolioId && { portfolioId: search.portfolioId }),
  }
  const isNarrowed = Boolean(
    search.name ?? search.figures ?? search.launched ?? search.asin ?? search.portfolioId ?? Object.keys(narrowing)[0],
  )
  const query = useInfiniteQuery(campaignQueries.campaigns(shop, filter))
  const columns = useScreenColumns('campaign', search.columns)
  const change = (next: Partial<ListSearch> & { campaign?: undefined }): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const { campaign, part: _part, terms: _terms, sheet: _sheet, row: _row, picked: _picked, ...withoutCampaign } = search
  const isPlain = campaign === undefined && isPlainSearch(search)
  useDefaultView('campaigns', isPlain, view => change({ ...view.search, view: view.id }))
  if (campaign !== undefined && !wide)
    return <CampaignDetailPage id={campaign} shop={shop} range={range} refresh={refresh} />
  const freshness = query.data?.pages[0]?.freshness
  const chart = {
    list: 'campaigns',
    shop,
    range,
    filter,
    chosen: search.chart,
    lead: <ListTabs />,
    isFolded: campaign !== undefined,
    onChange: change,
  } as const
  const list = (
    <>
      <OfflineNote />
      {!isNarrowed && <JustLaunched shop={shop} range={range} search={withoutCampaign} />}
      <ListChart {...chart} />
      {search.launched && (
        <p className="list-note">
          Launched in the last three days. <Link to="/campaigns">Show all campaigns</Link>
        </p>
      )}
      {search.asin && (
        <p className="list-note">
          Campaigns that advertise {search.asin}.{' '}
          <Link to="/campaigns" search={{ ...withoutCampaign, asin: undefined }}>
            Show all campaigns
          </Link>
        </p>
      )}
      <ActiveConditions figures={search.figures} onChange={figures => change({ figures })} />
      <EntityList
        kind="campaign"
        what="campaigns"
        query={query}
        filter={filter}
        search={search}
        sorts={campaignSorts}
        onChange={change}
        aside={<FoldedChart {...chart} />}
        empty={<NoCampaigns narrowed={isNarrowed} onReset={() => change({ ...noFilters, name: undefined })} />}
        nameLabel="Campaign"
        nameOf={row => row.name}
        renderName={row => <CampaignName row={row} search={withoutCampaign} />}
        renderMenu={row => <CampaignMenu row={row} />}
        opened={campaign}
      >
        {row => <CampaignRowItem row={row} search={withoutCampaign} chosen={row.id === campaign} />}
      </EntityList>
    </>
  )
  return (
    <Page
      title="Campaigns"
      count={query.data?.pages[0]?.page.totalElements}
      wide
      onRefresh={refresh}
      status={
        <>
          <DataAge at={freshness?.asOf} />
          <MovingNote movingFrom={freshness?.movingFrom ?? null} to={range.to} />
        </>
      }
      actions={
        <>
          <ListSearchButton searchLabel="Search campaigns" search={search} onChange={change} />
          <ListMenu />
          <ExportButton
            columns={columns}
            endpoint={exportEndpoints.campaigns}
            what="campaigns"
            filter={filter}
            count={query.data?.pages[0]?.page.totalElements}
            shop={shopText(shop)}
          />
        </>
      }
      toolbar={
        <ListToolbar
          list="campaigns"
          searchLabel="Search campaigns"
          search={search}
          sortBy={sortBy}
          columns={campaignSorts}
          today={today}
          onChange={change}
        />
      }
    >
      <SplitView
        list={list}
        detail={
          campaign === undefined ? null : <CampaignDetail key={campaign} id={campaign} shop={shop} range={range} />
        }
        label="Campaign"
        chosen={campaign}
        onClose={() => change({ campaign: undefined })}
      />
    </Page>
  )
}

function CampaignName({ row, search }: { row: CampaignRow; search: ListSearch }) {
  return (
    <>
      <Link to="/campaigns" search={{ ...search, campaign: row.id }} data-row={row.id}>
        {row.name}
      </Link>
      <div className="data-table-detail">
        {[adTypeWords[row.adType], row.targetingType === 'AUTO' ? 'Automatic' : 'Manual'].filter(Boolean).join(' · ')}
      </div>
      <Suspense>
        <ManagedMark campaignId={row.id} />
      </Suspense>
    </>
  )
}

function CampaignMenu({ row }: { row: CampaignRow }) {
  const { actions } = useCampaignRow(row)
  return actions.length > 0 && <RowMenu name={row.name} actions={actions} />
}

function NoCampaigns({ narrowed, onReset }: { narrowed: boolean; onReset: () => void }) {
  const online = useOnline()
  return narrowed ? (
    <EmptyState
      title="No campaign matches"
      hint="Try another name, other filters or other days."
      action={<Button onClick={onReset}>Show all campaigns</Button>}
    />
  ) : (
    <EmptyState
      title="No campaigns yet"
      hint="Create your first one: it takes a few minutes, and nothing is spent before you launch it."
      action={
        online && (
          <Link to={newCampaign} className="button button-primary">
            New campaign
          </Link>
        )
      }
    />
  )
}

/** Ad types as advertisers abbreviate them. */
const adTypeWords: Record<CampaignRow['adType'], string> = {
  SPONSORED_PRODUCTS: 'SP',
  SPONSORED_BRANDS: 'SB',
  SPONSORED_DISPLAY: 'SD',
}

interface CampaignRowProps {
  row: CampaignRow
  /** How the list is narrowed, kept when the campaign is opened. */
  search: ListSearch
  chosen: boolean
}

/** A campaign as the user wants it, and what can be done with it. */
function useCampaignRow(stored: CampaignRow) {
  const router = useRouter()
  const editable = useEditableRow('campaign', stored, ({ id, name }) => ({ name, href: `/campaigns?campaign=${id}` }))
  const href = `/campaign-edit/${stored.amazonId}`
  const edit: RowAction = { label: 'Edit', icon: createOutline, onSelect: () => void router.navigate({ href }) }
  return { ...editable, actions: editable.next ? [editable.switchAction, edit] : [] }
}

/** A campaign in the list: paused or enabled by a swipe or behind a button; without network the change waits. */
function CampaignRowItem({ row: stored, search, chosen }: CampaignRowProps) {
  const { row, note, actions } = useCampaignRow(stored)
  return (
    <ActionRow name={row.name} actions={actions}>
      <div className={chosen ? 'campaign-row campaign-row-chosen' : 'campaign-row'}>
        <ListRow
          title={row.name}
          to="/campaigns"
          search={{ ...search, campaign: row.id }}
          row={row.id}
          detail={
            <div className="row-status">
              <RowStatus {...row} quiet />
              <span>{adTypeWords[row.adType]}</span>
              {row.budget !== null && (
                <span>
                  <Money amount={row.budget} currency={row.currency} /> a day
                </span>
              )}
              <span>{row.targetingType === 'AUTO' ? 'Automatic' : 'Manual'}</span>
              <Suspense>
                <ManagedMark campaignId={row.id} />
              </Suspense>
            </div>
          }
          figures={<RowFigures figures={row} currency={row.currency} />}
        />
        {note}
      </div>
    </ActionRow>
  )
}
