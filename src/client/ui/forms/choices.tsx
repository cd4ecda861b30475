import { type ReactNode, useId } from 'react'
import type { FieldProps, Option } from './fields.tsx'
import '../theme/fields.css'

interface ToggleProps extends Pick<FieldProps<boolean>, 'label' | 'help' | 'onChange' | 'disabled'> {
  checked: boolean
  name?: string
}

export function CheckField({ label, help, checked, onChange, ...rest }: ToggleProps) {
  return (
    <label className="check">
      <input type="checkbox" {...rest} checked={checked} onChange={event => onChange(event.target.checked)} />
      <span>
        {label}
        {help && <small>{help}</small>}
      </span>
    </label>
  )
}

interface ChoiceCardsProps<T extends string> {
  legend: string
  value: T | null
  onChange: (value: T) => void
  options: readonly (Option<T> & { hint?: ReactNode })[]
  error?: string | undefined
  name?: string
}

/** One of a few that need a sentence each: a card for every choice. */
export function ChoiceCards<T extends string>({ legend, value, onChange, options, error, name }: ChoiceCardsProps<T>) {
  const id = useId()
  return (
    <fieldset
      className="choices"
      data-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend>{legend}</legend>
      {options.map(option => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            name={name ?? id}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            {option.hint && <small>{option.hint}</small>}
          </span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
