import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { shopText } from '#features/accounts/client/public.ts'
import { useDefaultView } from '#features/views/client/public.ts'
import { exportEndpoints } from '../../export-contract.ts'
import { OfflineNote } from '../edit/editable-row.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { ActiveConditions } from '../list/figure-conditions.tsx'
import { isPlainSearch, type ListSearch } from '../list/list-search.ts'
import { ListMenu, ListTabs } from '../list/list-switch.tsx'
import { ListSearchButton, ListToolbar } from '../list/list-toolbar.tsx'
import { campaignQueries } from '../queries.ts'
import { useScreenColumns } from '../list/columns.tsx'
import { adSorts, columnOf, targetSorts, useListPage } from '../list/use-list-page.ts'
import { AdGroupContents, contentsFilter } from './ad-group-contents.tsx'
import '../campaigns.css'

const lists = {
  keywords: { title: 'Keywords', kind: 'keyword', sorts: targetSorts, route: getRouteApi('/dashboard/keywords') },
  targets: { title: 'Targets', kind: 'target', sorts: targetSorts, route: getRouteApi('/dashboard/targets') },
  ads: { title: 'Ads', kind: 'ad', sorts: adSorts, route: getRouteApi('/dashboard/ads') },
} as const
type ContentsList = keyof typeof lists

export const KeywordsPage = () => <ContentsPage key="keywords" list="keywords" />
export const TargetsPage = () => <ContentsPage key="targets" list="targets" />
export const AdsPage = () => <ContentsPage key="ads" list="ads" />

/** What is in all ad groups of the marketplace, one kind on each page. */
function ContentsPage({ list }: { list: ContentsList }) {
  const { title, kind, sorts, route } = lists[list]
  const search: ListSearch = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, today, range, refresh } = useListPage(search)
  const what = title.toLowerCase()
  const change = (next: Partial<ListSearch>): void =>
    void navigate({ search: (previous: ListSearch) => ({ ...previous, ...next }), replace: true })
  useDefaultView(list, isPlainSearch(search), view => change({ ...view.search, view: view.id }))
  const filter = contentsFilter[list](search, range)
  // The same query as the list's own: which filter goes with which list is known above.
  const query = useInfiniteQuery(campaignQueries[list](shop, filter as never) as ReturnType<typeof campaignQueries.ads>)
  const first = query.data?.pages[0]
  const columns = useScreenColumns(kind, search.columns)
  return (
    <Page
      title={title}
      count={first?.page.totalElements}
      back="/campaigns"
      wide
      onRefresh={refresh}
      status={
        <>
          <DataAge at={first?.freshness.asOf} />
          <MovingNote movingFrom={first?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
      actions={
        <>
          <ListSearchButton searchLabel={`Search ${what}`} search={search} onChange={change} />
          <ListMenu />
          <ExportButton
            endpoint={exportEndpoints[list]}
            what={what}
            filter={filter}
            columns={columns}
            count={first?.page.totalElements}
            shop={shopText(shop)}
          />
        </>
      }
      toolbar={
        <ListToolbar
          list={list}
          searchLabel={`Search ${what}`}
          search={search}
          sortBy={columnOf<string>(sorts, search.sortBy, 'cost')}
          columns={sorts}
          today={today}
          onChange={change}
        />
      }
    >
      <OfflineNote />
      <ListTabs />
      <ActiveConditions figures={search.figures} onChange={figures => change({ figures })} />
      <AdGroupContents tab={list} search={search} range={range} shop={shop} onChange={change} />
    </Page>
  )
}
