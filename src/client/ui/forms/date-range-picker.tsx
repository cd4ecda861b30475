import { formatDayRange } from '../figures/format-time.ts'
import { type RangePreset, type RangeSearch, rangePresets, resolveRange } from './date-range.ts'
import { TextField } from './text-field.tsx'
import '../theme/fields.css'

interface DateRangePickerProps {
  search: RangeSearch
  /** The day in the profile's time zone. */
  today: string
  /** Oldest day that can be chosen. */
  earliest?: string
  onChange: (search: RangeSearch) => void
}

/** Which days are shown: the last 7 to 90, or any. */
export const DateRangePicker = ({ search, today, earliest, onChange }: DateRangePickerProps) => {
  const range = resolveRange(search, today)
  const custom = Boolean(search.from && search.to)
  const limits = { max: today, ...(earliest && { min: earliest }) }
  return (
    <div className="range">
      <select
        aria-label="Days shown"
        value={custom ? 'custom' : String(search.days ?? 30)}
        onChange={event => {
          const preset = rangePresets.find(days => String(days) === event.target.value)
          onChange(preset ? presetSearch(preset) : { days: undefined, ...range })
        }}
      >
        {rangePresets.map(days => (
          <option key={days} value={days}>
            Last {days} days
          </option>
        ))}
        <option value="custom">Other days</option>
      </select>
      {custom ? (
        <div className="range-days">
          <TextField
            label="From"
            name="from"
            type="date"
            value={range.from}
            {...limits}
            onChange={from => from && onChange({ from, to: range.to })}
          />
          <TextField
            label="To"
            name="to"
            type="date"
            value={range.to}
            {...limits}
            onChange={to => to && onChange({ from: range.from, to })}
          />
        </div>
      ) : (
        <span className="range-text">{formatDayRange(range.from, range.to)}</span>
      )}
    </div>
  )
}

const presetSearch = (days: RangePreset): RangeSearch => ({ days, from: undefined, to: undefined })
