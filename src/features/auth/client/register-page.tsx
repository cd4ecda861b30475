import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import { PasswordField, SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { type AccountType, passwordHelp } from '../account-fields.ts'
import { registerBody } from '../contract.ts'
import { AuthForm, AuthFrame, EmailField, Outcome, ResendEmail } from './auth-frame.tsx'
import { register } from './mutations.ts'
import { rejectedField } from './rejected-field.ts'
import { affiliateSearch } from './use-link-token.ts'

const accountTypes: { value: AccountType; label: string }[] = [
  { value: 'SELLER', label: 'Seller' },
  { value: 'VENDOR', label: 'Vendor' },
  { value: 'AGENCY', label: 'Agency' },
]
const empty = { email: '', password: '', firstName: '', lastName: '', accountType: 'SELLER' as AccountType }

export function RegisterPage() {
  const send = useMutation(register())
  const { affiliate = '' } = v.parse(affiliateSearch, useSearch({ strict: false }))
  const form = useForm({
    schema: registerBody,
    initial: { ...empty, affiliateCode: affiliate },
    onSubmit: values => send.mutateAsync(values),
    fieldOf: rejectedField(['email', 'password', 'firstName', 'lastName', 'accountType', 'affiliateCode']),
  })
  if (send.isSuccess) return <CheckYourInbox email={send.data.email} />
  return (
    <AuthFrame title="Create an account" links={[{ to: '/login', label: 'Log in instead' }]}>
      <AuthForm form={form} failure={send.error} submit="Create account" busyLabel="Creating…">
        <TextField label="First name" autoComplete="given-name" required {...form.field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" required {...form.field('lastName')} />
        <EmailField autoComplete="email" {...form.field('email')} />
        <PasswordField
          label="Password"
          help={passwordHelp}
          autoComplete="new-password"
          required
          {...form.field('password')}
        />
        <SelectField label="Account type" options={accountTypes} {...form.field('accountType')} />
        <TextField label="Affiliate code (optional)" autoComplete="off" {...form.field('affiliateCode')} />
      </AuthForm>
    </AuthFrame>
  )
}

function CheckYourInbox({ email }: { email: string }) {
  return (
    <AuthFrame title="Check your inbox" links={[{ to: '/login', label: 'Go to log in' }]}>
      <Outcome>
        <p>
          We sent an email to <strong>{email}</strong>. Open its link to verify your address. The link works for 24
          hours.
        </p>
        <p>Nothing there? Check your spam folder, or resend the email.</p>
        <ResendEmail email={email} />
      </Outcome>
    </AuthFrame>
  )
}
