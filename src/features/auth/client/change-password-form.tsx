import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useOnline } from '#client/api/online.ts'
import { PasswordField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { passwordHelp } from '../account-fields.ts'
import { changePasswordBody } from '../contract.ts'
import { changePassword } from './mutations.ts'
import { rejectedField } from './rejected-field.ts'

export function ChangePasswordForm({ email }: { email: string }) {
  const change = useMutation(changePassword())
  const online = useOnline()
  const form = useForm({
    schema: changePasswordBody,
    initial: { email, currentPassword: '', newPassword: '', confirmPassword: '' },
    onSubmit: async values => {
      await change.mutateAsync(values)
      toast({ title: 'Password changed', message: 'Your other devices were logged out.', tone: 'success' })
      form.reset()
    },
    fieldOf: rejectedField(['email', 'currentPassword', 'newPassword', 'confirmPassword']),
  })
  return (
    <form {...form.props}>
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        {...form.field('currentPassword')}
      />
      <NewPasswordFields field={form.field} />
      {form.errors.email && <p className="field-error">{form.errors.email}</p>}
      <Button type="submit" tone="primary" busy={form.busy} busyLabel="Saving…" disabled={!online}>
        Change password
      </Button>
    </form>
  )
}

type Field = Pick<ComponentProps<typeof PasswordField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>

export function NewPasswordFields({ field }: { field: (name: 'newPassword' | 'confirmPassword') => Field }) {
  const attributes = { autoComplete: 'new-password', required: true } as const
  return (
    <>
      <PasswordField label="New password" help={passwordHelp} {...attributes} {...field('newPassword')} />
      <PasswordField label="Confirm password" {...attributes} {...field('confirmPassword')} />
    </>
  )
}
