import { eyeOffOutline, eyeOutline } from 'ionicons/icons'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { formatFullDay, formatTime } from '../figures/format.ts'
import { Icon } from '../ionic/icon.tsx'
import '../theme/fields.css'

/** What every field takes; `useForm().field(name)` gives name, value, error and the two handlers. */
export interface FieldProps<T> {
  label: string
  name: string
  value: T
  onChange: (value: T) => void
  onBlur?: () => void
  error?: string | undefined
  help?: string
  disabled?: boolean
  required?: boolean
}

type Described = Pick<InputHTMLAttributes<unknown>, 'id' | 'aria-invalid' | 'aria-describedby'>
interface FieldFrameProps {
  label: string
  error: string | undefined
  help: string | undefined
  children: (described: Described) => ReactNode
}

/** Label above, help and error below a control, tied to it for screen readers. */
export function FieldFrame({ label, error, help, children }: FieldFrameProps) {
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

type Attributes = Pick<
  InputHTMLAttributes<unknown>,
  'autoComplete' | 'inputMode' | 'placeholder' | 'maxLength' | 'min' | 'max'
>
interface TextFieldProps extends FieldProps<string>, Attributes {
  type?: 'text' | 'email' | 'url' | 'tel' | 'date' | 'time'
  rows?: number
}

export function TextField({ label, error, help, onChange, rows, type = 'text', ...rest }: TextFieldProps) {
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described =>
        rows ? (
          <textarea {...described} {...rest} rows={rows} onChange={change} />
        ) : type === 'date' || type === 'time' ? (
          <PickedInput {...described} {...rest} type={type} onChange={onChange} />
        ) : (
          <input {...described} {...rest} type={type} onChange={change} />
        )
      }
    </FieldFrame>
  )
}

type PickedInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'value' | 'onChange'> & {
  type: 'date' | 'time'
  /** yyyy-MM-dd or HH:mm; empty: none. */
  value: string
  onChange: (value: string) => void
}

/**
 * The device's own picker of a day or a time, with what is chosen written in the user's format. The browser would write it as
 * its own language does; that is in sight only while its parts are typed on a keyboard, because they are the browser's.
 */
export function PickedInput({ type, value, onChange, ...rest }: PickedInputProps) {
  const shown = value && (type === 'date' ? formatFullDay(value) : formatTime(`1970-01-01T${value}Z`, 'UTC'))
  return (
    <span className="picked">
      <input
        {...rest}
        type={type}
        value={value}
        data-picked={value !== '' || undefined}
        onChange={event => onChange(event.target.value)}
      />
      {shown && <span aria-hidden="true">{shown}</span>}
    </span>
  )
}

interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField({ label, error, help, onChange, ...rest }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <span className="field-with-button">
          <input
            {...described}
            {...rest}
            type={isVisible ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            onChange={event => onChange(event.target.value)}
          />
          <button
            type="button"
            aria-label={isVisible ? `Hide ${label}` : `Show ${label}`}
            aria-pressed={isVisible}
            onClick={() => setVisible(!isVisible)}
          >
            <Icon icon={isVisible ? eyeOffOutline : eyeOutline} />
          </button>
        </span>
      )}
    </FieldFrame>
  )
}

export interface Option<T extends string> {
  value: T
  label: string
  disabled?: boolean
}
interface SelectFieldProps<T extends string> extends FieldProps<T> {
  options: readonly Option<T>[]
  placeholder?: string
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, error, help, onChange, options, placeholder, ...rest } = props
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <select
          {...described}
          {...rest}
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
