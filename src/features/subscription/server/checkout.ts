import * as v from 'valibot'
import { ownedMerchants, trialOf } from '#features/accounts/server/public.ts'
import { findOrCreate, type Stripe } from '#integrations/stripe/index.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { type CheckoutStatus, checkoutStatusSchema } from '../contract.ts'
import { standingOf } from '../rules.ts'
import { isTrialOfOther } from './access.ts'
import { customerOf } from './customer.ts'
import { noSubscription } from './get-subscription.ts'
import { planById, priceOf } from './plan-price.ts'
import { idOf, isLive, settleAccount, settleSubscription, subscriptionsOf } from './settle.ts'
import { storedSubscription } from './subscription-rows.ts'

const hourMs = 3_600_000
/** The provider takes no trial that ends within 48 hours. */
const shortestTrialMs = 49 * hourMs
/** A session that expires sooner is not offered again. */
const marginMs = hourMs / 2

/** What is bought: one session of an account that is open has these terms. */
interface Terms {
  accountId: number
  customer: string
  planId: number
  price: string
  /** Seconds; null: the price is charged at once. */
  trialEnd: number | null
}

/**
 * The page where a plan is bought. An account has one open checkout at most: an earlier one of the same plan is continued, any
 * other expires. What is left of the free trial stays free. Throws NOT_FOUND for an unknown plan, CONFLICT with a paid
 * subscription or when another checkout began at the same moment.
 */
export async function startCheckout(ctx: Ctx, planId: number): Promise<{ sessionId: string; url: string }> {
  const { accountId } = ctx.actor
  const plan = await planById(ctx, planId)
  const customer = await customerOf(ctx, accountId)
  const terms = { accountId, customer, planId, price: await priceOf(ctx, plan), trialEnd: await trialEndOf(ctx) }
  const earlier = await sessionsOf(ctx, customer)
  const fitting = earlier.find(session => fits(ctx, session, terms))
  for (const session of earlier) if (session !== fitting) await expire(ctx, session)
  // After the sessions were read: one that was completed before has its subscription by now.
  await requireNoneLive(ctx, accountId)
  const session = await onlyOne(ctx, fitting ?? (await createSession(ctx, terms, earlier[0]?.id)))
  const answer = { sessionId: session.id, url: session.url ?? '' }
  await ctx.db.transaction(async tx => {
    await noteOpen(tx, ctx, session.id, planId)
    await ctx.saveAnswer(tx, answer)
  })
  return answer
}

async function requireNoneLive(ctx: Ctx, accountId: number): Promise<void> {
  if (!(await subscriptionsOf(ctx, accountId)).some(isLive)) return
  await settleAccount(ctx, accountId)
  throw new AppError('CONFLICT', 'You have a paid subscription already. You can change its plan.')
}

/** The end of the running trial, if it covers all merchants of the account; else a trial would leave one without access. */
async function trialEndOf({ db, clock, actor: { accountId } }: Ctx): Promise<number | null> {
  const now = clock.now()
  const own = await storedSubscription(db.system, accountId)
  if (!own?.trialEndsAt || own.stripeSubscriptionId !== null || !standingOf(own, now).isTrialActive) return null
  for (const merchantId of await ownedMerchants(db.system, accountId))
    if (isTrialOfOther(await trialOf(db.system, merchantId), accountId)) return null
  // By the hour, so that two calls at the same time ask for the same.
  const shortest = Math.ceil((now.getTime() + shortestTrialMs) / hourMs) * hourMs
  return Math.ceil(Math.max(own.trialEndsAt.getTime(), shortest) / 1000)
}

const isPurchase = ({ mode }: Stripe.Checkout.Session): boolean => mode === 'subscription'

/** The checkouts of a customer that nobody has completed yet, and the newest of all in front of them. */
async function sessionsOf({ integrations: { payments } }: Ctx, customer: string): Promise<Stripe.Checkout.Session[]> {
  const { data } = await payments.read('list checkouts', stripe =>
    stripe.checkout.sessions.list({ customer, limit: 100 }),
  )
  return data.filter(isPurchase).filter((session, i) => i === 0 || session.status === 'open')
}

function fits({ clock }: Ctx, session: Stripe.Checkout.Session, { price, trialEnd }: Terms): boolean {
  const { status, url, metadata, expires_at: expiresAt } = session
  const isLasting = expiresAt * 1000 - clock.now().getTime() > marginMs
  // A short trial is prolonged to a later moment each time.
  const isSameTrial = (metadata?.trialEnd === 'none') === (trialEnd === null)
  return status === 'open' && url !== null && isLasting && metadata?.price === price && isSameTrial
}

async function expire({ integrations: { payments } }: Ctx, { id, status }: Stripe.Checkout.Session): Promise<void> {
  if (status !== 'open') return
  await payments
    .write('expire checkout', `expire-${id}`, (stripe, once) => stripe.checkout.sessions.expire(id, {}, once))
    .catch((error: unknown) => {
      // It was completed or has expired by itself.
      if (!(error instanceof UpstreamRejected)) throw error
    })
}

function createSession(
  ctx: Ctx,
  { accountId, customer, planId, price, trialEnd }: Terms,
  newest: string | undefined,
): Promise<Stripe.Checkout.Session> {
  const { payments } = ctx.integrations
  const page = `${ctx.config.publicUrl}/subscription`
  const ours = { accountId: String(accountId), planId: String(planId) }
  const terms = { accountId, customer, planId, price, trialEnd }
  return findOrCreate(payments, {
    operation: 'create checkout',
    // All who begin at the same moment get the same session, and each session lets another begin.
    key: `checkout-${accountId}-${price}-${trialEnd ?? 'none'}-after-${newest ?? customer}`,
    find: async () => (await sessionsOf(ctx, customer)).find(session => fits(ctx, session, terms)) ?? null,
    create: (stripe, once) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: String(accountId),
          line_items: [{ price, quantity: 1 }],
          payment_method_collection: 'always',
          metadata: { ...ours, price, trialEnd: String(trialEnd ?? 'none') },
          subscription_data: {
            metadata: ours,
            ...(trialEnd !== null && {
              trial_end: trialEnd,
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
            }),
          },
          success_url: `${page}/checkout?session={CHECKOUT_SESSION_ID}`,
          cancel_url: `${page}?checkout=left`,
        },
        once,
      ),
  })
}

/** Of checkouts that began at the same moment for different plans, the last one stays open. */
async function onlyOne(ctx: Ctx, session: Stripe.Checkout.Session): Promise<Stripe.Checkout.Session> {
  const open = (await sessionsOf(ctx, idOf(session.customer ?? ''))).filter(({ status }) => status === 'open')
  const [last] = open.sort((a, b) => b.created - a.created || b.id.localeCompare(a.id))
  for (const other of open) if (other !== last) await expire(ctx, other)
  if (last?.id !== session.id)
    throw new AppError(
      'CONFLICT',
      'Another checkout has just begun in another window. Nothing was charged. Please try again.',
    )
  return session
}

async function noteOpen(
  tx: Db,
  { clock, actor: { accountId } }: Ctx,
  sessionId: string,
  planId: number,
): Promise<void> {
  const now = clock.now()
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  await tx
    .updateTable('checkout')
    .set({ status: 'expired', updated_at: now })
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where('session_id', '!=', sessionId)
    .execute()
  await tx
    .insertInto('checkout')
    .values({
      session_id: sessionId,
      account_id: accountId,
      plan_id: planId,
      status: 'open',
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict => conflict.column('session_id').doNothing())
    .execute()
}

/**
 * What became of a checkout, as the provider has it. One that was completed gives access at once, even before the provider's
 * own message. Throws NOT_FOUND unless it is the user's own.
 */
export async function checkoutStatus(ctx: Ctx, sessionId: string): Promise<CheckoutStatus> {
  const { db, integrations, actor } = ctx
  const unknown = () => new AppError('NOT_FOUND', 'There is no such checkout.')
  const checkouts = db.system.selectFrom('checkout').select('account_id').where('session_id', '=', sessionId)
  const stored = await checkouts.executeTakeFirst()
  if (stored && stored.account_id !== actor.accountId) throw unknown()
  const session = await integrations.payments
    .read('read checkout', stripe => stripe.checkout.sessions.retrieve(sessionId))
    .catch((error: unknown) => {
      throw error instanceof UpstreamRejected ? unknown() : error
    })
  // A process may have died before it could note the session.
  const account = await db.system
    .selectFrom('account')
    .select('stripe_customer_id')
    .where('id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  if (!session.customer || idOf(session.customer) !== account.stripe_customer_id) throw unknown()
  const { status, payment_status: paymentStatus } = session
  await noteEnd(ctx, session)
  const subscriptionStatus = session.subscription ? await settledStatus(ctx, idOf(session.subscription)) : null
  return v.parse(checkoutStatusSchema, { status: status ?? 'open', paymentStatus, subscriptionStatus })
}

/** Notes that a checkout is no longer open. */
async function noteEnd({ db, clock }: Services, { id, status }: Stripe.Checkout.Session): Promise<void> {
  if (status === 'open' || status === null) return
  await db.system
    .updateTable('checkout')
    .set({ status: v.parse(checkoutStatusSchema.entries.status, status), updated_at: clock.now() })
    .where('session_id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

/** Reads a checkout from the payment provider again, and notes its end and the subscription that came of it. For its events. */
export async function settleCheckout(services: Services, sessionId: string): Promise<void> {
  const session = await services.integrations.payments.read('read checkout', stripe =>
    stripe.checkout.sessions.retrieve(sessionId),
  )
  await noteEnd(services, session)
  if (session.subscription) await settleSubscription(services, idOf(session.subscription))
}

async function settledStatus(ctx: Ctx, subscription: string): Promise<string> {
  await settleSubscription(ctx, subscription)
  const own = await storedSubscription(ctx.db.system, ctx.actor.accountId)
  if (own?.stripeSubscriptionId === subscription) return own.status
  const other = await ctx.integrations.payments.read('read subscription', stripe =>
    stripe.subscriptions.retrieve(subscription),
  )
  return other.status
}

/**
 * The page where the open invoice of the subscription is paid; it is good for this moment only. Throws NOT_FOUND without a
 * subscription, CONFLICT if nothing is open.
 */
export async function paymentUrl(ctx: Ctx): Promise<{ url: string }> {
  const { accountId } = ctx.actor
  const own = await storedSubscription(ctx.db.system, accountId)
  if (!own) throw noSubscription()
  const { openInvoiceId: id } = own
  const invoice = id && (await ctx.integrations.payments.read('read invoice', stripe => stripe.invoices.retrieve(id)))
  if (invoice && invoice.status === 'open' && invoice.hosted_invoice_url) return { url: invoice.hosted_invoice_url }
  await settleAccount(ctx, accountId)
  throw new AppError('CONFLICT', 'There is no invoice to pay.')
}
