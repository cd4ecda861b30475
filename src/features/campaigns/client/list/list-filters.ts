import type { FilterField } from '#client/ui/filters/filters.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Option } from '#client/ui/forms/fields.tsx'
import { parseFigureFilter } from '../../figure-filter.ts'
import type { ListSearch } from './list-search.ts'

/** Ad types as the marketplace's own console calls them. */
export const adTypeOptions = [
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
  adType: { label: 'Ad type', options: adTypeOptions },
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

/** The fields of a list's filters for its toolbar: the first in the line, the others in the sheet. */
export const filterFields = (
  names: readonly FilterName[],
  search: Partial<Record<FilterName, string | undefined>>,
  onChange: (change: Partial<ListSearch>) => void,
): FilterField[] =>
  names.map((name, index) => ({
    ...choiceField(name, filters[name], search[name], value => onChange({ [name]: value })),
    isRare: index > 0,
  }))

interface Choice {
  label: string
  /** In the sheet on every screen. */
  isRare?: boolean
  options: readonly { value: string | number; label: string }[]
}

/** Filters that are each one of a few, by their names in the address. A value that is none of them counts as none. */
export function choiceFields<Search>(
  choices: { [K in keyof Search]?: Choice },
  search: Search,
  onChange: (change: Search) => void,
): FilterField[] {
  return Object.entries<Choice>(choices as Record<string, Choice>).map(([name, choice]) =>
    choiceField(name, choice, search[name as keyof Search], value => onChange({ [name]: value } as Search)),
  )
}

function choiceField(
  name: string,
  { label, options, isRare = false }: Choice,
  current: unknown,
  onChange: (value: Choice['options'][number]['value'] | undefined) => void,
): FilterField {
  const chosen = options.find(({ value }) => value === current)
  return {
    name,
    label,
    isRare,
    value: chosen && String(chosen.value),
    options: options.map(option => ({ ...option, value: String(option.value) })),
    onChange: text => onChange(options.find(({ value }) => String(value) === text)?.value),
  }
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
