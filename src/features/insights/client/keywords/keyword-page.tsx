import './keywords.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
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
import { insightQueries } from '../queries.ts'
import { useInsightPage } from '../use-insight-page.ts'
import { TopKeywords, UnderperformingKeywords } from './keyword-rows.tsx'
import { type KeywordSearch, keywordParts } from './keyword-search.ts'
import { testNames } from './keyword-words.ts'
import { NegativeImpact } from './negative-rows.tsx'

const route = getRouteApi('/dashboard/insights/keyword-performance')

type Part = (typeof keywordParts)[number]

const partNames: Record<Part, string> = {
  terms: 'Top terms',
  keywords: 'Top keywords',
  underperforming: 'Underperforming',
  negatives: 'Negative impact',
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
  const { sortBy, sortDir } = orderOf(search)
  const order = { dateFrom: range.from, dateTo: range.to, sortBy, sortDir }
  const filter = part === 'underperforming' && search.test ? { ...order, test: search.test } : order
  const sort = { sortBy, sortDir, onSort: change }
  const count = useCount(part, shop, filter)
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
      toolbar={<ContextBar account={<MerchantSwitcher />} days={{ search, today, onChange: change }} />}
    >
      <InsightSwitch />
      {wide ? (
        <PartSegments search={search} change={change} />
      ) : (
        <PartChoice search={search} change={change} sort={sort} />
      )}
      {part === 'terms' && <TopTerms shop={shop} filter={order} sort={sort} />}
      {part === 'keywords' && <TopKeywords shop={shop} filter={filter as never} sort={sort} />}
      {part === 'underperforming' && <UnderperformingKeywords shop={shop} filter={filter as never} sort={sort} />}
      {part === 'negatives' && <NegativeImpact shop={shop} filter={filter as never} sort={sort} currency={currency} />}
    </Page>
  )
}

/** The order that the address names, where the part has it; starved keywords begin with the least. */
function orderOf({ part = 'terms', test, ...search }: KeywordSearch): { sortBy: string; sortDir: 'asc' | 'desc' } {
  const isStarved = part === 'underperforming' && test === 'STARVED'
  const usual = isStarved ? 'impressions' : parts[part].usual
  const sortBy = (parts[part].sorts as readonly string[]).find(name => name === search.sortBy) ?? usual
  return { sortBy, sortDir: search.sortDir ?? (isStarved && sortBy === usual ? 'asc' : 'desc') }
}

/** How many rows the part has, by the query of its list. */
function useCount(part: Part, shop: Shop, filter: object): number | undefined {
  const of = <T extends { page: { totalElements: number } }>(data: { pages: T[] } | undefined) =>
    data?.pages[0]?.page.totalElements
  // The filter is that of the part, which alone is asked.
  const own = filter as never
  const terms = useQuery({ ...insightQueries.topTerms(shop, own), enabled: part === 'terms' })
  const keywords = useInfiniteQuery({ ...insightQueries.topKeywords(shop, own), enabled: part === 'keywords' })
  const failed = useInfiniteQuery({ ...insightQueries.underperforming(shop, own), enabled: part === 'underperforming' })
  const negatives = useInfiniteQuery({ ...insightQueries.negativeImpact(shop, own), enabled: part === 'negatives' })
  return {
    terms: terms.data?.page.totalElements,
    keywords: of(keywords.data),
    underperforming: of(failed.data),
    negatives: of(negatives.data),
  }[part]
}

type Change = (next: Partial<KeywordSearch>) => void
type Test = NonNullable<KeywordSearch['test']>

const unordered = { sortBy: undefined, sortDir: undefined }
// Starved keywords are a list of their own, because their cure is the opposite.
const tests = [
  { value: 'ALL', label: 'No sale or too dear' },
  { value: 'NO_SALE', label: testNames.NO_SALE },
  { value: 'TOO_DEAR', label: testNames.TOO_DEAR },
  { value: 'STARVED', label: testNames.STARVED },
] as const
const testOf = (value: string): Test | undefined =>
  tests.map(test => test.value).find((test): test is Test => test === value && test !== 'ALL')

/** The parts in a line, with the tests of the underperforming below. */
function PartSegments({ search, change }: { search: KeywordSearch; change: Change }) {
  const { part = 'terms', test } = search
  return (
    <>
      <div className="kw-tests">
        <Segment
          label="Part"
          value={part}
          options={keywordParts.map(name => ({ value: name, label: partNames[name] }))}
          onChange={next => change({ part: next === 'terms' ? undefined : next, test: undefined, ...unordered })}
        />
      </div>
      {part === 'underperforming' && (
        <div className="kw-tests">
          <Segment
            label="Test"
            value={test ?? 'ALL'}
            options={tests}
            onChange={next => change({ test: testOf(next), ...unordered })}
          />
        </div>
      )}
    </>
  )
}

interface PartChoiceProps {
  search: KeywordSearch
  change: Change
  sort: { sortBy: string; sortDir: 'asc' | 'desc' }
}

/** Part, test and order in one line of a phone, so that the first row is in sight. */
function PartChoice({ search: { part = 'terms', test }, change, sort: { sortBy, sortDir } }: PartChoiceProps) {
  const choices = [
    {
      label: 'Part',
      value: part,
      options: keywordParts.map(name => [name, partNames[name]]),
      choose: (next: string) =>
        change({ part: keywordParts.find(name => name === next && name !== 'terms'), test: undefined, ...unordered }),
    },
    part === 'underperforming' && {
      label: 'Test',
      value: test ?? 'ALL',
      options: tests.map(({ value, label }) => [value, label]),
      choose: (next: string) => change({ test: testOf(next), ...unordered }),
    },
    {
      label: 'Sort by',
      value: sortBy,
      options: parts[part].sorts.map(name => [name, sortNames[name] ?? name]),
      choose: (next: string) => change({ sortBy: next, sortDir: 'desc' }),
    },
    {
      label: 'Direction',
      value: sortDir,
      options: [
        ['desc', 'Highest first'],
        ['asc', 'Lowest first'],
      ],
      choose: (next: string) => change({ sortBy, sortDir: next === 'asc' ? 'asc' : 'desc' }),
    },
  ].filter(choice => choice !== false)
  return (
    <div className="kw-choices">
      {choices.map(({ label, value, options, choose }) => (
        <select
          key={label}
          className="chip chip-drop"
          aria-label={label}
          value={value}
          onChange={event => choose(event.target.value)}
        >
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      ))}
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
