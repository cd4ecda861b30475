import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { Money } from '#client/ui/figures/figure.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { FiguresList } from './figures-list.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { MovingNote } from './moving-note.tsx'
import { campaignQueries } from './queries.ts'
import { RowFigures } from './row-figures.tsx'
import { RowStatus } from './row-status.tsx'
import { adGroupSorts, columnOf } from './sort-options.ts'
import { useListPage } from './use-list-page.ts'
import './campaigns.css'

const route = getRouteApi('/dashboard/adgroups')

/** Ad groups with their figures, of one campaign or of all. */
export const AdGroupsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, today, range, refresh } = useListPage(search)
  const sortBy = columnOf(adGroupSorts, search.sortBy, 'cost')
  const { campaignId, days, from, to } = search
  const query = useInfiniteQuery(
    campaignQueries.adGroups(shop, {
      dateFrom: range.from,
      dateTo: range.to,
      sortBy,
      sortDir: search.sortDir ?? 'desc',
      ...(campaignId !== undefined && { campaignId }),
      ...(search.name && { name: search.name }),
      ...(search.state && { state: search.state }),
    }),
  )
  const first = query.data?.pages[0]
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
      toolbar={
        <ListToolbar
          searchLabel="Search ad groups"
          search={search}
          sortBy={sortBy}
          columns={adGroupSorts}
          today={today}
          onChange={next => void navigate({ search: previous => ({ ...previous, ...next }), replace: true })}
        />
      }
    >
      <FiguresList
        query={query}
        what="ad groups"
        empty={<EmptyState title="No ad group matches" hint="Try another name, state or campaign." />}
      >
        {row => (
          <ListRow
            title={row.name}
            to="/adgroup-details"
            search={{ adGroupId: row.id, days, from, to }}
            detail={
              <div className="row-status">
                <RowStatus {...row} />
                {campaignId === undefined && <span>{row.campaignName}</span>}
                <span>
                  Default bid <Money amount={row.defaultBid} currency={row.currency} />
                </span>
              </div>
            }
            figures={<RowFigures figures={row} currency={row.currency} />}
          />
        )}
      </FiguresList>
    </Page>
  )
}
