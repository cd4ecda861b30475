import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Option } from '#client/ui/forms/fields.tsx'
import { parseFigureFilter } from '../../figure-filter.ts'
import type { ListSearch } from './list-search.ts'

/** Ad types as the marketplace's own console calls them. */
const adTypes = [
  { value: 'SPONSORED_PRODUCTS', label: 'Sponsored Products' },
  { value: 'SPONSORED_BRANDS', label: 'Sponsored Brands' },
  { value: 'SPONSORED_DISPLAY', label: 'Sponsored Display' },
] as const

/** What lists can be narrowed to by choosing one of a few; each name is the address's and the query's. */
const filters = {
  state: {
    label: 'State',
    options: [
      { value: 'ENABLED', label: 'Enabled' },
      { value: 'PAUSED', label: 'Paused' },
      { value: 'ARCHIVED', label: 'Archived' },
    ],
  },
  adType: { label: 'Ad type', options: adTypes },
  serving: {
    label: 'Delivery',
    options: [
      { value: 'STOPPED', label: 'Enabled but not shown' },
      { value: 'RUNS', label: 'Can be shown' },
      { value: 'MONEY', label: 'Out of budget or unpaid' },
      { value: 'PRODUCT', label: 'Product cannot be advertised' },
      { value: 'REVIEW', label: 'In review' },
      { value: 'REJECTED', label: 'Rejected' },
      { value: 'SETUP', label: 'Incomplete or bid too low' },
      { value: 'OFF', label: 'Paused, ended or archived' },
    ],
  },
  targetingType: {
    label: 'Targeting',
    options: [
      { value: 'MANUAL', label: 'Manual' },
      { value: 'AUTO', label: 'Automatic' },
    ],
  },
  matchType: {
    label: 'Match type',
    options: [
      { value: 'EXACT', label: 'Exact' },
      { value: 'PHRASE', label: 'Phrase' },
      { value: 'BROAD', label: 'Broad' },
    ],
  },
  type: {
    label: 'Target type',
    options: [
      { value: 'PRODUCT', label: 'Products and categories' },
      { value: 'AUTO', label: 'Automatic' },
    ],
  },
} as const satisfies Partial<Record<keyof ListSearch, { label: string; options: readonly Option<string>[] }>>

type Filters = typeof filters
export type FilterName = keyof Filters
type ValueOf<N extends FilterName> = Filters[N]['options'][number]['value']

/** The filters of each list; the first stands in its line, the others in its sheet. */
export const filtersOfList = {
  campaigns: ['state', 'adType', 'serving', 'targetingType'],
  adGroups: ['state', 'adType', 'serving'],
  ads: ['state', 'serving'],
  keywords: ['state', 'matchType', 'serving'],
  targets: ['state', 'type', 'serving'],
  negatives: ['state'],
} as const satisfies Record<string, readonly FilterName[]>

/** Those of the filters that an address sets to a value that they have. */
export function filtersIn<const N extends FilterName>(
  names: readonly N[],
  search: Partial<Record<FilterName, string | undefined>>,
): { [K in N]?: ValueOf<K> } {
  const set = names.flatMap(name => {
    const options: readonly Option<string>[] = filters[name].options
    return options.some(({ value }) => value === search[name]) ? [[name, search[name]]] : []
  })
  return Object.fromEntries(set) as { [K in N]?: ValueOf<K> }
}

/** The fields of filters for a toolbar, and none of them set for its Reset. */
export function filterFields(
  names: readonly FilterName[],
  search: Partial<Record<FilterName, string | undefined>>,
  onChange: (change: Partial<ListSearch>) => void,
) {
  const set: Partial<Record<FilterName, string>> = filtersIn(names, search)
  return names.map((name, index) => ({
    name,
    ...filters[name],
    value: set[name],
    isRare: index > 0,
    onChange: (value: string | undefined) => onChange({ [name]: value }),
  }))
}

/** What every list asks of the server: its days, its order, the text, and the conditions on figures that there are. */
export function filterOf<Column extends string>(
  { sortDir, name, state, figures }: ListSearch,
  { from, to }: DateRange,
  sortBy: Column,
) {
  return {
    dateFrom: from,
    dateTo: to,
    sortBy,
    sortDir: sortDir ?? ('desc' as const),
    ...(name && { name }),
    ...(state && { state }),
    ...(figures && parseFigureFilter(figures) && { figures }),
  }
}
