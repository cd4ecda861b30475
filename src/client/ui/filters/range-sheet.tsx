import type { DateRange, RangeSearch } from '../forms/date-range.ts'
import { TextField } from '../forms/text-field.tsx'
import { Sheet } from '../overlays/sheet.tsx'
import { Button } from '../states/button.tsx'

interface RangeSheetProps {
  open: boolean
  range: DateRange
  /** First and last day that can be chosen. */
  limits: { min?: string; max: string }
  onChange: (search: RangeSearch) => void
  onClose: () => void
}

/** The first and the last of the days shown, each chosen freely. */
export const RangeSheet = ({ open, range, limits, onChange, onClose }: RangeSheetProps) => (
  <Sheet
    open={open}
    title="Days shown"
    onClose={onClose}
    short
    footer={
      <Button tone="primary" onClick={onClose}>
        Show these days
      </Button>
    }
  >
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
  </Sheet>
)
