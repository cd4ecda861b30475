import { useState } from 'react'
import type { DateRange, RangeSearch } from '../forms/date-range.ts'
import { TextField } from '../forms/fields.tsx'
import { Sheet } from '../overlays/sheet.tsx'
import { Button } from '../states/button.tsx'

interface RangeSheetProps {
  open: boolean
  range: DateRange
  max: string
  onChange: (search: RangeSearch) => void
  onClose: () => void
}

/**
 * The first and the last of the days shown, each chosen freely and applied together: two fields filled in quickly must not
 * overwrite each other by way of the address. Closing the sheet otherwise changes nothing.
 */
export function RangeSheet({ open, range, max, onChange, onClose }: RangeSheetProps) {
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
      {(['from', 'to'] as const).map(name => (
        <TextField
          key={name}
          label={name === 'from' ? 'From' : 'To'}
          name={name}
          type="date"
          value={name === 'from' ? from : to}
          max={max}
          onChange={day => day && setChosen(previous => ({ ...previous, [name]: day }))}
        />
      ))}
    </Sheet>
  )
}
