import './asin.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { sortFilters } from '#client/ui/filters/sort-filters.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, shopText } from '#features/accounts/client/public.ts'
import { asinColumns, asinFigures } from '../../asin-columns.ts'
import { asinEndpoints, type AsinPage as Answer } from '../../asin-contract.ts'
import { InsightSwitch } from '../insight-switch.tsx'
import { insightQueries } from '../queries.ts'
import { useInsightPage } from '../use-insight-page.ts'
import { AsinDays, AsinDetail } from './asin-detail.tsx'
import { AsinCards, type AsinSort, AsinTable, Unassigned } from './asin-list.tsx'
import type { AsinSearch } from './asin-search.ts'

const route = getRouteApi('/dashboard/insights/asin-performance')
const sizes = [20, 50, 100] as const
const sorts = asinColumns.map(value => ({ value, label: value === 'title' ? 'Name' : asinFigures[value].label }))
const usual = { sortBy: 'cost', sortDir: 'desc' } as const

type Change = (next: Partial<AsinSearch>) => void

/** What each product sold, cost and left. */
export function AsinPage() {
  const search: AsinSearch = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const { shop, today, range, refresh } = useInsightPage(search)
  const { sortBy = usual.sortBy, sortDir = usual.sortDir, page = 0, size = 20, search: text = '' } = search
  const change: Change = next =>
    void navigate({ search: (previous: AsinSearch) => ({ ...previous, ...next }), replace: !('page' in next) })
  const order = (next: Partial<AsinSort>) => change({ ...next, page: undefined })
  const filter = { dateFrom: range.from, dateTo: range.to, sortBy, sortDir, ...(text && { search: text }) }
  const query = useQuery(insightQueries.asins(shop, { ...filter, page, size }))
  const freshness = query.data?.freshness
  const opened = query.data?.content.find(row => row.asin === search.asin)
  const find = {
    label: 'Search by title, SKU or ASIN',
    value: text,
    onSearch: (typed: string) =>
      change({ search: typed.trim().slice(0, 200) || undefined, page: undefined, asin: undefined }),
  }
  const running = range.to === today
  const shared = { shop, search, range, running, onChange: change }
  return (
    <Page
      title="Products"
      {...((wide || !opened) && { count: query.data?.page.totalElements })}
      wide
      {...(opened && !wide && { back: '/insights/asin-performance' })}
      onRefresh={refresh}
      status={
        <>
          <DataAge at={freshness?.asOf} />
          <MovingNote movingFrom={freshness?.movingFrom ?? null} to={range.to} />
        </>
      }
      actions={
        <>
          {!wide && !opened && <ToolbarSearch {...find} />}
          <ExportButton
            endpoint={asinEndpoints.exported}
            what="products"
            filter={filter}
            count={query.data?.page.totalElements}
            shop={shopText(shop)}
          />
        </>
      }
      toolbar={
        <ContextBar
          account={<MerchantSwitcher />}
          days={{ search, today, onChange: next => change({ ...next, page: undefined }) }}
          {...(!opened && { filters: sortFilters({ columns: sorts, sortBy, sortDir, onChange: order }, usual) })}
          search={wide && <SearchField {...find} />}
        />
      }
    >
      {(wide || !opened) && <InsightSwitch />}
      <QueryView
        query={query}
        loading={{ rows: 6, kind: wide ? 'row' : 'card', label: 'Loading your products' }}
        failedTitle="Your products could not be loaded"
        staleTitle="The latest figures could not be loaded"
        empty={data =>
          data.freshness.asOf === null ? (
            <EmptyState
              title="Your figures are on their way"
              hint="The first import brings the last 95 days of each product. This screen updates itself when they arrive."
            />
          ) : (
            data.content.length === 0 && <NoProducts data={data} text={text} onChange={change} />
          )
        }
      >
        {data => (
          <SplitView
            list={
              <>
                {wide && !opened && <AsinDays {...shared} chosen={search.chart} />}
                <Products data={data} search={search} onChange={change} running={running} isBeside={Boolean(opened)} />
              </>
            }
            detail={
              opened ? <AsinDetail key={opened.asin} row={opened} data={data} takesFocus={!wide} {...shared} /> : null
            }
            label="Product"
            chosen={opened?.asin}
            onClose={() => change({ asin: undefined })}
          />
        )}
      </QueryView>
    </Page>
  )
}

interface ProductsProps {
  data: Answer
  search: AsinSearch
  running: boolean
  /** Next to the detail of a product there is no room for a table. */
  isBeside: boolean
  onChange: Change
}

function Products({ data, search, running, isBeside, onChange }: ProductsProps) {
  const wide = useWide()
  const { sortBy = usual.sortBy, sortDir = usual.sortDir } = search
  const onSort = (next: { sortBy: string; sortDir: 'asc' | 'desc' }): void => {
    const column = asinColumns.find(name => name === next.sortBy)
    if (column) onChange({ sortBy: column, sortDir: next.sortDir, page: undefined })
  }
  return (
    <>
      {wide && !isBeside ? (
        <AsinTable data={data} search={search} sort={{ sortBy, sortDir, onSort }} running={running} />
      ) : (
        <AsinCards data={data} search={search} running={running} dense={wide} />
      )}
      <Pager
        label="Pages of products"
        page={data.page}
        sizes={sizes}
        onPage={page => onChange({ page: page || undefined, asin: undefined })}
        onSize={size => onChange({ size: sizes.find(one => one === size), page: undefined })}
      />
      <Unassigned data={data} />
    </>
  )
}

function NoProducts({ data, text, onChange }: { data: Answer; text: string; onChange: Change }) {
  if (data.page.totalElements > 0)
    return (
      <EmptyState
        title="This page is empty"
        hint="There are fewer products than before."
        action={<Button onClick={() => onChange({ page: undefined })}>Go to the first page</Button>}
      />
    )
  return text ? (
    <EmptyState
      title={`No product matches “${text}”`}
      hint="Try part of the title, the SKU or the ASIN."
      action={<Button onClick={() => onChange({ search: undefined })}>Show all products</Button>}
    />
  ) : (
    <EmptyState
      title="No products in this marketplace yet"
      hint="They arrive with the import of your seller account. Their figures follow with the first figures of your ads."
    />
  )
}
