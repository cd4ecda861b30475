import { lazy, Suspense } from 'react'
import { formatDayRange } from '../figures/format-time.ts'
import { type RangePreset, type RangeSearch, rangePresets, resolveRange } from './date-range.ts'
import '../theme/fields.css'

const RangeDays = lazy(() => import('./range-days.tsx').then(m => ({ default: m.RangeDays })))

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
        <Suspense>
          <RangeDays range={range} limits={limits} onChange={onChange} />
        </Suspense>
      ) : (
        <span className="range-text">{formatDayRange(range.from, range.to)}</span>
      )}
    </div>
  )
}

const presetSearch = (days: RangePreset): RangeSearch => ({ days, from: undefined, to: undefined })
