import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { PasswordField } from '#client/ui/forms/password-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { loginBody } from '../../contract.ts'
import { AuthFrame, FormFailure } from '../auth-frame.tsx'
import { logIn } from '../mutations.ts'
import { refusedField } from '../refused-field.ts'
import { SendAgain } from '../registration/send-again.tsx'
import { WaitingOnDevice } from './waiting-on-device.tsx'

const links = [
  { to: '/forgot-password', label: 'Forgot your password?' },
  { to: '/register', label: 'Create an account' },
]

/** The log-in. */
export function LoginPage() {
  const enter = useMutation(logIn())
  const navigate = useNavigate()
  const online = useOnline()
  const form = useForm({
    schema: loginBody,
    initial: { email: '', password: '' },
    onSubmit: async values => {
      await enter.mutateAsync(values)
      const to: string = '/home'
      await navigate({ to, replace: true })
    },
    fieldOf: refusedField(['email', 'password']),
  })
  const unverified = enter.error instanceof ApiError && enter.error.code === 'EMAIL_NOT_VERIFIED'
  return (
    <AuthFrame title="Log in" links={links}>
      <WaitingOnDevice />
      <form {...form.props}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          {...form.field('email')}
        />
        <PasswordField label="Password" autoComplete="current-password" required {...form.field('password')} />
        {enter.error && <FormFailure>{failureMessage(enter.error)}</FormFailure>}
        {unverified && enter.variables && (
          <div className="auth-outcome">
            <SendAgain email={enter.variables.email} />
          </div>
        )}
        <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Logging in…" disabled={!online}>
          Log in
        </Button>
      </form>
    </AuthFrame>
  )
}
