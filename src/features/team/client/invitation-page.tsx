import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { deviceRegion } from '#client/api/region.ts'
import { getSession } from '#client/api/session/session.ts'
import { formatMomentDay } from '#client/ui/figures/format.ts'
import { PasswordField, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { passwordHelp } from '#features/auth/contract.ts'
import { AuthForm, AuthFrame, LogOutButton, logInWith } from '#features/auth/client/public.ts'
import { listText } from '#shared/region-format.ts'
import { invitationEndpoints, type OpenedInvitation, registerInvitedBody } from '../contract.ts'
import { pendingInvitation } from './pending-invitation.ts'
import { teamQueries } from './queries.ts'

const toLogin = [{ to: '/login', label: 'Go to log in' }]
const toHome = [{ to: '/home', label: 'Go to Home' }]

/** The page of an invitation's link: who invites, to what, and the ways to answer. */
export function InvitationPage() {
  const token = useInvitationToken()
  const opened = useQuery({ ...teamQueries.invitation(token), enabled: token !== '' })
  const [declined, setDeclined] = useState(false)
  const isOver = opened.error instanceof ApiError
  useEffect(() => {
    // Else each log-in would lead back to it.
    if (isOver) pendingInvitation.clear()
  }, [isOver])
  const links = getSession() ? toHome : toLogin
  return (
    <Suspense fallback={<ProgressBar label="Loading the invitation" />}>
      {declined ? (
        <AuthFrame title="Invitation declined" links={links}>
          <p aria-live="polite">You declined the invitation. Nothing else happens.</p>
        </AuthFrame>
      ) : opened.data ? (
        <AuthFrame title="Invitation" links={links}>
          <Answer token={token} invitation={opened.data} onDeclined={() => setDeclined(true)} />
        </AuthFrame>
      ) : token !== '' && opened.isPending ? (
        <AuthFrame title="Invitation">
          <ProgressBar label="Loading the invitation" />
        </AuthFrame>
      ) : (
        <AuthFrame title="Invitation not found" links={links}>
          <p className="auth-failure" role="alert">
            {token === ''
              ? 'This link is incomplete. Please open the complete link from the email.'
              : failureMessage(opened.error)}
          </p>
          {token !== '' && !isOver && (
            <Button tone="primary" busy={opened.isFetching} onClick={() => void opened.refetch()}>
              Try again
            </Button>
          )}
        </AuthFrame>
      )}
    </Suspense>
  )
}

/** The token in the address, which is then removed from it, or the one that waits for the log-in. */
function useInvitationToken(): string {
  const { token: inAddress = '' } = useSearch({ strict: false }) as { token?: string }
  const [token] = useState(() => inAddress || (pendingInvitation.read() ?? ''))
  const navigate = useNavigate()
  useEffect(() => {
    if (inAddress !== '') void navigate({ to: '/invitation', search: {}, replace: true, viewTransition: false })
  }, [inAddress, navigate])
  useEffect(() => {
    // A page that is loaded again finds it here.
    if (token !== '') pendingInvitation.save(token)
  }, [token])
  return token
}

interface AnswerProps {
  token: string
  invitation: OpenedInvitation
  onDeclined: () => void
}

function Answer({ token, invitation, onDeclined }: AnswerProps) {
  const { email, invitedBy, merchants, expiresAt } = invitation
  return (
    <>
      <p className="auth-intro">
        {invitedBy} invited <strong>{email}</strong> to view the advertising of {namesOf(merchants)}. You will see the
        figures and change nothing. The invitation expires on {formatMomentDay(expiresAt)}.
      </p>
      {getSession() ? <Accept token={token} merchants={merchants} /> : <Register token={token} email={email} />}
      <Decline token={token} onDeclined={onDeclined} />
    </>
  )
}

const namedAtMost = 5
function namesOf(names: readonly string[]): string {
  const more = names.length - namedAtMost
  return listText(more > 0 ? [...names.slice(0, namedAtMost), `${more} more`] : names)
}

function Accept({ token, merchants }: { token: string; merchants: readonly string[] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const accepting = useMutation({
    mutationFn: () => call(invitationEndpoints.accept, { body: { token } }),
    onSuccess: async () => {
      pendingInvitation.clear()
      await client.invalidateQueries()
      toast({ title: 'Invitation accepted', message: `You can view ${namesOf(merchants)} now.`, tone: 'success' })
      await navigate({ to: '/home', replace: true })
    },
    meta: { silent: true },
  })
  const isForOther = accepting.error instanceof ApiError && accepting.error.code === 'RULE_VIOLATED'
  return (
    <>
      {accepting.error && (
        <p className="auth-failure" role="alert">
          {failureMessage(accepting.error)}
        </p>
      )}
      {isForOther ? (
        <LogOutButton />
      ) : (
        <Button
          tone="primary"
          block
          busy={accepting.isPending}
          busyLabel="Accepting…"
          onClick={() => accepting.mutate()}
        >
          Accept invitation
        </Button>
      )}
    </>
  )
}

const fieldMessages = v.fallback(v.record(v.string(), v.string()), {})

function Register({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const send = useMutation({
    mutationFn: async (body: v.InferOutput<typeof registerInvitedBody>) => {
      await call(invitationEndpoints.register, { body })
      pendingInvitation.clear()
      await logInWith({ email, password: body.password })
    },
    meta: { silent: true },
  })
  const { locale, timeZone: timezone } = deviceRegion()
  const form = useForm({
    schema: registerInvitedBody,
    initial: { token, firstName: '', lastName: '', password: '', locale, timezone },
    onSubmit: async values => {
      await send.mutateAsync(values)
      await navigate({ to: '/home', replace: true })
    },
    fieldOf: (detail, { extra }) => {
      const messages = v.parse(fieldMessages, extra['fields'])
      return (['firstName', 'lastName', 'password'] as const).find(name => messages[name] === detail)
    },
  })
  return (
    <>
      <AuthForm form={form} failure={send.error} submit="Create account and accept" busyLabel="Creating…">
        <TextField label="First name" autoComplete="given-name" required {...form.field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" required {...form.field('lastName')} />
        <PasswordField
          label="Password"
          help={passwordHelp}
          autoComplete="new-password"
          required
          {...form.field('password')}
        />
      </AuthForm>
      <p className="auth-intro">Do you have an account with this address already?</p>
      <Button
        block
        onClick={() => {
          pendingInvitation.save(token)
          void navigate({ to: '/login' })
        }}
      >
        Log in to accept
      </Button>
    </>
  )
}

function Decline({ token, onDeclined }: Pick<AnswerProps, 'token' | 'onDeclined'>) {
  const declining = useMutation({
    mutationFn: () => call(invitationEndpoints.decline, { body: { token } }),
    onSuccess: () => {
      pendingInvitation.clear()
      onDeclined()
    },
    meta: { errorTitle: 'The invitation was not declined' },
  })
  const ask = async () => {
    const isSure = await confirm({
      title: 'Decline the invitation?',
      message: 'The link no longer works then. You can be invited again.',
      confirmText: 'Decline',
      tone: 'danger',
    })
    if (isSure) declining.mutate()
  }
  return (
    <Button block busy={declining.isPending} busyLabel="Declining…" onClick={() => void ask()}>
      Decline
    </Button>
  )
}
