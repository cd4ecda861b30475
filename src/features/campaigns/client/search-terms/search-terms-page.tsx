import './search-terms.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { closeOutline } from 'ionicons/icons'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { SortFields } from '#client/ui/filters/sort-filters.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, shopText } from '#features/accounts/client/public.ts'
import {
  coverages,
  searchTermEndpoints,
  searchTermSorts,
  searchTermWordSorts,
} from '#features/search-terms/contract.ts'
import { FigureChoice, figureOptions } from '../figures/row-figures.tsx'
import { adTypeOptions, choiceFields } from '../list/list-filters.ts'
import { noneOf } from '../list/list-search.ts'
import { columnOf, useListPage } from '../list/use-list-page.ts'
import { type TermRow, termQueries } from './queries.ts'
import { coverageWords } from './term-words.ts'
import { TermsPanel } from './terms-panel.tsx'
import { type TermsSearch, termsFilterOf } from './terms-search.ts'
import { WordsList, wasteLabel } from './words-list.tsx'

const route = getRouteApi('/dashboard/search-terms')

const views = [
  { value: 'terms', label: 'Terms' },
  { value: 'words', label: 'Words' },
] as const
const lengths = [
  { value: '1', label: '1 word' },
  { value: '2', label: '2 words' },
  { value: '3', label: '3 words' },
] as const
const termSorts = [...figureOptions, { value: 'term', label: 'Search term' }].filter(({ value }) =>
  searchTermSorts.some(name => name === value),
) as { value: (typeof searchTermSorts)[number]; label: string }[]
const wordSorts = [
  { value: 'waste', label: `Spend ${wasteLabel.toLowerCase()}` },
  ...figureOptions,
  { value: 'terms', label: 'Terms' },
  { value: 'words', label: 'Words' },
].filter(({ value }) => searchTermWordSorts.some(name => name === value)) as {
  value: (typeof searchTermWordSorts)[number]
  label: string
}[]

type Change = (next: Partial<TermsSearch>) => void

/** What shoppers searched, over the whole account or a part of it: term by term, or word by word. */
export function SearchTermsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const { shop, facts, today, range, refresh } = useListPage(search)
  const view = search.view ?? 'terms'
  const filter = termsFilterOf(search, range)
  const sortBy = columnOf(termSorts, search.sortBy, 'cost')
  const wordsFilter = { ...filter, length: search.length ?? 1, sortBy: columnOf(wordSorts, search.sortBy, 'waste') }
  const terms = useInfiniteQuery({ ...termQueries.terms(shop, { ...filter, sortBy }), enabled: view === 'terms' })
  const words = useInfiniteQuery({ ...termQueries.words(shop, wordsFilter), enabled: view === 'words' })
  const first = terms.data?.pages[0]
  const freshness = (view === 'terms' ? first : words.data?.pages[0])?.freshness
  const change: Change = next => void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const onSort = (sort: Pick<TermsSearch, 'sortBy' | 'sortDir'>): void => change(sort)
  const sortDir = search.sortDir ?? 'desc'
  return (
    <Page
      title="Search terms"
      count={view === 'terms' ? first?.page.totalElements : undefined}
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
          {!wide && <ToolbarSearch {...searchProps(search, change)} />}
          {view === 'terms' && (
            <ExportButton
              endpoint={searchTermEndpoints.file}
              what="search terms"
              filter={{ ...filter, sortBy }}
              count={first?.page.totalElements}
              shop={shopText(shop)}
            />
          )}
        </>
      }
      toolbar={<TermsToolbar {...{ search, today, change, wide }} />}
    >
      <div className="terms-views">
        <Segment
          label="What is listed"
          value={view}
          options={views}
          onChange={next =>
            change({ view: next === 'words' ? 'words' : undefined, sortBy: undefined, sortDir: undefined })
          }
        />
        {view === 'words' && (
          <Segment
            label="How many words in a row"
            value={String(search.length ?? 1) as '1' | '2' | '3'}
            options={lengths}
            onChange={next => change({ length: Number(next) as 1 | 2 | 3 })}
          />
        )}
      </div>
      <Narrowed search={search} row={first?.content[0]} change={change} />
      {view === 'terms' ? (
        <TermsPanel
          shop={shop}
          filter={{ ...filter, sortBy }}
          ofMany={search.adGroupId === undefined}
          empty={
            <EmptyState
              title="No search term matches"
              hint="Terms appear a day after shoppers first click an ad. Try more days or fewer filters."
            />
          }
          table={wide && { sort: { sortBy, sortDir, onSort } }}
        />
      ) : (
        <WordsList
          shop={shop}
          filter={wordsFilter}
          termsFilter={filter}
          currency={facts?.currency ?? 'USD'}
          search={search}
          table={wide && { sortBy: wordsFilter.sortBy, sortDir, onSort }}
        />
      )}
    </Page>
  )
}

function searchProps(search: TermsSearch, change: Change) {
  return {
    label: 'Search terms',
    value: search.name ?? '',
    onSearch: (name: string) => change({ name: name || undefined }),
  }
}

const filters = {
  coverage: {
    label: 'Coverage',
    options: coverages.map(value => ({ value, label: coverageWords[value].label })),
  },
  orders: {
    label: 'Orders',
    isRare: true,
    options: [
      { value: 'WITH', label: 'With orders' },
      { value: 'WITHOUT', label: 'Without orders' },
    ],
  },
  minClicks: {
    label: 'Clicks',
    isRare: true,
    options: [5, 10, 20, 50, 100].map(value => ({ value, label: `${value} or more clicks` })),
  },
  // Sponsored Display reports no searches.
  adType: {
    label: 'Ad type',
    isRare: true,
    options: adTypeOptions.filter(({ value }) => value !== 'SPONSORED_DISPLAY'),
  },
} as const
const unset = { ...noneOf(filters), sortBy: undefined, sortDir: undefined }

interface TermsToolbarProps {
  search: TermsSearch
  today: string
  change: Change
  wide: boolean
}

function TermsToolbar({ search, today, change, wide }: TermsToolbarProps) {
  const sorts = search.view === 'words' ? wordSorts : termSorts
  return (
    <ContextBar
      account={<MerchantSwitcher />}
      days={{ search, today, onChange: change }}
      filters={{
        fields: choiceFields<TermsSearch>(filters, search, change),
        onReset: () => change(unset),
        changed: search.sortBy !== undefined || search.sortDir !== undefined,
        children: (
          <>
            <SortFields
              columns={sorts}
              sortBy={columnOf<string>(sorts, search.sortBy, search.view === 'words' ? 'waste' : 'cost')}
              sortDir={search.sortDir ?? 'desc'}
              onChange={change}
            />
            <FigureChoice />
          </>
        ),
      }}
      search={wide && <SearchField {...searchProps(search, change)} />}
    />
  )
}

/** The part of the account that the list is narrowed to, each with its way back. */
function Narrowed({ search, row, change }: { search: TermsSearch; row: TermRow | undefined; change: Change }) {
  const { words, campaignId, adGroupId } = search
  const chips = [
    words !== undefined && { label: `Contains “${words}”`, clear: { words: undefined } },
    campaignId !== undefined && {
      label: `Campaign${row ? ` ${row.campaignName}` : ''}`,
      clear: { campaignId: undefined },
    },
    adGroupId !== undefined && {
      label: `Ad group${row ? ` ${row.adGroupName}` : ''}`,
      clear: { adGroupId: undefined },
    },
  ].filter(chip => chip !== false)
  if (!chips.length) return null
  return (
    <div className="narrowed">
      {chips.map(({ label, clear }) => (
        <button
          key={label}
          type="button"
          className="chip chip-active"
          aria-label={`Show all, not only: ${label}`}
          onClick={() => change(clear)}
        >
          {label}
          <Icon icon={closeOutline} />
        </button>
      ))}
    </div>
  )
}
