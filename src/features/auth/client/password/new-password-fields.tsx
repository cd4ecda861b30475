import type { ComponentProps } from 'react'
import { PasswordField } from '#client/ui/forms/password-field.tsx'

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

/** What a new password must be, before anything is wrong with it. */
export const passwordHelp =
  '8 to 100 characters with a digit, a lowercase and an uppercase letter, and one of !@#$%^&+='
