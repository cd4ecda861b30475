import './billing.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { alertCircleOutline, cloudOfflineOutline, lockClosedOutline } from 'ionicons/icons'
import { ApiError } from '#client/api/api-error.ts'
import { DataAge, OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Money } from '#client/ui/figures/figure.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { BillingDashboard, Invoice } from '../contract.ts'
import { cardExpiry, cardName, dayText, invoiceName } from './billing-words.ts'
import { CardsCard } from './cards-card.tsx'
import { FeeCard } from './fee-card.tsx'
import { FeeMonthsCard } from './fee-months-card.tsx'
import { InvoicesCard } from './invoices-card.tsx'
import { billingQueries, refreshBilling, useFreshBilling } from './queries.ts'

const route = getRouteApi('/dashboard/subscription/billing')

export function BillingPage() {
  const client = useQueryClient()
  useFreshBilling(client)
  const { page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const dashboard = useQuery(billingQueries.dashboard())
  const cards = useQuery(billingQueries.cards())
  const invoices = useQuery(billingQueries.invoices(page))
  const updatedAt = [dashboard, cards, invoices].map(query => query.dataUpdatedAt)
  const isOthers = dashboard.error instanceof ApiError && dashboard.error.code === 'FORBIDDEN'
  return (
    <Page
      title="Billing"
      back="/subscription"
      status={<OfflineAge updatedAt={updatedAt} />}
      {...(!isOthers && { onRefresh: () => refreshBilling(client) })}
    >
      {isOthers ? (
        <EmptyState
          icon={lockClosedOutline}
          title="Billing belongs to the owner"
          hint="You can see campaigns that others share with you. What they pay for Tideline is theirs."
        />
      ) : (
        <>
          <QueryView
            query={dashboard}
            loading={{ rows: 2, kind: 'card', label: 'Loading what you pay' }}
            failedTitle="What you pay could not be loaded"
          >
            {data => (
              <>
                <ProviderNote data={data} />
                {data.openInvoices.map(invoice => (
                  <OwedInvoice key={invoice.id} invoice={invoice} />
                ))}
              </>
            )}
          </QueryView>
          <div className="billing-parts">
            <div>
              {dashboard.data && <NextCharge data={dashboard.data} />}
              <CardsCard query={cards} />
            </div>
            {dashboard.data?.fee && (
              <div>
                <FeeCard fee={dashboard.data.fee} />
                <FeeMonthsCard running={dashboard.data.fee} />
              </div>
            )}
          </div>
          <InvoicesCard query={invoices} onPage={next => void navigate({ search: next === 0 ? {} : { page: next } })} />
        </>
      )}
    </Page>
  )
}

function ProviderNote({ data: { isReachable, asOf } }: { data: BillingDashboard }) {
  if (isReachable) return null
  return (
    <p className="notice">
      <Icon icon={cloudOfflineOutline} />
      <span>
        <strong>The payment provider does not answer</strong>
        What is charged next and your cards are shown as last known. Your access is not affected.{' '}
        {asOf !== null && <DataAge at={asOf} prefix="As of" />}
      </span>
    </p>
  )
}

function OwedInvoice({ invoice }: { invoice: Invoice }) {
  const { id, amountRemaining, currency, attemptCount, nextAttemptAt } = invoice
  return (
    <div className="notice">
      <Icon icon={alertCircleOutline} />
      <span>
        <strong>
          {invoiceName(invoice)}: {formatMoney(amountRemaining, currency)} to pay
        </strong>
        {attemptCount > 0 && 'The last payment failed. '}
        {nextAttemptAt && `The card is charged ${attemptCount > 0 ? 'again ' : ''}on ${dayText(nextAttemptAt)}.`}
      </span>
      <Link to="/subscription/invoices/$invoiceId" params={{ invoiceId: id }} className="button button-accent">
        Pay<span className="visually-hidden"> {invoiceName(invoice)}</span>
      </Link>
    </div>
  )
}

const statusTags: Record<NonNullable<BillingDashboard['status']>, { label: string; tone: string }> = {
  trialing: { label: 'Free trial', tone: 'tag-good' },
  active: { label: 'Active', tone: 'tag-good' },
  past_due: { label: 'Payment late', tone: 'tag-danger' },
  unpaid: { label: 'Not paid', tone: 'tag-danger' },
  incomplete: { label: 'First payment open', tone: 'tag-danger' },
  incomplete_expired: { label: 'Never paid', tone: '' },
  canceled: { label: 'Ended', tone: '' },
  paused: { label: 'Ended', tone: '' },
}

const isOver = (status: BillingDashboard['status']): boolean =>
  status === 'canceled' || status === 'incomplete_expired' || status === 'paused'

function NextCharge({ data }: { data: BillingDashboard }) {
  const { plan, status, nextCharge, card, fee } = data
  const tag = status && statusTags[status]
  return (
    <Card title="Next charge" aside={tag && <span className={`tag ${tag.tone}`}>{tag.label}</span>}>
      {nextCharge ? (
        <>
          <p className="metric-value">
            <Money amount={nextCharge.total} currency={nextCharge.currency} />{' '}
            <small className="metric-label">on {dayText(nextCharge.at)}</small>
          </p>
          <KeyValue
            items={[
              ...nextCharge.parts.map((part, index) => ({
                label: part.kind === 'PLAN' && index === 0 && plan ? `${plan.name} plan` : part.description,
                value: <Money amount={part.amount} currency={nextCharge.currency} />,
              })),
              ...(fee ? [{ label: 'Ad spend fee', value: 'Invoiced separately' }] : []),
              { label: 'Charged to', value: card ? <CardText card={card} /> : 'No card' },
            ]}
          />
          {!card && data.isReachable && (
            <p className="billing-warning">No card is set, so the payment will fail. Add one below.</p>
          )}
          {card?.expiry === 'EXPIRED' && (
            <p className="billing-warning">This card has expired. Choose or add another one below.</p>
          )}
        </>
      ) : (
        <p>{nothingComing(data)}</p>
      )}
      <Link to="/subscription" className="button button-quiet">
        {plan && !isOver(status) ? 'Change or cancel the plan' : 'Choose a plan'}
      </Link>
    </Card>
  )
}

const CardText = ({ card }: { card: NonNullable<BillingDashboard['card']> }) => (
  <>
    {cardName(card)} {card.expiry !== 'VALID' && <small className="muted">{cardExpiry(card)}</small>}
  </>
)

function nothingComing({
  plan,
  status,
  isReachable,
  trialEndDate,
  periodEndDate,
  cancelAtPeriodEnd,
}: BillingDashboard) {
  if (!plan) return 'You have no plan yet, so nothing is charged.'
  if (!isReachable) return 'What is charged next is not known right now.'
  if (status === 'trialing')
    return trialEndDate
      ? `Nothing. Your free trial of ${plan.name} runs until ${dayText(trialEndDate)}. It ends without a charge unless you subscribe before.`
      : `Nothing. Your free trial of ${plan.name} ends without a charge unless you subscribe before.`
  if (cancelAtPeriodEnd && periodEndDate)
    return `Nothing more for ${plan.name}: it ends on ${dayText(periodEndDate)}. A fee for ad spend until then is invoiced after the month is over.`
  if (status === 'incomplete_expired') return `Nothing. The first payment for ${plan.name} was not finished in time.`
  if (status === 'paused') return `Nothing. Your free trial of ${plan.name} has ended.`
  return `Nothing. Your subscription to ${plan.name} has ended.`
}
