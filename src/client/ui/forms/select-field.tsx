import { type FieldProps, FieldFrame } from './field.tsx'

export interface Option<T extends string> {
  value: T
  label: string
  disabled?: boolean
}
export interface SelectFieldProps<T extends string> extends FieldProps<T> {
  options: readonly Option<T>[]
  /** Text of the empty choice; without it there is none. */
  placeholder?: string
}

/** One of a few: the platform's own picker. */
export function SelectField<T extends string>({
  label,
  error,
  help,
  value,
  onChange,
  options,
  placeholder,
  ...rest
}: SelectFieldProps<T>) {
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <select
          {...described}
          {...rest}
          value={value}
          onChange={event => {
            const chosen = options.find(option => option.value === event.target.value)
            if (chosen) onChange(chosen.value)
          }}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
