import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { afterLogIn } from '#client/api/session/after-log-in.ts'
import { useStoredCount } from '#client/outbox/outbox.ts'
import { PasswordField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { loginBody } from '../contract.ts'
import { AuthForm, AuthFrame, EmailField, FormFailure, ResendEmail } from './auth-frame.tsx'
import { logIn } from './mutations.ts'
import { rejectedField } from './rejected-field.ts'

const links = [
  { to: '/forgot-password', label: 'Forgot your password?' },
  { to: '/register', label: 'Create an account' },
]

export function LoginPage() {
  const login = useMutation(logIn())
  const navigate = useNavigate()
  const form = useForm({
    schema: loginBody,
    initial: { email: '', password: '' },
    onSubmit: async values => {
      const { erasedAt, isFirst } = await login.mutateAsync(values)
      const start = afterLogIn()
      // What somebody shared with the app comes before its questions.
      const next = isFirst && start === '/home' ? '/onboarding-survey' : start
      await navigate({ to: erasedAt ? '/keep-account' : next, replace: true })
    },
    fieldOf: rejectedField(['email', 'password']),
  })
  const unverified = login.error instanceof ApiError && login.error.code === 'EMAIL_NOT_VERIFIED'
  return (
    <AuthFrame title="Log in" links={links}>
      <UnsentChanges />
      <AuthForm form={form} submit="Log in" busyLabel="Logging in…">
        <EmailField autoComplete="username" {...form.field('email')} />
        <PasswordField label="Password" autoComplete="current-password" required {...form.field('password')} />
        {login.error && <FormFailure>{failureMessage(login.error)}</FormFailure>}
        {unverified && login.variables && (
          <div className="auth-outcome">
            <ResendEmail email={login.variables.email} />
          </div>
        )}
      </AuthForm>
    </AuthFrame>
  )
}

/** The number of unsent changes of users who are logged out. It says neither what nor whose, because anybody can read it. */
function UnsentChanges() {
  const count = useStoredCount()
  if (count === 0) return null
  return (
    <output className="auth-waiting">
      {count === 1
        ? '1 change made offline is saved on this device. It is sent when the user who made it logs in again.'
        : `${count} changes made offline are saved on this device. They are sent when the user who made them logs in again.`}
    </output>
  )
}
