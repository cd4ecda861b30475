import './keywords.css'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { EmptyState, Skeleton } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, type Shop, shopText, useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { TermsPanel } from '#features/campaigns/client/public.ts'
import { searchTermEndpoints, searchTermSorts } from '#features/search-terms/contract.ts'
import { metrics } from '#shared/metrics.ts'
import {
  impactSorts,
  keywordEndpoints as endpoints,
  keywordSorts,
  underperformingSorts,
} from '../../keyword-contract.ts'
import { InsightSwitch } from '../insight-switch.tsx'
import { useInsightPage } from '../use-insight-page.ts'
import { TopKeywords, UnderperformingKeywords } from './keyword-rows.tsx'
import { type KeywordSearch, keywordParts } from './keyword-search.ts'
import { testNames } from './keyword-words.ts'
import { NegativeImpact } from './negative-rows.tsx'

const route = getRouteApi('/dashboard/insights/keyword-performance')

const partNames: Record<(typeof keywordParts)[number], string> = {
  terms: 'Top terms',
  keywords: 'Top keywords',
  underperforming: 'Underperforming',
  negatives: 'Negatives',
}

/** Each part with what it can be ordered by, the usual order first, and its file. */
const parts = {
  terms: { sorts: searchTermSorts, usual: 'sales', file: searchTermEndpoints.file, what: 'search terms' },
  keywords: { sorts: keywordSorts, usual: 'sales', file: endpoints.exportKeywords, what: 'keywords' },
  underperforming: {
    sorts: underperformingSorts,
    usual: 'cost',
    file: endpoints.exportUnderperforming,
    what: 'underperforming keywords',
  },
  negatives: { sorts: impactSorts, usual: 'saved', file: endpoints.exportImpact, what: 'negatives' },
} as const

const sortNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(keywordSorts.map(name => [name, metrics[name].label])),
  term: 'Search term',
  confidence: 'Confidence',
  saved: 'Saved or redirected',
  savedLow: 'Saved at least',
  savedHigh: 'Saved at most',
  addedAt: 'Date added',
  daysActive: 'Days active',
}

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
  const { sorts, file, what } = parts[part]
  const isStarved = part === 'underperforming' && search.test === 'STARVED'
  const usual = isStarved ? 'impressions' : parts[part].usual
  const sortBy = (sorts as readonly string[]).find(name => name === search.sortBy) ?? usual
  const sortDir = search.sortDir ?? (isStarved && sortBy === usual ? 'asc' : 'desc')
  const filter = { dateFrom: range.from, dateTo: range.to, sortBy, sortDir }
  const query = {
    ...filter,
    ...(part === 'terms' && { orders: 'WITH' }),
    ...(part === 'underperforming' && search.test && { test: search.test }),
  }
  const sort = { sortBy, sortDir, onSort: change }
  return (
    <Page
      title="Keyword performance"
      wide
      onRefresh={refresh}
      actions={<ExportButton endpoint={file} what={what} filter={query} count={1} shop={shopText(shop)} />}
      toolbar={<ContextBar account={<MerchantSwitcher />} days={{ search, today, onChange: change }} />}
    >
      <InsightSwitch />
      <nav className="kw-parts" aria-label="Parts">
        {keywordParts.map(name => (
          <Link
            key={name}
            to="."
            search={{ days: search.days, from: search.from, to: search.to, part: name === 'terms' ? undefined : name }}
            activeOptions={{ exact: true }}
            aria-current={name === part ? 'page' : undefined}
          >
            {partNames[name]}
          </Link>
        ))}
      </nav>
      {part === 'underperforming' && (
        <TestChoice value={search.test} onChange={test => change({ test, sortBy: undefined, sortDir: undefined })} />
      )}
      {!wide && <SortChoice sorts={sorts} sort={sort} />}
      {part === 'terms' && <TopTerms shop={shop} filter={{ ...filter, sortBy, sortDir }} sort={sort} />}
      {part === 'keywords' && <TopKeywords shop={shop} filter={query as never} sort={sort} />}
      {part === 'underperforming' && <UnderperformingKeywords shop={shop} filter={query as never} sort={sort} />}
      {part === 'negatives' && <NegativeImpact shop={shop} filter={query as never} sort={sort} currency={currency} />}
    </Page>
  )
}

interface TestChoiceProps {
  value: KeywordSearch['test']
  onChange: (test: KeywordSearch['test']) => void
}

// Starved keywords are a list of their own, because their cure is the opposite.
function TestChoice({ value, onChange }: TestChoiceProps) {
  return (
    <div className="kw-tests">
      <Segment
        label="Test"
        value={value ?? 'ALL'}
        options={[
          { value: 'ALL', label: 'All' },
          { value: 'NO_SALE', label: testNames.NO_SALE },
          { value: 'TOO_DEAR', label: testNames.TOO_DEAR },
          { value: 'STARVED', label: testNames.STARVED },
        ]}
        onChange={next => onChange(next === 'ALL' ? undefined : next)}
      />
    </div>
  )
}

interface SortChoiceProps {
  sorts: readonly string[]
  sort: { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (next: Partial<KeywordSearch>) => void }
}

/** By what the cards are ordered; a table has its headings for that. */
function SortChoice({ sorts, sort: { sortBy, sortDir, onSort } }: SortChoiceProps) {
  return (
    <div className="kw-sort">
      <select
        className="chip chip-drop"
        aria-label="Sort by"
        value={sortBy}
        onChange={event => onSort({ sortBy: event.target.value, sortDir: 'desc' })}
      >
        {sorts.map(name => (
          <option key={name} value={name}>
            {sortNames[name] ?? name}
          </option>
        ))}
      </select>
      <select
        className="chip chip-drop"
        aria-label="Direction"
        value={sortDir}
        onChange={event => onSort({ sortBy, sortDir: event.target.value === 'asc' ? 'asc' : 'desc' })}
      >
        <option value="desc">Highest first</option>
        <option value="asc">Lowest first</option>
      </select>
    </div>
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
