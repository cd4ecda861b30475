import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import type { useForm } from '#client/ui/forms/use-form.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { resendVerification } from './mutations.ts'
import './auth.css'

interface AuthFrameProps {
  title: string
  /** One sentence below the title. */
  intro?: string
  children: ReactNode
  /** Links to the other screens, below the content. */
  links?: readonly { to: string; label: string }[]
}

export function AuthFrame({ title, intro, children, links = [] }: AuthFrameProps) {
  return (
    <Page title={title}>
      <div className="auth">
        {intro && <p className="auth-intro">{intro}</p>}
        {children}
        {links.length > 0 && (
          <nav className="auth-links" aria-label="Account">
            {links.map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
          </nav>
        )}
      </div>
    </Page>
  )
}

interface AuthFormProps {
  form: Pick<ReturnType<typeof useForm>, 'props' | 'busy'>
  /** Why it was not sent. A problem of a field is shown at the field instead. */
  failure?: Error | null
  submit: string
  busyLabel: string
  disabled?: boolean
  children: ReactNode
}

export function AuthForm({ form, failure, submit, busyLabel, disabled = false, children }: AuthFormProps) {
  const online = useOnline()
  const isShownAtField = failure instanceof ApiError && failure.code === 'VALIDATION_FAILED'
  return (
    <form {...form.props}>
      {children}
      {failure && !isShownAtField && <FormFailure>{failureMessage(failure)}</FormFailure>}
      <Button type="submit" tone="primary" block busy={form.busy} busyLabel={busyLabel} disabled={!online || disabled}>
        {submit}
      </Button>
    </form>
  )
}

export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label="Email" type="email" inputMode="email" required {...props} />
}

export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <p className="auth-failure" role="alert">
      {children}
    </p>
  )
}

/** What a form has led to; read out by screen readers. */
export function Outcome({ children }: { children: ReactNode }) {
  return (
    <div className="auth-outcome" aria-live="polite">
      {children}
    </div>
  )
}

export function ResendEmail({ email }: { email: string }) {
  const resend = useMutation(resendVerification())
  const online = useOnline()
  return (
    <div aria-live="polite">
      {resend.isSuccess ? (
        <p>
          If <strong>{email}</strong> is not verified yet, a new email is on its way. Earlier links no longer work.
        </p>
      ) : (
        <Button busy={resend.isPending} busyLabel="Sending…" disabled={!online} onClick={() => resend.mutate(email)}>
          Resend email
        </Button>
      )}
    </div>
  )
}
