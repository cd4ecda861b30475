import { type ReactNode, useId } from 'react'
import '../theme/fields.css'

/** What every field takes; `useForm().field(name)` gives name, value, error and the two handlers. */
export interface FieldProps<T> {
  label: string
  name: string
  value: T
  onChange: (value: T) => void
  onBlur?: () => void
  error?: string | undefined
  /** One sentence below the field. */
  help?: string
  disabled?: boolean
  required?: boolean
}

interface Described {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}
interface FrameProps {
  label: string
  error?: string | undefined
  help?: string | undefined
  children: (described: Described) => ReactNode
}

/** Label above, help and error below a control, tied to it for screen readers. */
export function FieldFrame({ label, error, help, children }: FrameProps) {
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
    </div>
  )
}
