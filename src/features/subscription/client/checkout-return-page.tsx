import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { alertCircleOutline, checkmarkCircleOutline, hourglassOutline, timeOutline } from 'ionicons/icons'
import { useEffect } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { CheckoutStatus } from '../contract.ts'
import { isSettled, subscriptionQueries } from './queries.ts'

const route = getRouteApi('/dashboard/subscription/checkout')

/** Where the provider's page leads back to: waits until the payment is settled and says what happened. */
export function CheckoutReturnPage() {
  const { session } = route.useSearch()
  const client = useQueryClient()
  const query = useQuery({ ...subscriptionQueries.checkout(session), enabled: session !== '' })
  const settled = isSettled(query.data) ? query.data?.subscriptionStatus : undefined
  useEffect(() => {
    // The guard reads it: the pages of the product open from now on.
    if (settled !== undefined) void client.invalidateQueries({ queryKey: subscriptionQueries.current().queryKey })
  }, [settled, client])
  return (
    <Page title="Your payment" back="/subscription">
      {session === '' ? (
        <Nothing />
      ) : (
        <QueryView
          query={query}
          loading={{ rows: 1, kind: 'card', label: 'Checking your payment' }}
          failedTitle="Your payment could not be checked"
          notFound={<Nothing />}
          offline={
            <OfflineState
              title="This needs a connection"
              hint="If you have paid, your plan is there as soon as you are online. Nobody is charged twice."
            />
          }
        >
          {checkout => <Outcome checkout={checkout} />}
        </QueryView>
      )}
    </Page>
  )
}

const linkToPlans = (label: string) => (
  <Link to="/subscription" className="button button-primary">
    {label}
  </Link>
)
const toPlans = linkToPlans('See your subscription')
const chooseAgain = linkToPlans('Choose a plan')
const home: string = '/home'

const Nothing = () => (
  <EmptyState
    icon={timeOutline}
    title="There is no such payment"
    hint="Nothing was charged. Your subscription shows the plans."
    action={toPlans}
  />
)

function Outcome({ checkout: { status, paymentStatus, subscriptionStatus } }: { checkout: CheckoutStatus }) {
  if (status === 'expired')
    return (
      <EmptyState
        icon={timeOutline}
        title="The payment was not finished in time"
        hint="Nothing was charged. Choose a plan to start over."
        action={chooseAgain}
      />
    )
  if (status === 'open')
    return (
      <EmptyState
        icon={hourglassOutline}
        title="The payment is not finished"
        hint="Nothing has been charged so far. If you have just paid, this page shows it in a moment. If you left the payment page, choose the plan again to return to it."
        action={chooseAgain}
      />
    )
  if (subscriptionStatus === 'active' || subscriptionStatus === 'trialing')
    return (
      <EmptyState
        icon={checkmarkCircleOutline}
        title={subscriptionStatus === 'active' ? 'Thank you, your payment has arrived' : 'Your card is saved'}
        hint={
          subscriptionStatus === 'active'
            ? 'Your plan is active.'
            : 'Your free trial goes on. Your card is charged for the first time when it ends.'
        }
        action={
          <div className="button-row">
            <Link to={home} className="button button-primary">
              Go to Home
            </Link>
            <Link to="/subscription" className="button button-quiet">
              See your subscription
            </Link>
          </div>
        }
      />
    )
  if (subscriptionStatus === null || subscriptionStatus === 'incomplete')
    return (
      <EmptyState
        icon={hourglassOutline}
        title="Your payment is on its way"
        hint="Your bank has not confirmed it yet. This page shows it in a moment; you need not pay again."
      />
    )
  return (
    <EmptyState
      icon={alertCircleOutline}
      title={subscriptionStatus === 'canceled' ? 'This subscription has ended' : 'The payment is not settled'}
      hint={
        subscriptionStatus === 'canceled' && paymentStatus === 'paid'
          ? 'If you had a plan already, this second one was canceled at once, and what you paid is credit for your next invoices.'
          : 'Your subscription shows what to do next.'
      }
      action={toPlans}
    />
  )
}
