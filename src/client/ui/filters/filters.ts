import type { ReactNode } from 'react'
import type { Option } from '../forms/fields.tsx'

export interface FilterField {
  name: string
  label: string
  /** Undefined while the list is not narrowed by it. */
  value: string | undefined
  options: readonly Option<string>[]
  /** In the sheet on every screen, since the line has no room for all. */
  isRare?: boolean
  onChange: (value: string | undefined) => void
}

export interface Filters {
  /** Of the sheet and its button where there is nothing to filter by. */
  title?: 'Sort'
  fields: readonly FilterField[]
  /** By what the list is ordered, and which other controls it has: part of the sheet, not counted as filters. */
  children?: ReactNode
  /** Above the filters: saved views. */
  lead?: ReactNode
  /** How many filters are set in `children`. */
  further?: number
  onReset: () => void
  /** Something in `children` differs from what is usual, so that Reset has something to do. */
  changed?: boolean
}

/** How many filters are set; `isHidden` leaves out those that are in sight already. */
export function activeFilters({ fields, further = 0 }: Filters, isHidden: boolean): number {
  return fields.filter(({ value, isRare }) => value !== undefined && (isRare || !isHidden)).length + further
}
