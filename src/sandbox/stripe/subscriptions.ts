import type Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import { liveCustomer } from './customers.ts'
import { addInvoice, collectInvoice, finalizeInvoice, lineOfItem, methodFor, pendingItems } from './invoice-life.ts'
import type { PaymentIntent, Subscription, SubscriptionItem } from './model.ts'
import { ownMethod } from './payment-methods.ts'
import { declined, intentOf, payBy, type Presence } from './payments.ts'
import { presentItem } from './present.ts'
import { invalid, noSuch } from './stripe-error.ts'
import { addPeriodInvoice, startPeriod } from './subscription-cycle.ts'
import { type ItemParams, itemOf } from './subscription-items.ts'
import { updateSubscription } from './subscription-update.ts'
import { addProration } from './subscription-lines.ts'
import { endSubscription } from './subscription-status.ts'

const DAY = 86_400

export interface NewSubscription extends Omit<Stripe.SubscriptionCreateParams, 'items' | 'customer'> {
  customer: string
  items: ItemParams[]
}

function trialEndOf(params: NewSubscription, now: number): number | null {
  const { trial_end: end, trial_period_days: days } = params
  if (end !== undefined && days !== undefined)
    throw invalid('You may only specify one of these parameters: trial_end, trial_period_days.')
  if (end === 'now') return null
  if (end !== undefined && end <= now) throw invalid('The trial_end must be in the future.', { param: 'trial_end' })
  return end ?? (days ? now + days * DAY : null)
}

/**
 * Adds a subscription with its first invoice, which is collected at once. `presence`: whether the customer is there to
 * confirm the payment; `attempted`: the payment that it tried with other cards. Throws a card error, after which nothing remains,
 * when `payment_behavior` says so.
 */
export function addSubscription(
  account: Account,
  params: NewSubscription,
  presence: Presence = { isPresent: true, isConfirmed: false },
  attempted: PaymentIntent | null = null,
): Subscription {
  const customer = liveCustomer(account, params.customer, 'customer')
  const { default_payment_method: card } = params
  const method = card ? ownMethod(account, customer.id, card, 'default_payment_method') : null
  const now = account.now()
  const id = newId('sub')
  const items = params.items.map((item, i) => itemOf(account, id, item, `items[${i}]`))
  const [first] = items
  if (!first) throw invalid('Missing required param: items.', { code: 'parameter_missing', param: 'items' })
  const prices = items.map(item => account.get('price', item.price))
  const currency = prices[0]?.currency ?? 'usd'
  if (prices.some(price => price.currency !== currency))
    throw invalid('All prices on a subscription must have the same currency.')
  const rhythms = new Set(prices.map(price => `${price.recurring?.interval} ${price.recurring?.interval_count}`))
  if (rhythms.size > 1)
    throw invalid('The emulator has subscriptions whose prices share one interval only.', { param: 'items' })
  const trialEnd = trialEndOf(params, now)
  const isSent = params.collection_method === 'send_invoice'
  if (isSent && params.days_until_due === undefined)
    throw invalid('If you set collection_method to send_invoice, you must also set days_until_due.', {
      param: 'days_until_due',
    })
  const hasCard = method !== null || customer.invoice_settings.default_payment_method !== null
  const behavior = params.payment_behavior ?? 'allow_incomplete'
  if (
    !hasCard &&
    !isSent &&
    trialEnd === null &&
    behavior !== 'default_incomplete' &&
    prices.some(price => Number(price.unit_amount_decimal) > 0)
  )
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
      { code: 'resource_missing' },
    )
  const subscription = account.add('subscription', {
    id,
    billing_cycle_anchor: trialEnd ?? now,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: now },
    cancel_at: typeof params.cancel_at === 'number' ? params.cancel_at : null,
    cancel_at_period_end: params.cancel_at_period_end ?? false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: params.collection_method ?? 'charge_automatically',
    currency,
    customer: customer.id,
    days_until_due: params.days_until_due ?? null,
    default_payment_method: method?.id ?? null,
    default_tax_rates: [],
    description: params.description || null,
    invoice_settings: { issuer: { type: 'self' } },
    metadata: mergeMetadata(null, params.metadata),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: params.payment_settings?.save_default_payment_method ?? 'off',
    },
    start_date: now,
    status: trialEnd === null ? (isSent ? 'active' : 'incomplete') : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: 'unchanged',
        missing_payment_method: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    _hasWarned: false,
    _items: items,
  } as unknown as Partial<Subscription>)
  startPeriod(account, subscription, now)
  const invoice = addPeriodInvoice(account, subscription, 'subscription_create')
  account.announce('customer.subscription.created', subscription)
  if (attempted) payBy(account, invoice, attempted)
  finalizeInvoice(account, invoice)
  if (invoice.status !== 'open' || isSent || behavior === 'default_incomplete') return subscription
  const outcome = collectInvoice(account, invoice, presence)
  if (!outcome?.ok && behavior === 'error_if_incomplete') {
    const { details } = declined(account, intentOf(account, invoice), outcome ?? { ok: false, needsAction: true })
    throw invalid(details.message, details, 402)
  }
  return subscription
}

export function cancelSubscription(
  account: Account,
  subscription: Subscription,
  params: Stripe.SubscriptionCancelParams,
): void {
  if (subscription.status === 'canceled') throw noSuch('subscription', subscription.id)
  const now = account.now()
  if (params.prorate && subscription.status === 'active')
    for (const item of subscription._items)
      addProration(
        account,
        subscription,
        { item, price: account.get('price', item.price), quantity: item.quantity },
        now,
        -1,
      )
  const { comment, feedback } = params.cancellation_details ?? {}
  endSubscription(account, subscription, 'cancellation_requested', {
    ...(comment !== undefined && { comment: comment || null }),
    ...(feedback !== undefined && { feedback: feedback || null }),
  })
  const pending = params.invoice_now ? pendingItems(account, subscription.customer, subscription.id) : []
  if (pending.length === 0) return
  const { customer, currency } = subscription
  const invoice = addInvoice(
    account,
    { customer, currency, billing_reason: 'subscription_update' },
    pending.map(lineOfItem),
    subscription,
  )
  account.change(subscription, { latest_invoice: invoice.id })
  finalizeInvoice(account, invoice)
  if (invoice.status === 'open') collectInvoice(account, invoice)
}

function resume(account: Account, subscription: Subscription): void {
  if (subscription.status !== 'paused') throw invalid('Only subscriptions with status `paused` can be resumed.')
  const now = account.now()
  account.change(subscription, { billing_cycle_anchor: now, status: 'active' })
  startPeriod(account, subscription, now)
  const invoice = addPeriodInvoice(account, subscription, 'subscription_update')
  finalizeInvoice(account, invoice)
  if (
    invoice.status === 'open' &&
    !collectInvoice(account, invoice, { method: methodFor(account, invoice), isPresent: true })?.ok
  )
    account.change(subscription, { status: 'paused' })
  else account.announce('customer.subscription.resumed', subscription)
}

export const subscriptionHandlers = {
  'subscriptions.create': (account, params: Stripe.SubscriptionCreateParams) =>
    addSubscription(
      account,
      { ...params, customer: params.customer ?? '', items: (params.items ?? []) as ItemParams[] },
      { isPresent: !params.off_session, isConfirmed: false },
    ),
  'subscriptions.retrieve': (account, _params, { id }) => account.get('subscription', id),
  'subscriptions.update': (account, params: Stripe.SubscriptionUpdateParams, { id }) => {
    const subscription = account.get('subscription', id)
    updateSubscription(account, subscription, params)
    return subscription
  },
  'subscriptions.cancel': (account, params: Stripe.SubscriptionCancelParams, { id }) => {
    const subscription = account.get('subscription', id)
    cancelSubscription(account, subscription, params)
    return subscription
  },
  'subscriptions.resume': (account, _params, { id }) => {
    const subscription = account.get('subscription', id)
    resume(account, subscription)
    return subscription
  },
  'subscriptions.list': (account, params: Stripe.SubscriptionListParams, at) => {
    const { status, customer, price } = params
    const isWanted = (one: Subscription): boolean =>
      status === 'all' ||
      (status === undefined
        ? one.status !== 'canceled' && one.status !== 'incomplete_expired'
        : status === 'ended'
          ? one.ended_at !== null
          : one.status === status)
    const found = account
      .all('subscription')
      .filter(
        one =>
          isWanted(one) &&
          (!customer || one.customer === customer) &&
          (!price || one._items.some(item => item.price === price)),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'subscriptionItems.retrieve': (account, _params, { id }) => {
    const item = account
      .all('subscription')
      .flatMap(one => one._items)
      .find(one => one.id === id)
    if (!item) throw noSuch('subscription_item', id)
    return presentItem(account, item)
  },
  'subscriptionItems.list': (account, params: Stripe.SubscriptionItemListParams, at) => {
    const { _items: items } = account.get('subscription', params.subscription, 'subscription')
    return pageOf(account, items, params as ListParams, at, one => presentItem(account, one as SubscriptionItem))
  },
  'customers.del': (account, _params, { id }) => {
    const customer = liveCustomer(account, id)
    for (const subscription of account.all('subscription'))
      if (subscription.customer === id && subscription.status !== 'canceled')
        endSubscription(account, subscription, null)
    account.change(customer, { _deleted: true })
    account.announce('customer.deleted', customer)
    return { id, object: 'customer', deleted: true }
  },
} satisfies Partial<Handlers>
