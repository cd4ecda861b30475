import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { emailBody } from '../../contract.ts'
import { AuthFrame, FormFailure } from '../auth-frame.tsx'
import { forgotPassword } from '../mutations.ts'
import { rejectedField } from '../rejected-field.ts'

const toLogin = [{ to: '/login', label: 'Back to log in' }]

/** Requests an email with a link to choose a new password. */
export function ForgotPasswordPage() {
  const send = useMutation(forgotPassword())
  const online = useOnline()
  const form = useForm({
    schema: emailBody,
    initial: { email: '' },
    onSubmit: values => send.mutateAsync(values),
    fieldOf: rejectedField(['email']),
  })
  if (send.isSuccess)
    return (
      <AuthFrame title="Check your inbox" links={toLogin}>
        <div className="auth-outcome" aria-live="polite">
          <p>
            If there is an account for <strong>{send.data.email}</strong>, an email with a link to choose a new password
            is on its way. The link works for 30 minutes.
          </p>
          <Button onClick={() => send.reset()}>Use another address</Button>
        </div>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Forgot your password?" intro="We'll email you a link to choose a new one." links={toLogin}>
      <form {...form.props}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          {...form.field('email')}
        />
        {send.error && <FormFailure>{failureMessage(send.error)}</FormFailure>}
        <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Sending…" disabled={!online}>
          Send link
        </Button>
      </form>
    </AuthFrame>
  )
}
