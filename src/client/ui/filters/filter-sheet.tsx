import { SelectField } from '../forms/fields.tsx'
import { Sheet } from '../overlays/sheet.tsx'
import { Button } from '../states/button.tsx'
import { activeFilters, type Filters } from './filters.ts'

interface FilterSheetProps {
  open: boolean
  title: string
  filters: Filters
  /** With the filters that could be in the line of the ContextBar. */
  hasAll: boolean
  onClose: () => void
}

/** Every filter of a list, its order, and the way back to none; each choice takes effect at once. */
export function FilterSheet({ open, title, filters, hasAll, onClose }: FilterSheetProps) {
  const active = activeFilters(filters, !hasAll)
  return (
    <Sheet
      open={open}
      title={active > 0 ? `${title} (${active} active)` : title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={filters.onReset} disabled={active === 0 && !filters.changed}>
            Reset
          </Button>
          <Button tone="primary" onClick={onClose}>
            Show results
          </Button>
        </>
      }
    >
      {filters.lead}
      {filters.fields
        .filter(({ isRare }) => isRare || hasAll)
        .map(({ name, label, value, options, onChange }) => (
          <SelectField
            key={name}
            label={label}
            name={name}
            value={value ?? ''}
            options={[{ value: '', label: 'All' }, ...options]}
            onChange={chosen => onChange(chosen || undefined)}
          />
        ))}
      {filters.children}
    </Sheet>
  )
}
