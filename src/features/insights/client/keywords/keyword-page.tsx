import './keywords.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { formatDay } from '#client/ui/figures/format.ts'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { EmptyState, Skeleton } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, type Shop, shopText, useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { TermsPanel } from '#features/campaigns/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { keywordEndpoints as endpoints } from '../../keyword-contract.ts'
import { InsightSwitch } from '../insight-switch.tsx'
import { insightQueries } from '../queries.ts'
import { useInsightPage } from '../use-insight-page.ts'
import { TopKeywords, UnderperformingKeywords } from './keyword-rows.tsx'
import type { KeywordSearch } from './keyword-search.ts'
import { filtersOf, orderOf, type Part, PartChoice, parts, PartSegments } from './part-choice.tsx'
import { NegativeImpact } from './negative-rows.tsx'

const route = getRouteApi('/dashboard/insights/keyword-performance')

/** Which keywords and search terms earn their money, which do not, and what the negatives saved. */
export function KeywordPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const { shop, today, range, refresh } = useInsightPage(search)
  const { currency } = useCurrentMarketplace()
  const change = (next: Partial<KeywordSearch>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const part = search.part ?? 'terms'
  const { sortBy, sortDir } = orderOf(search)
  const order = { dateFrom: range.from, dateTo: range.to, sortBy, sortDir }
  const filter = part === 'underperforming' && search.test ? { ...order, test: search.test } : order
  const sort = { sortBy, sortDir, onSort: change }
  const first = useFirstPage(part, shop, filter)
  const count = first?.page.totalElements
  const age = <Age first={first} to={range.to} />
  const { file, what } = parts[part]
  return (
    <Page
      title="Keyword performance"
      count={wide ? count : undefined}
      wide
      onRefresh={refresh}
      actions={
        <ExportButton
          endpoint={file}
          what={what}
          filter={part === 'terms' ? { ...filter, orders: 'WITH' } : filter}
          count={count}
          shop={shopText(shop)}
        />
      }
      {...(wide && { status: age })}
      toolbar={
        <ContextBar
          account={<MerchantSwitcher />}
          days={{ search, today, onChange: change }}
          {...(!wide && { filters: filtersOf(search, change, { sortBy, sortDir }) })}
        />
      }
    >
      <InsightSwitch />
      {wide ? (
        <PartSegments search={search} change={change} />
      ) : (
        <PartChoice search={search} change={change} age={age} />
      )}
      {part === 'terms' && <TopTerms shop={shop} filter={order} sort={sort} />}
      {part === 'keywords' && <TopKeywords shop={shop} filter={filter as never} sort={sort} />}
      {part === 'underperforming' && <UnderperformingKeywords shop={shop} filter={filter as never} sort={sort} />}
      {part === 'negatives' && <NegativeImpact shop={shop} filter={filter as never} sort={sort} currency={currency} />}
    </Page>
  )
}

type FirstPage = Pick<EndpointOutput<typeof endpoints.topKeywords>, 'page' | 'freshness'> & {
  days?: EndpointOutput<typeof endpoints.underperforming>['days']
}

/** The first page of the part, by the query of its list: how many rows it has, and how old its figures are. */
function useFirstPage(part: Part, shop: Shop, filter: object): FirstPage | undefined {
  // The filter is that of the part, which alone is asked.
  const own = filter as never
  const terms = useQuery({ ...insightQueries.topTerms(shop, own), enabled: part === 'terms' })
  const keywords = useInfiniteQuery({ ...insightQueries.topKeywords(shop, own), enabled: part === 'keywords' })
  const failed = useInfiniteQuery({ ...insightQueries.underperforming(shop, own), enabled: part === 'underperforming' })
  const negatives = useInfiniteQuery({ ...insightQueries.negativeImpact(shop, own), enabled: part === 'negatives' })
  return {
    terms: terms.data,
    keywords: keywords.data?.pages[0],
    underperforming: failed.data?.pages[0],
    negatives: negatives.data?.pages[0],
  }[part]
}

/** How old the figures are, and which of the days count or may still change. */
function Age({ first, to }: { first: FirstPage | undefined; to: string }) {
  return (
    <>
      <DataAge at={first?.freshness.asOf} />
      {first?.days && (
        <span className="data-age">
          {' '}
          · days counted: {formatDay(first.days.dateFrom)} – {formatDay(first.days.dateTo)}
        </span>
      )}
      {first && !('days' in first) && <MovingNote movingFrom={first.freshness.movingFrom} to={to} />}
    </>
  )
}

interface TopTermsProps {
  shop: Shop
  filter: { dateFrom: string; dateTo: string; sortBy: string; sortDir: 'asc' | 'desc' }
  sort: { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (next: { sortBy: string; sortDir: 'asc' | 'desc' }) => void }
}

/** The search terms with orders, to be harvested and negated as on their own page. */
function TopTerms({ shop, filter, sort }: TopTermsProps): ReactNode {
  const wide = useWide()
  return (
    <Suspense fallback={<Skeleton rows={6} label="Loading the search terms" />}>
      <TermsPanel
        shop={shop}
        filter={{ ...filter, orders: 'WITH' } as never}
        ofMany
        empty={
          <EmptyState
            title="No search term brought an order"
            hint="Terms appear a day after shoppers first click an ad. Choose more days."
          />
        }
        table={wide && { sort }}
      />
    </Suspense>
  )
}
