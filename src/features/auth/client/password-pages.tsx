import { useMutation } from '@tanstack/react-query'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { emailBody, resetPasswordBody } from '../contract.ts'
import { AuthForm, AuthFrame, EmailField, FormFailure, Outcome } from './auth-frame.tsx'
import { NewPasswordFields } from './change-password-form.tsx'
import { forgotPassword, resetPassword } from './mutations.ts'
import { rejectedField } from './rejected-field.ts'
import { useLinkToken } from './use-link-token.ts'

export function ForgotPasswordPage() {
  const send = useMutation(forgotPassword())
  const form = useForm({
    schema: emailBody,
    initial: { email: '' },
    onSubmit: values => send.mutateAsync(values),
    fieldOf: rejectedField(['email']),
  })
  const links = [{ to: '/login', label: 'Back to log in' }]
  if (send.isSuccess)
    return (
      <AuthFrame title="Check your inbox" links={links}>
        <Outcome>
          <p>
            If there is an account for <strong>{send.data.email}</strong>, an email with a link to choose a new password
            is on its way. The link works for 30 minutes.
          </p>
          <Button onClick={() => send.reset()}>Use another address</Button>
        </Outcome>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Forgot your password?" intro="We'll email you a link to choose a new one." links={links}>
      <AuthForm form={form} failure={send.error} submit="Send link" busyLabel="Sending…">
        <EmailField autoComplete="username" {...form.field('email')} />
      </AuthForm>
    </AuthFrame>
  )
}

const toLogin = { to: '/login', label: 'Go to log in' }
const newLink = { to: '/forgot-password', label: 'Request a new link' }

/** Sets a new password with the link of an email. It does not log in. */
export function ResetPasswordPage() {
  const token = useLinkToken('/reset-password')
  const send = useMutation(resetPassword())
  const form = useForm({
    schema: resetPasswordBody,
    initial: { token, newPassword: '', confirmPassword: '' },
    onSubmit: values => send.mutateAsync(values),
    fieldOf: rejectedField(['newPassword', 'confirmPassword']),
  })
  if (send.isSuccess)
    return (
      <AuthFrame title="Password changed" links={[toLogin]}>
        <Outcome>
          <p>Your password was changed, and all devices were logged out. Please log in with the new one.</p>
        </Outcome>
      </AuthFrame>
    )
  // The token has no field, so its error is shown for the whole form.
  const tokenError = token === '' ? 'Reset token is required' : form.errors.token
  return (
    <AuthFrame title="Choose a new password" links={[newLink, toLogin]}>
      <AuthForm form={form} failure={send.error} submit="Change password" busyLabel="Saving…" disabled={token === ''}>
        <NewPasswordFields field={form.field} />
        {tokenError && <FormFailure>{tokenError}. Please open the complete link from the email.</FormFailure>}
      </AuthForm>
    </AuthFrame>
  )
}
