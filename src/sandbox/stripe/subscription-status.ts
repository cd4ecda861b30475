import type { Account } from './account.ts'
import type { Invoice, Subscription } from './model.ts'

const isOwed = ({ status }: Invoice): boolean => status === 'open' || status === 'uncollectible'

/** Ends a subscription now; its open invoices are no longer collected by themselves. */
export function endSubscription(
  account: Account,
  subscription: Subscription,
  reason: string | null,
  details: object = {},
): void {
  const now = account.now()
  account.change(subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: { ...subscription.cancellation_details, ...details, reason },
  })
  for (const invoice of account.all('invoice'))
    if (invoice._subscription === subscription.id && (invoice.status === 'open' || invoice.status === 'draft'))
      account.change(invoice, { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null })
  account.announce('customer.subscription.deleted', subscription)
}

/** What a paid invoice means for its subscription: one that was held up for want of it continues. */
export function afterPayment(account: Account, invoice: Invoice): void {
  const subscription = account.find('subscription', invoice._subscription)
  if (!subscription || !['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) return
  const owes = account.all('invoice').some(one => one._subscription === subscription.id && isOwed(one))
  if (!owes || subscription.latest_invoice === invoice.id) account.update(subscription, { status: 'active' })
}

/** What a failed attempt means for the subscription; after the last one, the account's settings decide. */
export function afterFailure(account: Account, invoice: Invoice, isLast: boolean): void {
  const subscription = account.find('subscription', invoice._subscription)
  if (!subscription || !['active', 'past_due', 'trialing'].includes(subscription.status)) return
  const { afterLastAttempt } = account.settings
  if (isLast && afterLastAttempt === 'cancel') endSubscription(account, subscription, 'payment_failed')
  else account.update(subscription, { status: isLast && afterLastAttempt === 'unpaid' ? 'unpaid' : 'past_due' })
}
