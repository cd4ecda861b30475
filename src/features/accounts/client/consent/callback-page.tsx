import * as v from 'valibot'
import { alertCircleOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { LinkButton } from '../link-button.tsx'
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type CallbackInput, connectEndpoints } from '../../connect-contract.ts'
import { callbackSearch } from './consent-search.ts'
import { refreshConnections } from '../mutations.ts'
import { call } from '#client/api/call.ts'
import { accountQueries } from '../queries.ts'

export function CallbackPage() {
  const failure = useConsentReturn()
  if (failure) return <CallbackFailed failure={failure} />
  return (
    <Page title="Connecting your account">
      <p>Tideline is exchanging your permission and looking for your accounts. This takes a few seconds.</p>
      <ProgressBar label="Connecting your account" />
    </Page>
  )
}

function CallbackFailed({ failure }: { failure: CallbackFailure }) {
  return (
    <Page title="Not connected" back="/connections">
      <div className="state" role="alert">
        <Icon icon={alertCircleOutline} />
        <h2 className="state-title">{failure.title}</h2>
        {failure.sentences.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        <div className="button-row">
          <LinkButton to="/connections" tone="primary">
            Go to Connections
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}

/** Completes the consent in the address, once however often it renders. Answers what went wrong, else null. */
export function useConsentReturn(): CallbackFailure | null {
  const search = v.parse(callbackSearch, useSearch({ strict: false }))
  const client = useQueryClient()
  const navigate = useNavigate()
  const begun = search.state !== ''
  const { data, error } = useQuery({ ...callbackQuery(search), enabled: begun })

  useEffect(() => {
    if (!data) return
    void refreshConnections(client).then(() => {
      if (data.kind === 'SELLING_PARTNER') toast({ title: `${data.merchant.name} is connected`, tone: 'success' })
      else if (data.taken.length > 0)
        toast({ title: 'Some accounts belong to others', message: data.taken.join(', '), tone: 'warning' })
      // Replaced, so that neither the code stays in the address bar nor Back leads to a used state.
      const to: string = data.kind === 'AMAZON_ADS' ? '/connections/profiles' : '/connections'
      return navigate({ to, replace: true })
    })
  }, [data, client, navigate])

  if (!begun) return failures.OAUTH_STATE_INVALID ?? unclear
  return error && ((error instanceof ApiError && failures[error.code]) || unclear)
}

/** Completes a consent. A query of its state runs once, however often it renders: a state is valid only once. */
function callbackQuery(input: CallbackInput) {
  return queryOptions({
    queryKey: [...accountQueries.all, 'callback', input.state],
    // Never aborted: the server may have used the code up before the answer came.
    queryFn: () => call(connectEndpoints.anyCallback, { body: input }, { timeoutMs: 60_000 }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    meta: { silent: true },
  })
}

interface CallbackFailure {
  title: string
  /** What happened, and what to do about it. */
  sentences: readonly string[]
}

const failures: Partial<Record<ErrorCode, CallbackFailure>> = {
  OAUTH_REFUSED: {
    title: 'The permission was not given',
    sentences: [
      'You refused on the marketplace’s page, so nothing was connected.',
      'Tideline cannot show or change anything without it. You can start again whenever you like.',
    ],
  },
  OAUTH_CODE_INVALID: {
    title: 'The permission expired',
    sentences: [
      'The marketplace’s permission is good for five minutes and for one use; this one arrived too late, or was given for another account.',
      'Start again and come straight back.',
    ],
  },
  OAUTH_STATE_INVALID: {
    title: 'This connection was not started here',
    sentences: [
      'The address belongs to another user, was used already, or is older than ten minutes. Nothing was connected by it.',
      'If you have just connected the account, it is listed under Connections. Otherwise start again from there.',
    ],
  },
  NO_PROFILES: {
    title: 'No advertising accounts found',
    sentences: [
      'This log-in has no seller or vendor advertising account to connect.',
      'The marketplace creates one together with the first campaign in its own advertising console. Create one there, or sign in with another log-in.',
    ],
  },
  MERCHANT_TAKEN: {
    title: 'Already connected by someone else',
    sentences: [
      'Another Tideline user has already connected this seller account. It can be connected only once.',
      'Ask that person to disconnect it, then connect it again.',
    ],
  },
  RULE_VIOLATED: {
    title: 'This is another seller account',
    sentences: [
      'You signed in to a different seller account, so nothing was changed.',
      'Sign out on the marketplace’s page, then start again with the right one.',
    ],
  },
  FORBIDDEN: {
    title: 'You may not connect accounts',
    sentences: ['Your role can view accounts but not connect them. Ask the owner to connect this one.'],
  },
}

const unclear: CallbackFailure = {
  title: 'The connection could not be completed',
  sentences: [
    'The marketplace or Tideline did not answer in time.',
    'Check whether the account is listed under Connections. If it is not, start again.',
  ],
}
