import type Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { liveCustomer } from './customers.ts'
import { addInvoice, lineOfItem, pendingItems } from './invoice-life.ts'
import type { Invoice, Subscription } from './model.ts'
import { presentObject } from './present.ts'
import { invalid } from './stripe-error.ts'
import { addPeriodInvoice, endOf, startPeriod } from './subscription-cycle.ts'
import { changeBilling, type UpdateParams } from './subscription-update.ts'
import { addSubscription } from './subscriptions.ts'

type Details = NonNullable<Stripe.InvoiceCreatePreviewParams['subscription_details']>

const nothingComing = (customer: string): Error =>
  invalid(`No upcoming invoices for customer: ${customer}`, { code: 'invoice_upcoming_none' }, 404)

/** The invoice that a change would make at once, or else the next one of the subscription. */
function nextInvoice(account: Account, subscription: Subscription, details: Details): Invoice {
  const existing = new Set(account.all('invoice'))
  const { items, trial_end, proration_behavior, proration_date, billing_cycle_anchor } = details
  if (items || trial_end !== undefined || billing_cycle_anchor?.type === 'now')
    changeBilling(account, subscription, {
      ...(items && { items: items as NonNullable<UpdateParams['items']> }),
      ...(trial_end !== undefined && { trial_end }),
      ...(proration_behavior && { proration_behavior }),
      ...(proration_date !== undefined && { proration_date }),
      ...(billing_cycle_anchor?.type === 'now' && { billing_cycle_anchor }),
    })
  const made = account.all('invoice').find(one => !existing.has(one))
  if (made) return made
  const isEnding = details.cancel_at_period_end ?? (subscription.cancel_at_period_end || details.cancel_now === true)
  const isOver = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  if (isOver || isEnding) {
    const pending = pendingItems(account, subscription.customer, subscription.id)
    if (pending.length === 0) throw nothingComing(subscription.customer)
    const { customer, currency } = subscription
    return addInvoice(
      account,
      { customer, currency, billing_reason: 'upcoming' },
      pending.map(lineOfItem),
      subscription,
    )
  }
  const end = endOf(subscription)
  if (subscription.status === 'trialing') account.change(subscription, { status: 'active' })
  startPeriod(account, subscription, end)
  return addPeriodInvoice(account, subscription, 'subscription_cycle', {
    billing_reason: 'upcoming',
    created: end,
    period_end: end,
    auto_advance: true,
    next_payment_attempt: end + 3600,
  })
}

/** What the customer would be charged next; nothing of it is stored. Throws the API's error when nothing is coming. */
export function previewInvoice(account: Account, params: Stripe.InvoiceCreatePreviewParams): Record<string, unknown> {
  const { subscription: id, customer: customerId, subscription_details: details = {} } = params
  return account.tentatively(() => {
    const named = id === undefined ? null : account.get('subscription', id, 'subscription')
    const customer = liveCustomer(account, customerId ?? named?.customer ?? '', 'customer')
    if (named && named.customer !== customer.id)
      throw invalid('The subscription does not belong to the customer.', { param: 'subscription' })
    const invoice = named
      ? nextInvoice(account, named, details)
      : details.items
        ? firstInvoice(account, customer.id, details)
        : pendingInvoice(account, customer.id)
    const sums = { amount_due: Math.max(0, invoice.total + customer.balance), starting_balance: customer.balance }
    account.change(invoice, {
      ...sums,
      status: 'draft',
      amount_paid: 0,
      attempted: false,
      attempt_count: 0,
      amount_remaining: sums.amount_due,
      number: null,
      ending_balance: Math.min(0, invoice.total + customer.balance),
      hosted_invoice_url: null,
      invoice_pdf: null,
      status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    })
    return { ...presentObject(account, invoice), id: newId('upcoming_in') }
  })
}

function firstInvoice(account: Account, customer: string, details: Details): Invoice {
  const { items = [], trial_end } = details
  const subscription = addSubscription(account, {
    customer,
    items: items as Parameters<typeof addSubscription>[1]['items'],
    payment_behavior: 'default_incomplete',
    ...(trial_end !== undefined && { trial_end }),
  })
  return account.get('invoice', subscription.latest_invoice ?? '')
}

function pendingInvoice(account: Account, customer: string): Invoice {
  const pending = pendingItems(account, customer, null)
  const [first] = pending
  if (!first) throw nothingComing(customer)
  return addInvoice(
    account,
    { customer, currency: first.currency, billing_reason: 'upcoming' },
    pending.map(lineOfItem),
  )
}
