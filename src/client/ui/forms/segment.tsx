import { useId } from 'react'
import type { Option } from './fields.tsx'
import '../theme/fields.css'

interface SegmentProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly Option<T>[]
}

export function Segment<T extends string>({ label, value, onChange, options }: SegmentProps<T>) {
  const name = useId()
  return (
    <fieldset className="segment">
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
