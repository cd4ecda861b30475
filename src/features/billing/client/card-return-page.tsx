import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { checkmarkCircleOutline, timeOutline } from 'ionicons/icons'
import { useEffect } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { billingEndpoints } from '../contract.ts'
import { cardName } from './billing-words.ts'
import { billingQueries, refreshBilling } from './queries.ts'

const route = getRouteApi('/dashboard/subscription/billing/card')

/** Where the provider's page leads back to after a card was saved. */
export function CardReturnPage() {
  const { session } = route.useSearch()
  const client = useQueryClient()
  const query = useQuery({ ...billingQueries.savedCard(session), enabled: session !== '' })
  const { data } = query
  useEffect(() => {
    if (data?.status === 'SAVED') void refreshBilling(client)
  }, [data, client])
  return (
    <Page title="Your card" back="/subscription/billing">
      {session === '' ? (
        <NotSaved />
      ) : (
        <QueryView
          query={query}
          loading={{ rows: 1, kind: 'card', label: 'Checking your card' }}
          failedTitle="Your card could not be checked"
          notFound={<NotSaved />}
          offline={
            <OfflineState
              title="This needs a connection"
              hint="If you saved a card, it is listed under Billing once you are online."
            />
          }
        >
          {outcome => <Outcome outcome={outcome} />}
        </QueryView>
      )}
    </Page>
  )
}

const toBilling = (tone = 'button-primary') => (
  <Link to="/subscription/billing" className={`button ${tone}`}>
    See billing
  </Link>
)

const NotSaved = () => (
  <EmptyState
    icon={timeOutline}
    title="No card was saved"
    hint="You left the page before the card was saved, or it expired. You can add one under Billing."
    action={toBilling()}
  />
)

function Outcome({ outcome }: { outcome: EndpointOutput<typeof billingEndpoints.settleCard> }) {
  const { status, card, openInvoices } = outcome
  if (status !== 'SAVED') return <NotSaved />
  const [owed] = openInvoices
  return (
    <EmptyState
      icon={checkmarkCircleOutline}
      title={card ? `${cardName(card)} is saved` : 'Your card is saved'}
      hint={
        card && !card.isDefault
          ? 'Another card is still the default. You can change that under Billing.'
          : 'What comes next is charged to it.'
      }
      action={
        <div className="button-row">
          {owed && (
            <Link
              to="/subscription/invoices/$invoiceId"
              params={{ invoiceId: owed.id }}
              className="button button-accent"
            >
              Pay the open invoice
            </Link>
          )}
          {toBilling(owed && 'button-quiet')}
        </div>
      }
    />
  )
}
