import { optionsOutline } from 'ionicons/icons'
import { useState } from 'react'
import { DateRangePicker } from '#client/ui/forms/date-range-picker.tsx'
import type { RangeSearch } from '#client/ui/forms/date-range.ts'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import type { Option } from '#client/ui/forms/select-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { SortControl } from '#client/ui/lists/sort-control.tsx'
import { ChooseFiguresSheet } from '../figures/choose-figures-sheet.tsx'
import type { ListSearch } from './list-search.ts'

const states = [
  { value: 'ALL', label: 'All states' },
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
  { value: 'ARCHIVED', label: 'Archived' },
  { value: 'PROPOSED', label: 'Proposed' },
] as const

interface ListToolbarProps<C extends string> {
  /** What is looked for: "Search campaigns". */
  searchLabel: string
  search: ListSearch
  sortBy: C
  columns: readonly Option<C>[]
  today: string
  onChange: (change: Partial<ListSearch>) => void
  /** False where rows have no figures, and so no days. */
  figures?: boolean
}

/** Narrows and orders a list: text, state, days, column; and which figures its rows show. */
export const ListToolbar = <C extends string>(props: ListToolbarProps<C>) => {
  const { searchLabel, search, sortBy, columns, today, onChange, figures = true } = props
  const [choosing, setChoosing] = useState(false)
  const range = (next: RangeSearch): void => onChange(next)
  return (
    <div className="list-toolbar">
      <SearchField
        label={searchLabel}
        value={search.name ?? ''}
        onSearch={name => onChange({ name: name || undefined })}
      />
      <div className="list-toolbar-line">
        <div className="sort">
          <select
            aria-label="State"
            value={search.state ?? 'ALL'}
            onChange={event => {
              const found = states.find(({ value }) => value === event.target.value)
              onChange({ state: found && found.value !== 'ALL' ? found.value : undefined })
            }}
          >
            {states.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <SortControl
          options={columns}
          sortBy={sortBy}
          sortDir={search.sortDir ?? 'desc'}
          onChange={sort => onChange(sort)}
        />
        {figures && (
          <button
            type="button"
            className="icon-button"
            aria-label="Choose the figures of each row"
            onClick={() => setChoosing(true)}
          >
            <Icon icon={optionsOutline} />
          </button>
        )}
      </div>
      {figures && <DateRangePicker search={search} today={today} onChange={range} />}
      <ChooseFiguresSheet open={choosing} onClose={() => setChoosing(false)} />
    </div>
  )
}
