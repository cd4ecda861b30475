import { eyeOffOutline, eyeOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { type FieldProps, FieldFrame } from './field.tsx'

export interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
}

/** A password, which can be made readable. */
export function PasswordField({ label, error, help, value, onChange, ...rest }: PasswordFieldProps) {
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
            value={value}
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
