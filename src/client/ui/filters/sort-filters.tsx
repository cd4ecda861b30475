import { type Option, SelectField } from '../forms/fields.tsx'
import { Segment } from '../forms/segment.tsx'
import type { Filters } from './filters.ts'

interface Sort<C extends string> {
  sortBy: C
  sortDir: 'asc' | 'desc'
}
interface SortFieldsProps<C extends string> extends Sort<C> {
  columns: readonly Option<C>[]
  onChange: (next: Partial<Sort<C>>) => void
}

const directions = [
  { value: 'desc', label: 'Highest first' },
  { value: 'asc', label: 'Lowest first' },
] as const

/** By what a list is ordered, in the sheet of its filters. */
export function SortFields<C extends string>({ columns, sortBy, sortDir, onChange }: SortFieldsProps<C>) {
  return (
    <>
      <SelectField
        label="Sort by"
        name="sortBy"
        value={sortBy}
        options={columns}
        onChange={next => onChange({ sortBy: next })}
      />
      <Segment label="Direction" value={sortDir} options={directions} onChange={next => onChange({ sortDir: next })} />
    </>
  )
}

/** For the context bar where there is nothing to filter by: cards have no headings to order them by, and a table may have no room for a column. */
export function sortFilters<C extends string>(props: SortFieldsProps<C>, usual: Sort<C>): Filters {
  return {
    title: 'Sort',
    fields: [],
    changed: props.sortBy !== usual.sortBy || props.sortDir !== usual.sortDir,
    onReset: () => props.onChange(usual),
    children: <SortFields {...props} />,
  }
}
