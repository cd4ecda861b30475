import type { DateRange, RangeSearch } from './date-range.ts'
import { TextField } from './text-field.tsx'

interface RangeDaysProps {
  range: DateRange
  /** First and last day that can be chosen. */
  limits: { min?: string; max: string }
  onChange: (search: RangeSearch) => void
}

/** The first and the last of the days shown, each chosen freely. */
export const RangeDays = ({ range, limits, onChange }: RangeDaysProps) => (
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
)
