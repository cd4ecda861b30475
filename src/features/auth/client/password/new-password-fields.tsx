import type { ComponentProps } from 'react'
import { PasswordField } from '#client/ui/forms/password-field.tsx'
import { passwordHelp } from './password-help.ts'

type Field = Pick<ComponentProps<typeof PasswordField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>

/** A new password, twice. */
export function NewPasswordFields({ field }: { field: (name: 'newPassword' | 'confirmPassword') => Field }) {
  return (
    <>
      <PasswordField
        label="New password"
        help={passwordHelp}
        autoComplete="new-password"
        required
        {...field('newPassword')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" required {...field('confirmPassword')} />
    </>
  )
}
