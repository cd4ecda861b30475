import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { alertCircleOutline } from 'ionicons/icons'
import { useEffect } from 'react'
import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import type { CallbackInput } from '../contract.ts'
import { callbackFailure } from './callback-failures.ts'
import { callbackSearch } from './consent-search.ts'
import { LinkButton } from './link-button.tsx'
import { refreshConnections } from './mutations.ts'
import { callbackQuery } from './queries.ts'

/** The return from the marketplace: completes the consent once and leads on, or says what went wrong. */
export const CallbackPage = () => {
  const search = v.parse(callbackSearch, useSearch({ strict: false }))
  const client = useQueryClient()
  const navigate = useNavigate()
  const begun = search.state !== ''
  const { data, error } = useQuery({ ...callbackQuery(given(search)), enabled: begun })

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

  if (!begun) return <CallbackFailed error={notBegun} />
  if (error) return <CallbackFailed error={error} />
  return (
    <Page title="Connecting your account">
      <p>Tideline is exchanging your permission and looking for your accounts. This takes a few seconds.</p>
      <ProgressBar label="Connecting your account" />
    </Page>
  )
}

const notBegun = new ApiError(400, { errorCode: 'OAUTH_STATE_INVALID', message: '', details: [], requestId: '' })

const given = (search: v.InferOutput<typeof callbackSearch>): CallbackInput => ({
  state: search.state,
  ...(search.code && { code: search.code }),
  ...(search.spapi_oauth_code && { spapi_oauth_code: search.spapi_oauth_code }),
  ...(search.selling_partner_id && { selling_partner_id: search.selling_partner_id }),
  ...(search.error && { error: search.error }),
  ...(search.error_description && { error_description: search.error_description }),
})

const CallbackFailed = ({ error }: { error: unknown }) => {
  const { title, sentences } = callbackFailure(error)
  return (
    <Page title={title} back="/connections">
      <div className="state" role="alert">
        <Icon icon={alertCircleOutline} />
        {sentences.map(sentence => (
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
