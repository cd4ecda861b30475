import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEvents } from '#client/api/events.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { formatMomentLongDay, formatMoney } from '#client/ui/figures/format.ts'
import type { PaymentProblem } from '../webhook-contract.ts'
import { billingQueries, refreshBilling } from './queries.ts'

/** On every page, while a payment of the user has failed: what to pay, until when, and the way there. */
export function PaymentBanner() {
  const client = useQueryClient()
  const { data } = useQuery(billingQueries.problem())
  const refresh = (): void => void refreshBilling(client)
  useEvents('/events', ({ event }) => (event === 'billing' || event === 'subscription') && refresh(), {
    onReconnect: refresh,
  })
  const problem = data?.problem
  if (!problem) return null
  const to: string = '/subscription/billing'
  return (
    <aside className="frame-banner" aria-label="Payment problem">
      <p>{sentenceOf(problem)}</p>
      <Link to={to} className="button button-primary">
        Pay now
      </Link>
    </aside>
  )
}

function sentenceOf({ amountDue, currency, accessUntil }: PaymentProblem): string {
  const failed = `Your payment of ${formatMoney(amountDue, currency)} failed.`
  if (accessUntil === null) return failed
  const until = new Date(accessUntil)
  return until.getTime() > serverNow()
    ? `${failed} Pay by ${formatMomentLongDay(until)} to keep your access.`
    : `${failed} Your access has ended; it returns when you pay.`
}
