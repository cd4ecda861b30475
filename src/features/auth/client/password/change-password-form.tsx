import { useMutation } from '@tanstack/react-query'
import { useOnline } from '#client/api/online.ts'
import { PasswordField } from '#client/ui/forms/password-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { changePasswordBody } from '../../contract.ts'
import { changePassword } from '../mutations.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { rejectedField } from '../rejected-field.ts'

/** Changes the password of the logged-in user. */
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
