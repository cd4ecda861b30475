import type { HTMLAttributes } from 'react'
import { type FieldProps, FieldFrame } from './field.tsx'

export interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'email' | 'url' | 'tel' | 'date'
  autoComplete?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  placeholder?: string
  maxLength?: number
  min?: string
  max?: string
  /** Several lines. */
  rows?: number
}

/** A line of text, or several. */
export function TextField({ label, error, help, value, onChange, rows, type = 'text', ...rest }: TextFieldProps) {
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described =>
        rows ? (
          <textarea
            {...described}
            {...rest}
            rows={rows}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
        ) : (
          <input {...described} {...rest} type={type} value={value} onChange={event => onChange(event.target.value)} />
        )
      }
    </FieldFrame>
  )
}
