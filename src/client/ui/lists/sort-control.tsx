import { arrowDownOutline, arrowUpOutline } from 'ionicons/icons'
import { Icon } from '../ionic/icon.tsx'
import type { Option } from '../forms/select-field.tsx'
import '../theme/fields.css'

export interface Sort<T extends string> {
  sortBy: T
  sortDir: 'asc' | 'desc'
}

interface SortControlProps<T extends string> extends Sort<T> {
  options: readonly Option<T>[]
  onChange: (sort: Sort<T>) => void
}

/** By what a list is ordered, and which way. */
export const SortControl = <T extends string>({ options, sortBy, sortDir, onChange }: SortControlProps<T>) => {
  const rising = sortDir === 'asc'
  return (
    <div className="sort">
      <select
        aria-label="Sort by"
        value={sortBy}
        onChange={event => {
          const chosen = options.find(option => option.value === event.target.value)
          if (chosen) onChange({ sortBy: chosen.value, sortDir })
        }}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="icon-button"
        aria-label={rising ? 'Lowest first' : 'Highest first'}
        onClick={() => onChange({ sortBy, sortDir: rising ? 'desc' : 'asc' })}
      >
        <Icon icon={rising ? arrowUpOutline : arrowDownOutline} />
      </button>
    </div>
  )
}
