import { lazy, Suspense, useState } from 'react'
import { formatDayRange } from '../figures/format.ts'
import { type RangePreset, type RangeSearch, rangePresets, resolveRange } from '../forms/date-range.ts'
import { useWide } from '../shell/use-wide.ts'

const loadSheet = () => import('./range-sheet.tsx')
const RangeSheet = lazy(() => loadSheet().then(m => ({ default: m.RangeSheet })))

export interface DateRangePickerProps {
  search: RangeSearch
  /** The day in the profile's time zone. */
  today: string
  /** Oldest day that can be chosen. */
  earliest?: string
  onChange: (search: RangeSearch) => void
}

/** Which days are shown: the last 7 to 90, or any, which are chosen in a sheet. */
export function DateRangePicker({ search, today, earliest, onChange }: DateRangePickerProps) {
  const [choosing, setChoosing] = useState<boolean>()
  const wide = useWide()
  const range = resolveRange(search, today)
  const custom = Boolean(search.from && search.to)
  const limits = { max: today, ...(earliest && { min: earliest }) }
  return (
    <>
      <select
        className="chip chip-drop"
        aria-label="Days shown"
        value={custom ? 'custom' : String(search.days ?? 30)}
        onChange={event => {
          const preset = rangePresets.find(days => String(days) === event.target.value)
          if (preset) return onChange(presetSearch(preset))
          setChoosing(true)
          onChange({ days: undefined, ...range })
        }}
      >
        {rangePresets.map(days => (
          <option key={days} value={days}>
            {wide ? `Last ${days} days` : `${days} days`}
          </option>
        ))}
        {custom && <option value="custom">{formatDayRange(range.from, range.to)}</option>}
        <option value="other">Other days…</option>
      </select>
      {wide && !custom && <span className="range-text">{formatDayRange(range.from, range.to)}</span>}
      {choosing !== undefined && (
        <Suspense>
          <RangeSheet
            open={choosing}
            range={range}
            limits={limits}
            onChange={onChange}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

const presetSearch = (days: RangePreset): RangeSearch => ({ days, from: undefined, to: undefined })
