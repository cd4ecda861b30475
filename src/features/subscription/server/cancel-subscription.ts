import { AppError } from '#shared/errors.ts'
import type { Actor, Ctx, Services } from '#server/context.ts'
import type { Row } from '#server/db/tables.ts'
import { AmbiguousOutcome, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Subscription } from '../contract.ts'
import { standingOf } from '../rules.ts'
import { getSubscription, noSubscription } from './get-subscription.ts'
import { setPhase } from './phases.ts'
import { settleSubscription } from './settle.ts'
import { storedSubscription, type SubscriptionRow } from './subscription-rows.ts'

/**
 * Ends the subscription at the end of its period, or now. One that has ended stays unchanged, and nothing that was paid is
 * given back. Throws NOT_FOUND if there is none.
 */
export async function cancelSubscription(ctx: Ctx, atPeriodEnd: boolean): Promise<Subscription> {
  await cancel(ctx, await ownSubscription(ctx), atPeriodEnd)
  return getSubscription(ctx)
}

/** Ends the subscription of an account now, here and at the payment provider; one that has ended stays as it is. */
export async function endSubscription(services: Services, accountId: number): Promise<void> {
  const own = await storedSubscription(services.db.system, accountId)
  if (own) await cancel({ ...services, actor: { accountId } }, own, false)
}

/** What a change needs to know of the account whose subscription it is. */
type Owner = Services & { actor: Pick<Actor, 'accountId'> }

async function cancel(ctx: Owner, own: SubscriptionRow, atPeriodEnd: boolean): Promise<void> {
  const now = ctx.clock.now()
  const { status, hasActiveSubscription } = standingOf(own, now)
  const isUnfinished = own.stripeSubscriptionId !== null && (status === 'incomplete' || status === 'paused')
  if (!hasActiveSubscription && !isUnfinished) return
  if (own.stripeSubscriptionId === null)
    await changeTrial(ctx, {
      ...(!atPeriodEnd && ({ status: 'canceled', canceled_at: now } as const)),
      cancel_at_period_end: atPeriodEnd,
    })
  // What was never paid has no period to wait for.
  else if (atPeriodEnd && !isUnfinished) {
    if (!own.cancelAtPeriodEnd)
      await changeAtProvider(ctx, own, {
        intent: 'cancel-at-end',
        send: (stripe, id, once) => stripe.subscriptions.update(id, { cancel_at_period_end: true }, once),
        isDone: after => after.cancelAtPeriodEnd || after.status === 'canceled',
      })
  } else
    await changeAtProvider(ctx, own, {
      intent: 'cancel-now',
      // What is pending from changes of the plan is still owed.
      send: (stripe, id, once) => stripe.subscriptions.cancel(id, { invoice_now: true, prorate: false }, once),
      isDone: after => after.status === 'canceled' || after.status === 'incomplete_expired',
    })
}

/**
 * Undoes a cancellation while the period lasts. Without one it changes nothing. Throws NOT_FOUND if there is no
 * subscription, RULE_VIOLATED if it has ended.
 */
export async function resumeSubscription(ctx: Ctx): Promise<Subscription> {
  const own = await ownSubscription(ctx)
  if (!standingOf(own, ctx.clock.now()).hasActiveSubscription)
    throw new AppError('RULE_VIOLATED', 'The subscription has ended. Choose a plan to continue.')
  if (!own.cancelAtPeriodEnd) return getSubscription(ctx)
  if (own.stripeSubscriptionId === null) await changeTrial(ctx, { cancel_at_period_end: false })
  else
    await changeAtProvider(ctx, own, {
      intent: 'resume',
      send: async (stripe, id, once) => {
        // In the provider's own pages, a cancellation may have a date instead.
        const { cancel_at_period_end: isAtEnd } = await stripe.subscriptions.retrieve(id)
        return stripe.subscriptions.update(id, isAtEnd ? { cancel_at_period_end: false } : { cancel_at: '' }, once)
      },
      isDone: after => !after.cancelAtPeriodEnd && after.status !== 'canceled',
    })
  return getSubscription(ctx)
}

async function ownSubscription(ctx: Ctx): Promise<SubscriptionRow> {
  const own = await storedSubscription(ctx.db.system, ctx.actor.accountId)
  if (!own) throw noSubscription()
  return own
}

async function changeTrial(
  { db, clock, events, actor: { accountId } }: Owner,
  change: Partial<Pick<Row<'subscription'>, 'status' | 'canceled_at' | 'cancel_at_period_end'>>,
): Promise<void> {
  const now = clock.now()
  await db.transaction(async tx => {
    // Unless a checkout has been completed meanwhile.
    const { numUpdatedRows } = await tx
      .updateTable('subscription')
      .set({ ...change, updated_at: now })
      .where('account_id', '=', accountId)
      .where('stripe_subscription_id', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n)
      throw new AppError('CONFLICT', 'The subscription has just changed. Please look at it and try again.')
    if (change.status === 'canceled') await setPhase(tx, accountId, null, now)
    await events.publish(tx, [accountId], 'subscription', {})
  })
}

interface Change {
  intent: string
  send: (stripe: Stripe, id: string, once: { idempotencyKey: string }) => Promise<unknown>
  /** Whether the subscription is as the change would leave it. */
  isDone: (after: SubscriptionRow) => boolean
}

/** Changes a subscription at the payment provider and notes the outcome, also if the reply was lost or it was done elsewhere. */
async function changeAtProvider(ctx: Owner, own: SubscriptionRow, { intent, send, isDone }: Change): Promise<void> {
  const id = own.stripeSubscriptionId ?? ''
  // The same intent may return later, after its opposite: what it starts from tells the two apart.
  const key = `${intent}-${id}-${own.readAt?.getTime()}`
  const problem = await ctx.integrations.payments
    .write(intent, key, (stripe, once) => send(stripe, id, once))
    .then(
      () => null,
      (error: unknown) => error,
    )
  if (problem !== null && !(problem instanceof AmbiguousOutcome || problem instanceof UpstreamRejected)) throw problem
  await settleSubscription(ctx, id)
  const after = await storedSubscription(ctx.db.system, ctx.actor.accountId)
  if (problem !== null && !(after && isDone(after))) throw problem
}
