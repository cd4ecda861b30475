import { useMutation } from '@tanstack/react-query'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { resetPasswordBody } from '../../contract.ts'
import { AuthFrame, FormFailure } from '../auth-frame.tsx'
import { resetPassword } from '../mutations.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { rejectedField } from '../rejected-field.ts'
import { useLinkToken } from '../use-link-token.ts'

const toLogin = { to: '/login', label: 'Go to log in' }
const newLink = { to: '/forgot-password', label: 'Request a new link' }

/** Sets a new password with the link of an email. It does not log in. */
export function ResetPasswordPage() {
  const token = useLinkToken('/reset-password')
  const send = useMutation(resetPassword())
  if (send.isSuccess)
    return (
      <AuthFrame title="Password changed" links={[toLogin]}>
        <div className="auth-outcome" aria-live="polite">
          <p>Your password was changed, and all devices were logged out. Please log in with the new one.</p>
        </div>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Choose a new password" links={[newLink, toLogin]}>
      <ResetForm token={token} send={send.mutateAsync} failure={send.error} />
    </AuthFrame>
  )
}

interface ResetFormProps {
  token: string
  send: (values: { token: string; newPassword: string; confirmPassword: string }) => Promise<unknown>
  failure: Error | null
}

function ResetForm({ token, send, failure }: ResetFormProps) {
  const online = useOnline()
  const form = useForm({
    schema: resetPasswordBody,
    initial: { token, newPassword: '', confirmPassword: '' },
    onSubmit: send,
    fieldOf: rejectedField(['newPassword', 'confirmPassword']),
  })
  const isShownAtField = failure instanceof ApiError && failure.code === 'VALIDATION_FAILED'
  // The token has no field, so its error is shown for the whole form.
  const tokenError = token === '' ? 'Reset token is required' : form.errors.token
  return (
    <form {...form.props}>
      <NewPasswordFields field={form.field} />
      {tokenError && <FormFailure>{tokenError}. Please open the complete link from the email.</FormFailure>}
      {failure && !isShownAtField && <FormFailure>{failureMessage(failure)}</FormFailure>}
      <Button
        type="submit"
        tone="primary"
        block
        busy={form.busy}
        busyLabel="Saving…"
        disabled={!online || token === ''}
      >
        Change password
      </Button>
    </form>
  )
}
