import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { AdGroupContents } from './ad-group-contents.tsx'
import { AllFigures } from '../figures/row-figures.tsx'
import { AdGroupActions, AdGroupMenu, AdGroupSettings } from './ad-group-actions.tsx'
import { FiguresChart } from '../figures/figures-chart.tsx'
import { ActiveConditions } from '../list/figure-conditions.tsx'
import { ListToolbar, noFilters } from '../list/list-toolbar.tsx'
import { NegativeList } from '../negatives/negative-list.tsx'
import { SearchTermList } from '../search-terms/search-term-list.tsx'
import { campaignQueries } from '../queries.ts'
import { adSorts, columnOf, targetSorts } from '../list/use-list-page.ts'
import { useListPage } from '../list/use-list-page.ts'
import '../campaigns.css'
import '../detail/detail.css'
import { OfflineNote } from '../edit/editable-row.tsx'

const route = getRouteApi('/dashboard/adgroup-details')
const tabs = [
  { value: 'keywords', label: 'Keywords' },
  { value: 'targets', label: 'Targets' },
  { value: 'ads', label: 'Ads' },
  { value: 'terms', label: 'Search terms' },
  { value: 'negatives', label: 'Negatives' },
] as const
const sortsOf = { keywords: targetSorts, targets: targetSorts, ads: adSorts } as const

/** One ad group: its figures and days, and what is in it. */
export function AdGroupPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, today, range, refresh } = useListPage(search)
  const id = search.adGroupId ?? 0
  const query = useQuery({ ...campaignQueries.adGroup(shop, id, range), enabled: id > 0 })
  const row = query.data?.content[0]
  const campaign = useQuery({ ...campaignQueries.row(shop, row?.campaignId ?? 0, range), enabled: row !== undefined })
  // An automatic campaign has no keywords.
  const isAutomatic = campaign.data?.content[0]?.targetingType === 'AUTO'
  const tab = search.tab ?? (isAutomatic ? 'targets' : 'keywords')
  const wide = useWide()
  const change = (next: object): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  return (
    <Page
      title={row?.name ?? 'Ad group'}
      back="/adgroups"
      onRefresh={refresh}
      actions={
        row && (
          <>
            {wide && <AdGroupActions stored={row} shop={shop} />}
            <AdGroupMenu stored={row} shop={shop} />
          </>
        )
      }
      footer={row && !wide && <AdGroupActions stored={row} shop={shop} />}
      status={
        <>
          <DataAge at={query.data?.freshness.asOf ?? null} />
          <MovingNote movingFrom={query.data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
    >
      <OfflineNote />
      {id === 0 ? (
        noSuchAdGroup
      ) : (
        <QueryView
          query={query}
          loading={{ rows: 3, kind: 'card', label: 'Loading the ad group' }}
          empty={() => !row && noSuchAdGroup}
        >
          {() =>
            row && (
              <>
                <AdGroupSettings stored={row} days={{ days: search.days, from: search.from, to: search.to }} />
                <section className="card detail-figures" aria-label="Figures">
                  <AllFigures figures={row} currency={row.currency} />
                </section>
                <FiguresChart query={campaignQueries.adGroupChart(shop, id, range)} />
                <Segment
                  label="What is in the ad group"
                  value={tab}
                  options={tabs}
                  onChange={next => change({ ...noFilters, tab: next, name: undefined, columns: undefined })}
                />
                {tab === 'terms' ? (
                  <>
                    <ContextBar days={{ search, today, onChange: change }} />
                    <SearchTermList adGroupId={id} shop={shop} range={range} />
                  </>
                ) : tab === 'negatives' ? (
                  <NegativeList adGroupId={id} campaignId={row.campaignId} shop={shop} />
                ) : (
                  <>
                    <ListToolbar
                      key={tab}
                      list={tab}
                      searchLabel={`Search ${tab}`}
                      search={{ ...search, sortDir: search.sortDir ?? 'desc' }}
                      sortBy={columnOf<string>(sortsOf[tab], search.sortBy, 'cost')}
                      columns={sortsOf[tab]}
                      today={today}
                      inPage
                      onChange={change}
                    />
                    <ActiveConditions figures={search.figures} onChange={figures => change({ figures })} />
                    <AdGroupContents
                      adGroup={row}
                      tab={tab}
                      search={search}
                      range={range}
                      shop={shop}
                      onChange={change}
                    />
                  </>
                )}
              </>
            )
          }
        </QueryView>
      )}
    </Page>
  )
}

const noSuchAdGroup = <EmptyState title="There is no such ad group" hint="It may belong to another marketplace." />
