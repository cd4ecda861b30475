import { useState } from 'react'
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

/**
 * The first and the last of the days shown, each chosen freely and applied together: two fields filled in quickly must not
 * overwrite each other by way of the address. Closing the sheet otherwise changes nothing.
 */
export function RangeSheet({ open, range, limits, onChange, onClose }: RangeSheetProps) {
  const [chosen, setChosen] = useState<Partial<DateRange>>({})
  const { from, to } = { ...range, ...chosen }
  const close = () => {
    setChosen({})
    onClose()
  }
  const apply = () => {
    onChange({ from, to })
    close()
  }
  return (
    <Sheet
      open={open}
      title="Days shown"
      onClose={close}
      short
      footer={
        <Button tone="primary" onClick={apply}>
          Show these days
        </Button>
      }
    >
      <TextField
        label="From"
        name="from"
        type="date"
        value={from}
        {...limits}
        onChange={day => day && setChosen(previous => ({ ...previous, from: day }))}
      />
      <TextField
        label="To"
        name="to"
        type="date"
        value={to}
        {...limits}
        onChange={day => day && setChosen(previous => ({ ...previous, to: day }))}
      />
    </Sheet>
  )
}
