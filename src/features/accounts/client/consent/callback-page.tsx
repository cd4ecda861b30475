import * as v from 'valibot'
import { alertCircleOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { type CallbackFailure, callbackFailure } from './callback-failures.ts'
import { LinkButton } from '../link-button.tsx'
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type CallbackInput, connectEndpoints } from '../../connect-contract.ts'
import { callbackSearch } from './consent-search.ts'
import { refreshConnections } from '../mutations.ts'
import { call } from '#client/api/call.ts'
import { accountQueries } from '../queries.ts'

/** The return from the marketplace: progress while the consent is completed, or what went wrong and what to do. */
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

/**
 * Completes the consent in the address, once however often the screen is drawn, and navigates on. Answers what went
 * wrong, null while it goes on.
 */
export function useConsentReturn(): CallbackFailure | null {
  const search = v.parse(callbackSearch, useSearch({ strict: false }))
  const client = useQueryClient()
  const navigate = useNavigate()
  const begun = search.state !== ''
  const { data, error } = useQuery({ ...callbackQuery(callbackInput(search)), enabled: begun })

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

  if (!begun) return callbackFailure(notBegun)
  return error ? callbackFailure(error) : null
}

const notBegun = new ApiError(400, { errorCode: 'OAUTH_STATE_INVALID', message: '', details: [], requestId: '' })

function callbackInput(search: v.InferOutput<typeof callbackSearch>): CallbackInput {
  return {
    state: search.state,
    ...(search.code && { code: search.code }),
    ...(search.spapi_oauth_code && { spapi_oauth_code: search.spapi_oauth_code }),
    ...(search.selling_partner_id && { selling_partner_id: search.selling_partner_id }),
    ...(search.error && { error: search.error }),
    ...(search.error_description && { error_description: search.error_description }),
  }
}

/**
 * The completion of a consent. As a query of its state it runs once, however often the screen is drawn; the state would
 * be refused the second time.
 */
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
