import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { getSession } from '#client/api/session/session.ts'
import { formatMoment } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { userEndpoints } from '../user-contract.ts'
import { AuthFrame, FormFailure, Outcome } from './auth-frame.tsx'
import { KeepAccountButton } from './erasure-card.tsx'
import { userQueries } from './queries.ts'
import { useLinkToken } from './use-link-token.ts'

/** Where the mail about an erasure leads, and a log-in while the account waits for it. */
export function KeepAccountPage() {
  const token = useLinkToken('/keep-account')
  return token === '' ? <KeepOwn /> : <KeepByLink token={token} />
}

function KeepByLink({ token }: { token: string }) {
  const online = useOnline()
  const keep = useMutation({
    mutationFn: () => call(userEndpoints.keepByToken, { body: { token } }),
    meta: { silent: true },
  })
  if (keep.data)
    return (
      <AuthFrame title="Your account stays" links={[{ to: '/login', label: 'Go to log in' }]}>
        <Outcome>
          <p>
            Nothing of <strong>{keep.data.email}</strong> is erased. If it was not you who asked for it, log in and
            change your password.
          </p>
        </Outcome>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Keep your account?" intro="Your account and all its data are about to be erased.">
      {keep.error && <FormFailure>{failureMessage(keep.error)}</FormFailure>}
      <Button
        tone="primary"
        block
        busy={keep.isPending}
        busyLabel="Saving…"
        disabled={!online}
        onClick={() => keep.mutate()}
      >
        Keep my account
      </Button>
    </AuthFrame>
  )
}

function KeepOwn() {
  const navigate = useNavigate()
  const isLoggedIn = getSession() !== undefined
  const { data: user } = useQuery({ ...userQueries.user(), enabled: isLoggedIn })
  const home: string = '/home'
  if (!isLoggedIn)
    return (
      <AuthFrame title="Keep your account" links={[{ to: '/login', label: 'Go to log in' }]}>
        <p className="auth-intro">Open the link in the email, or log in.</p>
      </AuthFrame>
    )
  if (user && !user.erasedAt)
    return (
      <AuthFrame title="Your account stays" links={[{ to: home, label: 'Go to Home' }]}>
        <Outcome>
          <p>Nothing is erased.</p>
        </Outcome>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Your account will be erased"
      {...(user?.erasedAt && { intro: `On ${formatMoment(user.erasedAt)}, with all its data.` })}
    >
      <KeepAccountButton />
      <Button onClick={() => void navigate({ to: home })}>Continue without deciding</Button>
    </AuthFrame>
  )
}
