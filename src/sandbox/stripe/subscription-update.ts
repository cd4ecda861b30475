import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { givenFields, mergeMetadata } from './calls.ts'
import { addInvoice, collectInvoice, finalizeInvoice, lineOfItem, pendingItems } from './invoice-life.ts'
import type { InvoiceItem, Subscription, SubscriptionItem } from './model.ts'
import { ownMethod } from './payment-methods.ts'
import { declined, intentOf } from './payments.ts'
import { presentObject } from './present.ts'
import { invalid, noSuch } from './stripe-error.ts'
import { addPeriodInvoice, endOf, startPeriod } from './subscription-cycle.ts'
import { addProration, type ItemState } from './subscription-lines.ts'
import { itemOf } from './subscription-items.ts'

export type UpdateParams = Pick<
  Stripe.SubscriptionUpdateParams,
  | 'items'
  | 'proration_behavior'
  | 'proration_date'
  | 'trial_end'
  | 'billing_cycle_anchor'
  | 'cancel_at_period_end'
  | 'cancel_at'
  | 'payment_behavior'
>

/** The items after a request, with the ones whose cost changes before and after. */
function changedItems(account: Account, subscription: Subscription, changes: NonNullable<UpdateParams['items']>) {
  const [first] = subscription._items
  const before: ItemState[] = []
  const after: ItemState[] = []
  let items: SubscriptionItem[] = [...subscription._items]
  changes.forEach((change, i) => {
    const param = `items[${i}]`
    const former = change.id === undefined ? undefined : items.find(one => one.id === change.id)
    if (change.id !== undefined && !former) throw noSuch('subscription_item', change.id, `${param}[id]`)
    const stateOf = (item: SubscriptionItem): ItemState => ({
      item,
      price: account.get('price', item.price),
      quantity: item.quantity,
    })
    if (former && change.deleted) {
      before.push(stateOf(former))
      items = items.filter(one => one !== former)
      return
    }
    const isOther = former === undefined || change.price !== undefined || change.price_data !== undefined
    const target = isOther ? itemOf(account, subscription.id, change as Parameters<typeof itemOf>[2], param) : former
    const { current_period_start, current_period_end } = former ?? first ?? target
    const next: SubscriptionItem = {
      ...(former ?? target),
      current_period_start,
      current_period_end,
      price: target.price,
      quantity: change.quantity ?? former?.quantity ?? 1,
      metadata: mergeMetadata(former?.metadata ?? null, change.metadata),
    }
    if (former?.price === next.price && former.quantity === next.quantity) {
      items = items.map(one => (one === former ? next : one))
      return
    }
    if (former) before.push(stateOf(former))
    after.push(stateOf(next))
    items = former ? items.map(one => (one === former ? next : one)) : [...items, next]
  })
  if (items.length === 0)
    throw invalid(
      'A subscription must have at least one active plan. To cancel a subscription, please use the cancel API endpoint on the subscription.',
    )
  return { items, before, after }
}

const rhythmOf = ({ price: { recurring } }: ItemState): string => `${recurring?.interval} ${recurring?.interval_count}`

/** Collects an invoice for a change. Throws a card error when `payment_behavior` asks for it. */
function collectNow(
  account: Account,
  subscription: Subscription,
  lines: InvoiceItem[] | null,
  behavior: string | undefined,
): void {
  const { customer, currency } = subscription
  const invoice = lines
    ? addInvoice(
        account,
        { customer, currency, billing_reason: 'subscription_update', auto_advance: true },
        lines.map(lineOfItem),
        subscription,
      )
    : addPeriodInvoice(account, subscription, 'subscription_update', { auto_advance: true })
  account.change(subscription, { latest_invoice: invoice.id })
  finalizeInvoice(account, invoice)
  if (invoice.status !== 'open' || invoice.collection_method === 'send_invoice') return
  const outcome = collectInvoice(account, invoice, { isPresent: true })
  if (outcome?.ok || behavior !== 'error_if_incomplete') return
  const { details } = declined(account, intentOf(account, invoice), outcome ?? { ok: false, needsAction: true })
  throw invalid(details.message, details, 402)
}

function checkMethod(
  account: Account,
  subscription: Subscription,
  id: string | undefined,
): { default_payment_method?: string | null } {
  if (id === undefined) return {}
  if (id === '') return { default_payment_method: null }
  return { default_payment_method: ownMethod(account, subscription.customer, id, 'default_payment_method').id }
}

/** Changes what is billed: items, trial and billing anchor, with prorations and, where it is due at once, an invoice. */
export function changeBilling(account: Account, subscription: Subscription, params: UpdateParams): void {
  const { proration_behavior: behavior = 'create_prorations', payment_behavior: payment } = params
  const now = account.now()
  const at = params.proration_date ?? now
  const { items, before, after } = changedItems(account, subscription, params.items ?? [])
  const [first] = subscription._items
  if (first && (at < first.current_period_start || at > first.current_period_end))
    throw invalid('Cannot specify `proration_date` outside of the current billing period.', { param: 'proration_date' })
  const isTrial = subscription.status === 'trialing'
  const endsTrial = isTrial && params.trial_end === 'now'
  const newRhythm = before[0] !== undefined && after[0] !== undefined && rhythmOf(before[0]) !== rhythmOf(after[0])
  const restarts = endsTrial || params.billing_cycle_anchor?.type === 'now' || (newRhythm && !isTrial)
  const prorates = behavior !== 'none' && !isTrial
  const credited =
    restarts && before.length === 0 && !endsTrial
      ? subscription._items.map(
          (item): ItemState => ({ item, price: account.get('price', item.price), quantity: item.quantity }),
        )
      : before
  if (prorates) for (const state of credited) addProration(account, subscription, state, at, -1)
  account.change(subscription, { _items: items })
  if (typeof params.trial_end === 'number') {
    if (params.trial_end <= now) throw invalid('The trial_end must be in the future.', { param: 'trial_end' })
    account.change(subscription, {
      status: 'trialing',
      trial_start: subscription.trial_start ?? now,
      trial_end: params.trial_end,
      billing_cycle_anchor: params.trial_end,
      _hasWarned: false,
    })
    startPeriod(account, subscription, now)
  }
  if (restarts) {
    account.change(subscription, { billing_cycle_anchor: now, ...(endsTrial && { status: 'active', trial_end: now }) })
    startPeriod(account, subscription, now)
    collectNow(account, subscription, null, payment)
    return
  }
  if (prorates) for (const state of after) addProration(account, subscription, state, at, 1)
  if (behavior === 'always_invoice' && prorates && after.length + before.length > 0)
    collectNow(account, subscription, pendingItems(account, subscription.customer, subscription.id), payment)
}

const plainFields = ['description', 'collection_method', 'days_until_due', 'pause_collection'] as const

/** Changes a subscription as `subscriptions.update` does. */
export function updateSubscription(
  account: Account,
  subscription: Subscription,
  params: Stripe.SubscriptionUpdateParams,
): void {
  const { cancel_at_period_end: atEnd, cancel_at: cancelAt, cancellation_details: reasons, metadata } = params
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    const others = Object.keys(params).filter(name => !['cancellation_details', 'metadata', 'expand'].includes(name))
    if (others.length > 0)
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (atEnd !== undefined && cancelAt !== undefined)
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.')
  const before = presentObject(account, subscription)
  const method = checkMethod(account, subscription, params.default_payment_method)
  if (params.items || params.trial_end !== undefined || params.billing_cycle_anchor?.type === 'now')
    changeBilling(account, subscription, params)
  const details = { ...subscription.cancellation_details, ...givenFields(reasons ?? {}, ['comment', 'feedback']) }
  const until =
    cancelAt === undefined
      ? {}
      : { cancel_at: typeof cancelAt === 'number' ? cancelAt : cancelAt ? endOf(subscription) : null }
  const cancels = atEnd ?? (cancelAt === undefined ? undefined : typeof cancelAt === 'number' || cancelAt !== '')
  account.change(subscription, {
    ...(givenFields(params, plainFields) as object),
    ...method,
    ...until,
    ...(atEnd !== undefined && { cancel_at_period_end: atEnd, cancel_at: atEnd ? endOf(subscription) : null }),
    ...(cancels !== undefined && {
      canceled_at: cancels ? account.now() : null,
    }),
    cancellation_details:
      cancels === undefined ? details : { ...details, reason: cancels ? 'cancellation_requested' : null },
    metadata: mergeMetadata(subscription.metadata, metadata),
  } as Partial<Subscription>)
  const after = presentObject(account, subscription)
  const previous = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name]),
  )
  if (previous.length > 0) account.announce('customer.subscription.updated', subscription, Object.fromEntries(previous))
}
