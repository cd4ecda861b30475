import { optionsOutline, swapVerticalOutline } from 'ionicons/icons'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatDayRange } from '../figures/format.ts'
import { type RangeSearch, rangePresets, resolveRange } from '../forms/date-range.ts'
import { Icon } from '../ionic/icon.tsx'
import { useMedia, useWide } from '../shell/use-wide.ts'
import { activeFilters, type FilterField, type Filters } from './filters.ts'
import './context-bar.css'

// The sheets, their fields and what is in them come when the finger is down.
const loadFilterSheet = () => import('./filter-sheet.tsx')
const FilterSheet = lazy(() => loadFilterSheet().then(m => ({ default: m.FilterSheet })))
const RangeSheet = lazy(() => import('./range-sheet.tsx').then(m => ({ default: m.RangeSheet })))

interface DateRangePickerProps {
  search: RangeSearch
  /** The day in the profile's time zone. */
  today: string
  onChange: (search: RangeSearch) => void
}

interface ContextBarProps {
  /** Whose figures these are: the account switcher of the accounts feature. */
  account?: ReactNode
  /** Which days are shown; leave it out where nothing depends on days. */
  days?: DateRangePickerProps
  /** What the list is narrowed to; on a phone all of it is in a sheet. */
  filters?: Filters
  search?: ReactNode
}

/** What a screen of figures is about, in one line and always in this order: account, days, filters, search. */
export function ContextBar({ account, days, filters, search }: ContextBarProps) {
  const wide = useWide()
  const isBroad = useMedia('(min-width: 1400px)')
  // Next to a search there is room for those that are set; the rest is in the sheet, so that nothing is cut.
  const isShort = !wide || (Boolean(search) && !isBroad)
  return (
    <div className="context-bar">
      {account}
      {days && <DateRangePicker {...days} />}
      {wide &&
        filters?.fields
          .filter(({ isRare, value }) => !isRare && (!isShort || value !== undefined))
          .map(field => <FilterSelect key={field.name} field={field} />)}
      {filters && <FilterButton filters={filters} hasAll={isShort} />}
      {search}
    </div>
  )
}

function FilterSelect({ field: { label, value, options, onChange } }: { field: FilterField }) {
  return (
    <select
      className={value === undefined ? 'chip chip-drop' : 'chip chip-drop chip-active'}
      aria-label={label}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
    >
      <option value="">{label}: all</option>
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** `hasAll`: its sheet has the filters that could be in the line, too. */
function FilterButton({ filters, hasAll }: { filters: Filters; hasAll: boolean }) {
  const [open, setOpen] = useState<boolean>()
  const wide = useWide()
  // What is set is in the line as well from 768 px.
  const active = activeFilters(filters, wide)
  const { title = 'Filters' } = filters
  // Where the filters themselves are in the line, the button leads to the rest.
  if (!hasAll && !filters.children && !filters.fields.some(({ isRare }) => isRare)) return null
  return (
    <>
      <button
        type="button"
        className={active > 0 ? 'chip chip-active' : 'chip'}
        aria-label={active > 0 ? `${title}: ${active} active` : title}
        onPointerDown={() => void loadFilterSheet()}
        onClick={() => setOpen(true)}
      >
        <Icon icon={filters.title === 'Sort' ? swapVerticalOutline : optionsOutline} />
        {active > 0 && active}
      </button>
      {open !== undefined && (
        <Suspense>
          <FilterSheet open={open} title={title} filters={filters} hasAll={hasAll} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Which days are shown: the last 7 to 90, or any, which are chosen in a sheet. */
function DateRangePicker({ search, today, onChange }: DateRangePickerProps) {
  const [choosing, setChoosing] = useState<boolean>()
  const wide = useWide()
  const isRoomy = useMedia('(min-width: 1280px)')
  const range = resolveRange(search, today)
  const custom = Boolean(search.from && search.to)
  return (
    <>
      <select
        className="chip chip-drop"
        aria-label="Days shown"
        value={custom ? 'custom' : String(search.days ?? 30)}
        onChange={event => {
          const preset = rangePresets.find(days => String(days) === event.target.value)
          if (preset) return onChange({ days: preset, from: undefined, to: undefined })
          setChoosing(true)
          onChange({ days: undefined, ...range })
        }}
      >
        {rangePresets.map(days => (
          <option key={days} value={days}>
            {isRoomy ? `Last ${days} days` : `${days} days`}
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
            max={today}
            onChange={onChange}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  )
}
