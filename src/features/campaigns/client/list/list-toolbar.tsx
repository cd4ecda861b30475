import { type Option, SelectField } from '#client/ui/forms/fields.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { MerchantSwitcher } from '#features/accounts/client/public.ts'
import { FigureChoice } from '../figures/row-figures.tsx'
import type { ListSearch } from './list-search.ts'

const states = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
  { value: 'ARCHIVED', label: 'Archived' },
] as const
const directions = [
  { value: 'desc', label: 'Highest first' },
  { value: 'asc', label: 'Lowest first' },
] as const

interface ListToolbarProps<C extends string> {
  /** What is searched: "Search campaigns". */
  searchLabel: string
  search: ListSearch
  sortBy: C
  columns: readonly Option<C>[]
  today: string
  onChange: (change: Partial<ListSearch>) => void
  /** False where rows have no figures, and so no days. */
  figures?: boolean
  /** The line belongs to a part of a page: the page itself has the account, and no header that could hold the search. */
  inPage?: boolean
}

/** Narrows and orders a list: account, days, state, text, column; and which figures its rows show. */
export function ListToolbar<C extends string>(props: ListToolbarProps<C>) {
  const { searchLabel, search, sortBy, columns, today, onChange, figures = true, inPage = false } = props
  const wide = useWide()
  const sortDir = search.sortDir ?? 'desc'
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
      {...(figures && { days: { search, today, onChange } })}
      filters={{
        fields: [
          {
            name: 'state',
            label: 'State',
            value: search.state,
            options: states,
            onChange: value => onChange({ state: states.find(state => state.value === value)?.value }),
          },
        ],
        onReset: () => onChange({ state: undefined, sortBy: undefined, sortDir: undefined }),
        changed: search.sortBy !== undefined || search.sortDir !== undefined,
        children: (
          <>
            <SelectField
              label="Sort by"
              name="sortBy"
              value={sortBy}
              options={columns}
              onChange={value => onChange({ sortBy: value })}
            />
            <Segment
              label="Direction"
              value={sortDir}
              options={directions}
              onChange={direction => onChange({ sortDir: direction })}
            />
            {figures && <FigureChoice />}
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
