import { sql } from 'kysely'
import * as v from 'valibot'
import { takeTrial, tenancyOf } from '#features/accounts/server/public.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { subscriptionStatus } from '../contract.ts'
import { graceEnd, standingOf } from '../rules.ts'
import { accountOfCustomer } from './customer.ts'
import { openPhase, setPhase } from './phases.ts'
import { standingColumns } from './subscription-rows.ts'

const live: readonly Stripe.Subscription.Status[] = ['trialing', 'active', 'past_due', 'unpaid']
const over: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired']
/** Whether it charges, or will: an account may have one of these only. */
export const isLive = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => live.includes(status)

const dateOf = (seconds: number): Date => new Date(seconds * 1000)
const maybeDate = (seconds: number | null): Date | null => (seconds === null ? null : dateOf(seconds))

/**
 * Reads the subscription from the payment provider and notes what it finds: status, periods, phases, open invoice. Safe to
 * repeat, in any order, and by several processes: an older answer never overwrites a newer one. A subscription of nobody
 * here is left alone. Rejects with an upstream error if the provider cannot be read.
 */
export async function settleSubscription(services: Services, stripeSubscriptionId: string): Promise<void> {
  const { db, log, integrations } = services
  const row = await db.system
    .selectFrom('subscription')
    .select('account_id')
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst()
  if (row) return settleAccount(services, row.account_id)
  const { customer } = await integrations.payments.read('read subscription', stripe =>
    stripe.subscriptions.retrieve(stripeSubscriptionId),
  )
  const accountId = await accountOfCustomer(db.system, idOf(customer))
  if (accountId === null) log.warn({ subscription: stripeSubscriptionId }, 'a subscription belongs to no account')
  else await settleAccount(services, accountId)
}

/** The id of something that the provider may have expanded. */
export const idOf = (object: string | { id: string }): string => (typeof object === 'string' ? object : object.id)

/** The same, for whichever subscription the account has at the provider. Without one it does nothing. */
export async function settleAccount(services: Services, accountId: number): Promise<void> {
  const { db, log } = services
  // Taken before the provider is asked, so that it orders the answers.
  const { rows } = await sql<{ reading: number }>`select nextval('subscription_reading') as reading`.execute(db.system)
  const all = await subscriptionsOf(services, accountId)
  const found = currentOf(all)
  if (!found) return
  const invoice = isLive(found) || found.status === 'incomplete' ? await openInvoiceOf(services, found) : null
  await db.transaction(tx => noteSubscription(services, tx, accountId, found, invoice, Number(rows[0]?.reading)))
  for (const double of all) {
    if (double.id === found.id || over.includes(double.status)) continue
    const doubled = { accountId, canceled: double.id, status: double.status, remaining: found.id }
    if (double.metadata.accountId !== String(accountId)) {
      log.error(doubled, 'an account has a second subscription that we did not make')
      continue
    }
    log.error(doubled, 'a second subscription of an account is canceled; what was paid for it becomes credit')
    await services.integrations.payments.write(
      'cancel second subscription',
      `cancel-second-${double.id}`,
      (stripe, once) => stripe.subscriptions.cancel(double.id, { prorate: true, invoice_now: true }, once),
    )
  }
}

/**
 * Every subscription that the account's customer ever had at the provider, with the customer, and the stored one, which may be
 * of a customer who was deleted since. Empty if the account has no customer.
 */
export async function subscriptionsOf(
  { db, integrations }: Services,
  accountId: number,
): Promise<Stripe.Subscription[]> {
  const account = await db.system
    .selectFrom('account as a')
    .leftJoin('subscription as s', 's.account_id', 'a.id')
    .select(['a.stripe_customer_id as customer', 's.stripe_subscription_id as stored'])
    .where('a.id', '=', accountId)
    .executeTakeFirst()
  if (!account?.customer) return []
  const { customer, stored } = account
  const all = await integrations.payments.read('list subscriptions', stripe =>
    stripe.subscriptions
      .list({ customer, status: 'all', limit: 100, expand: ['data.customer'] })
      .autoPagingToArray({ limit: 1000 }),
  )
  if (stored === null || all.some(({ id }) => id === stored)) return all
  const former = await integrations.payments.read('read subscription', stripe =>
    stripe.subscriptions.retrieve(stored, { expand: ['customer'] }),
  )
  return [former, ...all]
}

/** The one that counts: the oldest that charges; else the newest that may yet be paid; else the newest. */
function currentOf(all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const oldestFirst = [...all].sort((a, b) => a.created - b.created || a.id.localeCompare(b.id))
  return oldestFirst.find(isLive) ?? oldestFirst.findLast(one => !over.includes(one.status)) ?? oldestFirst.at(-1)
}

/** The newest invoice that was not paid, and why its last payment failed. */
async function openInvoiceOf({ integrations: { payments } }: Services, { id, status }: Stripe.Subscription) {
  if (status === 'active' || status === 'trialing') return null
  const { data } = await payments.read('list open invoices', stripe =>
    stripe.invoices.list({ subscription: id, status: 'open', limit: 1 }),
  )
  const [invoice] = data
  if (!invoice) return null
  const paid = await payments.read('read payment of invoice', stripe =>
    stripe.invoicePayments.list({ invoice: invoice.id, limit: 1, expand: ['data.payment.payment_intent'] }),
  )
  const intent = paid.data[0]?.payment.payment_intent
  const problem = typeof intent === 'object' ? intent.last_payment_error : null
  const needsOwner = typeof intent === 'object' && intent.status === 'requires_action'
  return {
    id: invoice.id,
    // It is charged for the first time when it is finalized.
    failedAt: maybeDate(invoice.status_transitions.finalized_at),
    error: problem?.decline_code ?? problem?.code ?? (needsOwner ? 'authentication_required' : null),
  }
}
type OpenInvoice = Awaited<ReturnType<typeof openInvoiceOf>>

async function noteSubscription(
  services: Services,
  tx: Db,
  accountId: number,
  found: Stripe.Subscription,
  invoice: OpenInvoice,
  reading: number,
): Promise<void> {
  const { clock, events, log } = services
  const now = clock.now()
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  const row = await tx.selectFrom('subscription').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  if (row && row.reading > reading) return
  const isNew = row?.stripe_subscription_id !== found.id
  // A trial here goes on whatever became of a subscription that was never paid.
  if (row && row.stripe_subscription_id === null && !isLive(found) && standingOf(standingColumns(row), now).hasAccess)
    return
  const planId = (await planOf(tx, found)) ?? row?.plan_id
  if (planId === undefined) {
    log.error({ accountId, subscription: found.id }, 'the price of a subscription belongs to no plan')
    return
  }
  const columns = { plan_id: planId, ...columnsOf(found, row, invoice, now), reading, read_at: now, updated_at: now }
  const plan_since = row?.plan_id === planId ? row.plan_since : now
  await tx
    .insertInto('subscription')
    .values({ account_id: accountId, ...columns, plan_since, created_at: now })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet({ ...columns, plan_since }))
    .execute()
  await markTrialUsed(tx, accountId, found, now)
  await notePhase(tx, accountId, found, { planId, isNew, standing: standingColumns(columns), now })
  await events.publish(tx, [accountId], 'subscription', {})
}

/** The plan that the price of a subscription belongs to. An older price of a plan says so itself. */
async function planOf(tx: Db, { items, metadata }: Stripe.Subscription): Promise<number | undefined> {
  const price = items.data[0]?.price
  const plans = await tx.selectFrom('plan').select(['id', 'stripe_price_id']).execute()
  const named = price?.metadata.planId ?? metadata.planId
  return (plans.find(plan => plan.stripe_price_id === price?.id) ?? plans.find(plan => String(plan.id) === named))?.id
}

function columnsOf(found: Stripe.Subscription, row: Row<'subscription'> | undefined, invoice: OpenInvoice, now: Date) {
  const { status, cancel_at: cancelAt, cancel_at_period_end: cancelsAtEnd, start_date: start } = found
  const [item] = found.items.data
  const periodEnd = item?.current_period_end ?? start
  const isLate = status === 'past_due' || status === 'unpaid'
  const lateSince = row?.stripe_subscription_id === found.id ? row.past_due_since : null
  const { customer } = found
  const customersCard =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null
  // Who pays before the trial is over ends it.
  const localEnd =
    row?.trial_ends_at && row.trial_ends_at > dateOf(start) ? dateOf(start) : (row?.trial_ends_at ?? null)
  return {
    status: v.parse(subscriptionStatus, status),
    stripe_subscription_id: found.id,
    stripe_item_id: item?.id ?? null,
    trial_started_at: row?.trial_started_at ?? maybeDate(found.trial_start),
    trial_ends_at: maybeDate(found.trial_end) ?? localEnd,
    period_started_at: dateOf(item?.current_period_start ?? start),
    period_ends_at: dateOf(Math.min(periodEnd, cancelAt ?? periodEnd)),
    cancel_at_period_end: cancelsAtEnd || (cancelAt !== null && cancelAt <= periodEnd),
    canceled_at: maybeDate(found.ended_at ?? found.canceled_at),
    past_due_since: isLate ? (lateSince ?? invoice?.failedAt ?? now) : null,
    open_invoice_id: invoice?.id ?? null,
    payment_error: invoice?.error ?? null,
    has_card: (found.default_payment_method ?? customersCard) !== null,
  }
}

/** However a trial began, it is the only one of the account and of the merchants that it covers; so is none after paying. */
async function markTrialUsed(tx: Db, accountId: number, found: Stripe.Subscription, now: Date): Promise<void> {
  const { trial_start: start, trial_end: end, start_date } = found
  const account = await tx
    .selectFrom('account')
    .select(['has_used_trial', 'trial_ends_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const startedAt = maybeDate(start)
  const isFirst = !account.has_used_trial
  if (isFirst && startedAt && end !== null && dateOf(end) > now)
    for (const merchantId of (await tenancyOf(tx, accountId)).merchantIds)
      await takeTrial(tx, merchantId, accountId, startedAt)
  const paidFrom = dateOf(start_date)
  const endsAt =
    maybeDate(end) ?? (account.trial_ends_at && account.trial_ends_at > paidFrom ? paidFrom : account.trial_ends_at)
  await tx
    .updateTable('account')
    .set({ has_used_trial: true, trial_ends_at: endsAt, ...(isFirst && { trial_started_at: startedAt }) })
    .where('id', '=', accountId)
    .execute()
}

interface PhaseContext {
  planId: number
  isNew: boolean
  standing: ReturnType<typeof standingColumns>
  now: Date
}

async function notePhase(
  tx: Db,
  accountId: number,
  found: Stripe.Subscription,
  { planId, isNew, standing, now }: PhaseContext,
): Promise<void> {
  const isPaid = found.status !== 'trialing'
  if (!standingOf(standing, now).hasAccess) {
    const endedAt = found.ended_at ?? (found.status === 'paused' ? found.trial_end : null)
    const end = maybeDate(endedAt) ?? (standing.pastDueSince && graceEnd(standing.pastDueSince)) ?? now
    await setPhase(tx, accountId, null, end < now ? end : now)
    return
  }
  const open = await openPhase(tx, accountId)
  const paidFrom = Math.max(found.start_date, isPaid ? (found.trial_end ?? 0) : 0)
  // When a plan was changed, or late payment resumed, the provider does not say.
  const isDated = isNew || (isPaid && open?.isPaid === false)
  await setPhase(tx, accountId, { planId, isPaid }, isDated ? dateOf(paidFrom) : now)
}
