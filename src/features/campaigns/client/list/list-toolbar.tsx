import type { Option } from '#client/ui/forms/fields.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { SortFields } from '#client/ui/filters/sort-filters.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { MerchantSwitcher } from '#features/accounts/client/public.ts'
import { FigureChoice } from '../figures/row-figures.tsx'
import { SavedViews } from '#features/views/client/public.ts'
import { PortfolioField } from '../bulk/portfolio-field.tsx'
import type { RowKind } from '../form/field-labels.ts'
import { ColumnChoice } from './column-choice.tsx'
import { parseFigureFilter } from '../../figure-filter.ts'
import { FigureConditions } from './figure-conditions.tsx'
import { filterFields, filtersOfList } from './list-filters.ts'
import { type ListSearch, noSearch, viewSearchOf } from './list-search.ts'

interface ListToolbarProps<C extends string> {
  list: keyof typeof filtersOfList
  /** What is searched: "Search campaigns". */
  searchLabel: string
  search: ListSearch
  sortBy: C
  columns: readonly Option<C>[]
  today: string
  onChange: (change: Partial<ListSearch>) => void
  /** The line belongs to a part of a page: the page itself has the account, and no header that could hold the search. */
  inPage?: boolean
}

const kindOfList: Record<keyof typeof filtersOfList, RowKind> = {
  campaigns: 'campaign',
  adGroups: 'adGroup',
  ads: 'ad',
  keywords: 'keyword',
  targets: 'target',
}
/** Nothing narrowed, and the usual order. */
export const noFilters: Partial<ListSearch> = {
  state: undefined,
  adType: undefined,
  serving: undefined,
  targetingType: undefined,
  matchType: undefined,
  type: undefined,
  portfolioId: undefined,
  figures: undefined,
  launched: undefined,
  asin: undefined,
  sortBy: undefined,
  sortDir: undefined,
}

/** Narrows and orders a list: account, days, filters, text, column; and which figures or columns its rows show. */
export function ListToolbar<C extends string>(props: ListToolbarProps<C>) {
  const { list, searchLabel, search, sortBy, columns, today, onChange, inPage = false } = props
  const wide = useWide()
  const searchField = (
    <SearchField
      label={searchLabel}
      value={search.name ?? ''}
      onSearch={name => onChange({ name: name || undefined })}
    />
  )
  return (
    <ContextBar
      account={!inPage && <MerchantSwitcher />}
      days={{ search, today, onChange }}
      filters={{
        fields: filterFields(filtersOfList[list], search, onChange),
        further: (parseFigureFilter(search.figures ?? '')?.length ?? 0) + (search.portfolioId === undefined ? 0 : 1),
        lead: !inPage && (
          <SavedViews
            list={list}
            search={viewSearchOf(search)}
            current={search.view}
            onOpen={view => onChange({ ...noSearch, ...view?.search, view: view?.id ?? 0 })}
          />
        ),
        onReset: () => onChange(noFilters),
        changed: Object.keys(noFilters).some(name => search[name as keyof ListSearch] !== undefined),
        children: (
          <>
            {list === 'campaigns' && (
              <PortfolioField
                label="Portfolio"
                name="portfolioId"
                value={search.portfolioId ?? ''}
                first={[
                  { value: '', label: 'All' },
                  { value: 'NONE', label: 'In no portfolio' },
                ]}
                onChange={portfolioId => onChange({ portfolioId: portfolioId || undefined })}
              />
            )}
            <FigureConditions figures={search.figures} onChange={next => onChange({ figures: next })} />
            <SortFields columns={columns} sortBy={sortBy} sortDir={search.sortDir ?? 'desc'} onChange={onChange} />
            {!wide && <FigureChoice />}
            {wide && (
              <ColumnChoice
                kind={kindOfList[list]}
                columns={search.columns}
                onChange={next => onChange({ columns: next })}
              />
            )}
          </>
        ),
      }}
      search={(wide || inPage) && searchField}
    />
  )
}

/** The search of a list on a phone, in the header of its page; from 768 px it is in the line of the ListToolbar. */
export function ListSearchButton({
  searchLabel,
  search,
  onChange,
}: Pick<ListToolbarProps<string>, 'searchLabel' | 'search' | 'onChange'>) {
  return useWide() ? null : (
    <ToolbarSearch
      label={searchLabel}
      value={search.name ?? ''}
      onSearch={name => onChange({ name: name || undefined })}
    />
  )
}
