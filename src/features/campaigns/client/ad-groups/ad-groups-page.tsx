import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { Money } from '#client/ui/figures/figure.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { AdGroupRow } from '../../contract.ts'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { shopText, useMayChange } from '#features/accounts/client/public.ts'
import { exportEndpoints } from '../../export-contract.ts'
import { ActionRow, OfflineNote, useEditableRow } from '../edit/editable-row.tsx'
import { EntityList } from '../list/entity-list.tsx'
import { ActiveConditions } from '../list/figure-conditions.tsx'
import { filterOf, filtersIn, filtersOfList } from '../list/list-filters.ts'
import { useDefaultView } from '#features/views/client/public.ts'
import { FoldedChart, ListChart } from '../list/list-chart.tsx'
import { isPlainSearch, type ListSearch } from '../list/list-search.ts'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { useScreenColumns } from '../list/columns.tsx'
import { ListMenu, ListTabs } from '../list/list-switch.tsx'
import { ListSearchButton, ListToolbar } from '../list/list-toolbar.tsx'
import { campaignQueries } from '../queries.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from '../list/row-status.tsx'
import { adGroupSorts, columnOf } from '../list/use-list-page.ts'
import { useListPage } from '../list/use-list-page.ts'
import '../campaigns.css'

const route = getRouteApi('/dashboard/adgroups')

/** Ad groups with their figures, of one campaign or of all. */
export function AdGroupsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, today, range, refresh } = useListPage(search)
  const sortBy = columnOf(adGroupSorts, search.sortBy, 'cost')
  const { campaignId, days, from, to } = search
  const filter = {
    ...filterOf(search, range, sortBy),
    ...filtersIn(filtersOfList.adGroups, search),
    ...(campaignId !== undefined && { campaignId }),
  }
  const query = useInfiniteQuery(campaignQueries.adGroups(shop, filter))
  const first = query.data?.pages[0]
  const columns = useScreenColumns('adGroup', search.columns)
  const change = (next: Partial<ListSearch>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  useDefaultView('adGroups', campaignId === undefined && isPlainSearch(search), view =>
    change({ ...view.search, view: view.id }),
  )
  const chart = {
    list: 'adGroups',
    shop,
    range,
    filter,
    campaignId,
    chosen: search.chart,
    lead: <ListTabs />,
    onChange: change,
  } as const
  const campaignName = campaignId === undefined ? undefined : first?.content[0]?.campaignName
  return (
    <Page
      title="Ad groups"
      back="/campaigns"
      onRefresh={refresh}
      status={
        <>
          {campaignName && <strong>{campaignName} · </strong>}
          <DataAge at={first?.freshness.asOf} />
          <MovingNote movingFrom={first?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
      actions={
        <>
          <ListSearchButton searchLabel="Search ad groups" search={search} onChange={change} />
          <ListMenu />
          <ExportButton
            columns={columns}
            endpoint={exportEndpoints.adGroups}
            what="ad groups"
            filter={filter}
            count={first?.page.totalElements}
            shop={shopText(shop)}
          />
        </>
      }
      wide
      toolbar={
        <ListToolbar
          list="adGroups"
          searchLabel="Search ad groups"
          search={search}
          sortBy={sortBy}
          columns={adGroupSorts}
          today={today}
          onChange={change}
        />
      }
    >
      <OfflineNote />
      <ListChart {...chart} />
      <ActiveConditions figures={search.figures} onChange={figures => change({ figures })} />
      <EntityList
        kind="adGroup"
        what="ad groups"
        query={query}
        filter={filter}
        search={search}
        sorts={adGroupSorts}
        onChange={change}
        aside={<FoldedChart {...chart} />}
        empty={<EmptyState title="No ad groups found" hint="None match the filters." />}
        nameLabel="Ad group"
        nameOf={row => row.name}
        renderName={row => <AdGroupCell row={row} range={{ days, from, to }} ofMany={campaignId === undefined} />}
        renderMenu={row => <AdGroupRowMenu row={row} />}
      >
        {row => <AdGroupLine row={row} range={{ days, from, to }} ofMany={campaignId === undefined} />}
      </EntityList>
    </Page>
  )
}

interface AdGroupLineProps {
  row: AdGroupRow
  range: Pick<ListSearch, 'days' | 'from' | 'to'>
  /** Whether there are others of other campaigns beside it. */
  ofMany: boolean
}

// Ad groups of different campaigns often have one name: read out, they must differ.
function AdGroupName({ row, ofMany }: Pick<AdGroupLineProps, 'row' | 'ofMany'>) {
  return (
    <>
      {row.name}
      {ofMany && <span className="visually-hidden"> of {row.campaignName}</span>}
    </>
  )
}

function AdGroupCell({ row, range, ofMany }: AdGroupLineProps) {
  return (
    <>
      <Link to="/adgroup-details" search={{ adGroupId: row.id, ...range }}>
        <AdGroupName row={row} ofMany={ofMany} />
      </Link>
      {ofMany && <div className="data-table-detail">{row.campaignName}</div>}
    </>
  )
}

/** An ad group as the user wants it, and what can be done with it in a list. */
function useAdGroupRow(stored: AdGroupRow) {
  const mayChange = useMayChange()
  const editable = useEditableRow('adGroup', stored, ({ id, name }) => ({
    name,
    href: `/adgroup-details?adGroupId=${id}`,
  }))
  return { ...editable, actions: editable.next && mayChange ? [editable.switchAction] : [] }
}

function AdGroupRowMenu({ row }: { row: AdGroupRow }) {
  const { actions } = useAdGroupRow(row)
  return actions.length > 0 && <RowMenu name={row.name} actions={actions} />
}

function AdGroupLine({ row: stored, range, ofMany }: AdGroupLineProps) {
  const { row, note, actions } = useAdGroupRow(stored)
  return (
    <ActionRow name={row.name} actions={actions}>
      <ListRow
        title={<AdGroupName row={row} ofMany={ofMany} />}
        to="/adgroup-details"
        search={{ adGroupId: row.id, ...range }}
        detail={
          <div className="row-status">
            <RowStatus {...row} />
            {ofMany && <span>{row.campaignName}</span>}
            {/* Ad groups of Brands have none. */}
            {row.defaultBid !== null && (
              <span>
                Default bid <Money amount={row.defaultBid} currency={row.currency} />
              </span>
            )}
          </div>
        }
        figures={<RowFigures figures={row} currency={row.currency} />}
      />
      {note}
    </ActionRow>
  )
}
