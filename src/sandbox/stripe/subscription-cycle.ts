import type { Account } from './account.ts'
import {
  addInvoice,
  collectInvoice,
  DRAFT_SECONDS,
  finalizeInvoice,
  lineOfItem,
  methodFor,
  type NewInvoice,
  pendingItems,
} from './invoice-life.ts'
import type { Interval, Invoice, Price, Subscription } from './model.ts'
import { endSubscription } from './subscription-status.ts'
import { lineOf } from './subscription-lines.ts'

const DAY = 86_400
const WARNING_SECONDS = 3 * DAY
const INCOMPLETE_SECONDS = 23 * 3600
const days: Partial<Record<Interval, number>> = { day: 1, week: 7 }

/** `count` intervals after the anchor (seconds); a month without such a day has its last day instead. */
function addIntervals(anchor: number, interval: Interval, count: number): number {
  const fixed = days[interval]
  if (fixed !== undefined) return anchor + count * fixed * DAY
  const from = new Date(anchor * 1000)
  const months = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const date = new Date(from)
  date.setUTCFullYear(from.getUTCFullYear(), months, Math.min(from.getUTCDate(), lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The end of the period that contains this moment, counted from the anchor. */
function periodEnd(anchor: number, { recurring }: Price, moment: number): number {
  const { interval = 'month', interval_count: step = 1 } = recurring ?? {}
  if (moment < anchor) return anchor
  let count = 1
  while (addIntervals(anchor, interval, count * step) <= moment) count++
  return addIntervals(anchor, interval, count * step)
}

/** The moment at which the current period of a subscription ends. */
export const endOf = ({ _items: items }: Subscription): number =>
  Math.min(...items.map(item => item.current_period_end))

/** Gives every item the period that begins at this moment. */
export function startPeriod(account: Account, subscription: Subscription, start: number): void {
  const isTrial = subscription.status === 'trialing' && subscription.trial_end !== null
  const items = subscription._items.map(item => ({
    ...item,
    current_period_start: start,
    current_period_end: isTrial
      ? (subscription.trial_end as number)
      : periodEnd(subscription.billing_cycle_anchor, account.get('price', item.price), start),
  }))
  account.change(subscription, { _items: items })
}

/** A draft for the current period, with what else is pending. */
export function addPeriodInvoice(
  account: Account,
  subscription: Subscription,
  reason: string,
  fields: Partial<NewInvoice> = {},
): Invoice {
  const isTrial = subscription.status === 'trialing'
  const pending = pendingItems(account, subscription.customer, subscription.id)
  const others = reason === 'subscription_cycle' ? pendingItems(account, subscription.customer, null) : []
  const lines = [
    ...[...pending, ...others].filter(one => one.currency === subscription.currency).map(lineOfItem),
    ...subscription._items.map(item =>
      lineOf(account, subscription, item, { start: item.current_period_start, end: item.current_period_end }, isTrial),
    ),
  ]
  const [first] = subscription._items
  const isSent = subscription.collection_method === 'send_invoice'
  const now = account.now()
  const invoice = addInvoice(
    account,
    {
      customer: subscription.customer,
      currency: subscription.currency,
      billing_reason: reason,
      collection_method: subscription.collection_method,
      due_date: isSent ? now + (subscription.days_until_due ?? 30) * DAY : null,
      period_start: reason === 'subscription_cycle' ? (first?.current_period_start ?? now) : now,
      period_end: now,
      ...(fields as object),
    },
    lines,
    subscription,
  )
  account.change(subscription, { latest_invoice: invoice.id })
  return invoice
}

/** Finalizes a draft and, unless it is to be sent, collects it. */
export function advanceInvoice(account: Account, invoice: Invoice): void {
  if (invoice.status === 'draft') finalizeInvoice(account, invoice)
  if (invoice.status !== 'open') return
  if (invoice.collection_method === 'charge_automatically') collectInvoice(account, invoice, { isScheduled: true })
  else account.announce('invoice.sent', invoice)
}

/** Ends a trial now: what follows depends on whether there is a card to charge. */
function endTrial(account: Account, subscription: Subscription): boolean {
  const { missing_payment_method: behavior } = subscription.trial_settings.end_behavior
  const hasMethod =
    subscription.default_payment_method !== null ||
    account.get('customer', subscription.customer).invoice_settings.default_payment_method !== null
  if (hasMethod || behavior === 'create_invoice') return true
  if (behavior === 'cancel') endSubscription(account, subscription, null)
  else account.update(subscription, { status: 'paused' }, 'customer.subscription.paused')
  return false
}

/** What happens at the end of a period: the subscription ends, or its next period begins with a draft of its invoice. */
function renew(account: Account, subscription: Subscription): void {
  const end = endOf(subscription)
  if (subscription.cancel_at_period_end || (subscription.cancel_at !== null && subscription.cancel_at <= end))
    return endSubscription(account, subscription, 'cancellation_requested')
  if (subscription.status === 'trialing' && !endTrial(account, subscription)) return
  const items = subscription._items
  account.transaction(() => {
    const isHeld = subscription.status === 'unpaid'
    const before = structuredClone({ status: subscription.status, items })
    if (subscription.status === 'trialing') account.change(subscription, { status: 'active' })
    startPeriod(account, subscription, end)
    addPeriodInvoice(account, subscription, 'subscription_cycle', {
      auto_advance: !isHeld,
      automatically_finalizes_at: isHeld ? null : account.now() + DRAFT_SECONDS,
    })
    account.announce('customer.subscription.updated', subscription, {
      ...(before.status !== subscription.status && { status: before.status }),
      items: {
        data: before.items.map(({ id, current_period_start, current_period_end }) => ({
          id,
          current_period_start,
          current_period_end,
        })),
      },
    })
  })
}

export interface DueTask {
  at: number
  run: () => void
}

/** What a subscription does by itself next, and when; null: nothing. */
export function nextOfSubscription(account: Account, subscription: Subscription): DueTask | null {
  const { status, trial_end: trialEnd, created } = subscription
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') return null
  if (status === 'incomplete')
    return {
      at: created + INCOMPLETE_SECONDS,
      run: () => {
        for (const invoice of account.all('invoice'))
          if (invoice._subscription === subscription.id && invoice.status === 'open')
            account.change(invoice, { status: 'void', auto_advance: false })
        account.update(subscription, { status: 'incomplete_expired', ended_at: account.now() })
      },
    }
  const { cancel_at: cancelAt } = subscription
  const tasks: DueTask[] = [{ at: endOf(subscription), run: () => renew(account, subscription) }]
  if (cancelAt !== null && cancelAt < endOf(subscription))
    tasks.push({ at: cancelAt, run: () => endSubscription(account, subscription, 'cancellation_requested') })
  if (status === 'trialing' && trialEnd !== null && !subscription._hasWarned)
    tasks.push({
      at: Math.max(created, trialEnd - WARNING_SECONDS),
      run: () => {
        account.change(subscription, { _hasWarned: true })
        account.announce('customer.subscription.trial_will_end', subscription)
      },
    })
  return tasks.reduce((first, one) => (one.at < first.at ? one : first))
}

/** What an invoice does by itself next, and when; null: nothing. */
export function nextOfInvoice(account: Account, invoice: Invoice): DueTask | null {
  const { status, automatically_finalizes_at: finalizesAt, next_payment_attempt: retryAt } = invoice
  if (status === 'draft' && invoice.auto_advance && finalizesAt !== null)
    return { at: finalizesAt, run: () => advanceInvoice(account, invoice) }
  if (status !== 'open' || retryAt === null) return null
  return {
    at: retryAt,
    run: () => collectInvoice(account, invoice, { method: methodFor(account, invoice), isScheduled: true }),
  }
}
