import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { Money } from '#client/ui/figures/figure.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { AdGroupRow } from '../../contract.ts'
import { FiguresTable } from '../figures/figures-table.tsx'
import { FiguresList } from '../figures/figures-list.tsx'
import { filterOf, type ListSearch } from '../list/list-search.ts'
import { ExportButton } from '../list/export-button.tsx'
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
  const wide = useWide()
  const sortBy = columnOf(adGroupSorts, search.sortBy, 'cost')
  const { campaignId, days, from, to } = search
  const filter = { ...filterOf(search, range, sortBy), ...(campaignId !== undefined && { campaignId }) }
  const query = useInfiniteQuery(campaignQueries.adGroups(shop, filter))
  const first = query.data?.pages[0]
  const change = (next: Partial<ListSearch>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const campaignName = campaignId === undefined ? undefined : first?.content[0]?.campaignName
  return (
    <Page
      title="Ad groups"
      back="/campaigns"
      onRefresh={refresh}
      status={
        <>
          {campaignName && <strong>{campaignName} · </strong>}
          <DataAge at={first?.freshness.asOf ?? null} />
          <MovingNote movingFrom={first?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
      actions={
        <>
          <ListSearchButton searchLabel="Search ad groups" search={search} onChange={change} />
          <ExportButton list="adGroups" what="ad groups" filter={filter} count={first?.page.totalElements} />
        </>
      }
      wide
      toolbar={
        <ListToolbar
          searchLabel="Search ad groups"
          search={search}
          sortBy={sortBy}
          columns={adGroupSorts}
          today={today}
          onChange={change}
        />
      }
    >
      <FiguresList
        query={query}
        what="ad groups"
        empty={<EmptyState title="No ad group matches" hint="Try another name, state or campaign." />}
        renderTable={
          wide &&
          ((rows, page, onEnd) => (
            <FiguresTable
              what="ad groups"
              rows={rows}
              page={page}
              kind="adGroup"
              nameLabel="Ad group"
              renderName={row => <AdGroupCell row={row} range={{ days, from, to }} ofMany={campaignId === undefined} />}
              sortBy={sortBy}
              sortDir={search.sortDir ?? 'desc'}
              onSort={change}
              onEnd={onEnd}
            />
          ))
        }
      >
        {row => <AdGroupLine row={row} range={{ days, from, to }} ofMany={campaignId === undefined} />}
      </FiguresList>
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

function AdGroupLine({ row, range, ofMany }: AdGroupLineProps) {
  return (
    <ListRow
      title={<AdGroupName row={row} ofMany={ofMany} />}
      to="/adgroup-details"
      search={{ adGroupId: row.id, ...range }}
      detail={
        <div className="row-status">
          <RowStatus {...row} />
          {ofMany && <span>{row.campaignName}</span>}
          <span>
            Default bid <Money amount={row.defaultBid} currency={row.currency} />
          </span>
        </div>
      }
      figures={<RowFigures figures={row} currency={row.currency} />}
    />
  )
}
