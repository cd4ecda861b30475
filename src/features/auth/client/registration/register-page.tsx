import { useMutation } from '@tanstack/react-query'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { PasswordField } from '#client/ui/forms/password-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type AccountType, registerBody } from '../../contract.ts'
import { AuthFrame, FormFailure } from '../auth-frame.tsx'
import { register } from '../mutations.ts'
import { passwordHelp } from '../password/new-password-fields.tsx'
import { rejectedField } from '../rejected-field.ts'
import { ResendEmail } from './resend-email.tsx'

const toLogin = [{ to: '/login', label: 'Log in instead' }]
const accountTypes: { value: AccountType; label: string }[] = [
  { value: 'SELLER', label: 'Seller' },
  { value: 'VENDOR', label: 'Vendor' },
  { value: 'AGENCY', label: 'Agency' },
]
const names = ['email', 'password', 'firstName', 'lastName', 'accountType'] as const

/** The registration form, and what to do after it was sent. */
export function RegisterPage() {
  const send = useMutation(register())
  if (send.isSuccess) return <CheckYourInbox email={send.data.email} />
  return (
    <AuthFrame title="Create an account" links={toLogin}>
      <RegisterForm send={send.mutateAsync} failure={send.error} />
    </AuthFrame>
  )
}

const empty = {
  email: '',
  password: '',
  firstName: '',
  lastName: '',
  accountType: 'SELLER' as AccountType,
}
interface RegisterFormProps {
  send: (values: typeof empty) => Promise<unknown>
  failure: Error | null
}

function RegisterForm({ send, failure }: RegisterFormProps) {
  const online = useOnline()
  const form = useForm({
    schema: registerBody,
    initial: empty,
    onSubmit: values => send(values),
    fieldOf: rejectedField(names),
  })
  const isShownAtField = failure instanceof ApiError && failure.code === 'VALIDATION_FAILED'
  return (
    <form {...form.props}>
      <TextField label="First name" autoComplete="given-name" required {...form.field('firstName')} />
      <TextField label="Last name" autoComplete="family-name" required {...form.field('lastName')} />
      <TextField label="Email" type="email" autoComplete="email" inputMode="email" required {...form.field('email')} />
      <PasswordField
        label="Password"
        help={passwordHelp}
        autoComplete="new-password"
        required
        {...form.field('password')}
      />
      <SelectField label="Account type" options={accountTypes} {...form.field('accountType')} />
      {failure && !isShownAtField && <FormFailure>{failureMessage(failure)}</FormFailure>}
      <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Creating…" disabled={!online}>
        Create account
      </Button>
    </form>
  )
}

function CheckYourInbox({ email }: { email: string }) {
  return (
    <AuthFrame title="Check your inbox" links={[{ to: '/login', label: 'Go to log in' }]}>
      <div className="auth-outcome" aria-live="polite">
        <p>
          We sent an email to <strong>{email}</strong>. Open its link to verify your address. The link works for 24
          hours.
        </p>
        <p>Nothing there? Check your spam folder, or resend the email.</p>
        <ResendEmail email={email} />
      </div>
    </AuthFrame>
  )
}
