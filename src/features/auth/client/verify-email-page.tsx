import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { authEndpoints, emailBody } from '../contract.ts'
import { AuthForm, AuthFrame, EmailField, FormFailure, Outcome } from './auth-frame.tsx'
import { resendVerification } from './mutations.ts'
import { useLinkToken } from './use-link-token.ts'

const toLogin = [{ to: '/login', label: 'Go to log in' }]

export function VerifyEmailPage() {
  const token = useLinkToken('/verify-email')
  const verified = useQuery({ ...verifyEmailQuery(token), enabled: token !== '' })
  if (verified.data)
    return (
      <AuthFrame title="Email address verified" links={toLogin}>
        <Outcome>
          <p>
            <strong>{verified.data.email}</strong> is verified. You can log in now.
          </p>
        </Outcome>
      </AuthFrame>
    )
  if (token !== '' && verified.isPending)
    return (
      <AuthFrame title="Verifying your email address">
        <ProgressBar label="Verifying your email address" />
      </AuthFrame>
    )
  const canRequestLink = token === '' || verified.error instanceof ApiError
  return (
    <AuthFrame title="Email address not verified" links={toLogin}>
      <FormFailure>
        {token === ''
          ? 'This link is incomplete. Please open the complete link from the email.'
          : failureMessage(verified.error)}
      </FormFailure>
      {canRequestLink ? (
        <RequestLink />
      ) : (
        <Button tone="primary" busy={verified.isFetching} onClick={() => void verified.refetch()}>
          Try again
        </Button>
      )}
    </AuthFrame>
  )
}

function RequestLink() {
  const resend = useMutation(resendVerification())
  const form = useForm({
    schema: emailBody,
    initial: { email: '' },
    onSubmit: ({ email }) => resend.mutateAsync(email),
  })
  if (resend.isSuccess)
    return (
      <Outcome>
        <p>
          If <strong>{resend.data.email}</strong> is not verified yet, a new email is on its way.
        </p>
      </Outcome>
    )
  return (
    <AuthForm form={form} submit="Send a new link" busyLabel="Sending…">
      <p className="auth-intro">If it was verified before, just log in. Otherwise, request a new link:</p>
      <EmailField autoComplete="email" {...form.field('email')} />
    </AuthForm>
  )
}

/** Verifies an address. A query by token runs once however often it renders: the token is valid only once. */
function verifyEmailQuery(token: string) {
  return queryOptions({
    queryKey: ['verify-email', token],
    // Never aborted, because the server may have used the token already.
    queryFn: () => call(authEndpoints.verifyEmail, { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    meta: { silent: true },
  })
}
