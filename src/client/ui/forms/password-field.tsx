import { eyeOffOutline, eyeOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { type FieldProps, FieldFrame } from './field.tsx'

export interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
}

/** A password, which can be made readable. */
export function PasswordField({ label, error, help, value, onChange, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <span className="field-with-button">
          <input
            {...described}
            {...rest}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
          <button
            type="button"
            aria-label={shown ? `Hide ${label}` : `Show ${label}`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon icon={shown ? eyeOffOutline : eyeOutline} />
          </button>
        </span>
      )}
    </FieldFrame>
  )
}
