import { AppError } from '#shared/errors.ts'
import { fromMicros } from '#shared/money.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Ctx } from '#server/context.ts'
import type { Row } from '#server/db/tables.ts'
import { AmbiguousOutcome, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { PlanChange, Subscription } from '../contract.ts'
import { getSubscription, noSubscription } from './get-subscription.ts'
import { planById, priceOf } from './plan-price.ts'
import { settleSubscription } from './settle.ts'
import { storedSubscription, type SubscriptionRow } from './subscription-rows.ts'

const maxPreviewAgeMs = 15 * 60_000

interface Target {
  own: SubscriptionRow & { stripeSubscriptionId: string; stripeItemId: string }
  plan: Row<'plan'>
  price: string
}

/**
 * What changing to another plan costs now: the rest of the former plan's month counts. Throws NOT_FOUND for an unknown plan or
 * without a subscription, CONFLICT where the plan cannot change.
 */
export async function previewPlanChange(ctx: Ctx, planId: number): Promise<PlanChange> {
  const target = await targetOf(ctx, planId)
  const { periodStartedAt } = target.own
  const at = Math.floor(Math.max(ctx.clock.now().getTime(), periodStartedAt?.getTime() ?? 0) / 1000)
  return planChangeOf(await previewOf(ctx, target, at), target, at)
}

/**
 * Changes the plan and charges the amount of the preview. If the payment fails, nothing changes and it throws RULE_VIOLATED.
 * Throws CONFLICT if the preview no longer holds. Further as `previewPlanChange`.
 */
export async function changePlan(
  ctx: Ctx,
  { planId, amountDue, prorationDate }: Pick<PlanChange, 'planId' | 'amountDue' | 'prorationDate'>,
): Promise<Subscription> {
  const own = await ownSubscription(ctx)
  if (own.stripeSubscriptionId !== null) await settleSubscription(ctx, own.stripeSubscriptionId)
  // An earlier attempt, whose reply was lost.
  if ((await ownSubscription(ctx)).planId === planId) return getSubscription(ctx)
  const target = await targetOf(ctx, planId)
  const at = Math.floor(Date.parse(prorationDate) / 1000)
  const ageMs = ctx.clock.now().getTime() - at * 1000
  const isCurrent = ageMs < maxPreviewAgeMs && ageMs > -60_000
  const preview = isCurrent ? planChangeOf(await previewOf(ctx, target, at), target, at) : null
  if (preview?.amountDue !== amountDue)
    throw new AppError(
      'CONFLICT',
      'What the change costs is different now. Nothing was charged. Please look at it again.',
    )
  const { stripeSubscriptionId: id } = target.own
  const problem = await ctx.integrations.payments
    .write('change plan', `plan-${id}-${planId}-${at}`, (stripe, once) =>
      stripe.subscriptions.update(
        id,
        { ...changeTo(target, at), payment_behavior: 'error_if_incomplete', metadata: { planId: String(planId) } },
        once,
      ),
    )
    .then(
      () => null,
      (error: unknown) => error,
    )
  if (problem instanceof UpstreamRejected && problem.status === 402) throw declined(problem.code)
  if (problem !== null && !(problem instanceof AmbiguousOutcome)) throw problem
  await settleSubscription(ctx, id)
  if (problem !== null && (await ownSubscription(ctx)).planId !== planId) throw problem
  return getSubscription(ctx)
}

async function ownSubscription(ctx: Ctx): Promise<SubscriptionRow> {
  const own = await storedSubscription(ctx.db.system, ctx.actor.accountId)
  if (!own) throw noSubscription()
  return own
}

async function targetOf(ctx: Ctx, planId: number): Promise<Target> {
  const own = await ownSubscription(ctx)
  const plan = await planById(ctx, planId)
  const { status, stripeSubscriptionId, stripeItemId } = own
  const conflict = (message: string) => new AppError('CONFLICT', message)
  if (status === 'past_due' || status === 'unpaid')
    throw conflict('Pay the open invoice first. Then you can change the plan.')
  if (stripeSubscriptionId === null || stripeItemId === null || (status !== 'active' && status !== 'trialing'))
    throw conflict('There is no paid subscription whose plan could change. Subscribe to a plan instead.')
  if (own.planId === planId) throw conflict('This is your plan already.')
  return { own: { ...own, stripeSubscriptionId, stripeItemId }, plan, price: await priceOf(ctx, plan) }
}

const changeTo = ({ own, price }: Target, at: number) => ({
  items: [{ id: own.stripeItemId, price }],
  proration_behavior: 'always_invoice' as const,
  proration_date: at,
})

const previewOf = (ctx: Ctx, target: Target, at: number): Promise<Stripe.Invoice> =>
  ctx.integrations.payments.read('preview change of plan', stripe =>
    stripe.invoices.createPreview({
      subscription: target.own.stripeSubscriptionId,
      subscription_details: changeTo(target, at),
    }),
  )

const amountOf = (cents: number): number => fromMicros(cents * 10_000)

function planChangeOf(invoice: Stripe.Invoice, { own, plan }: Target, at: number): PlanChange {
  // During a trial nothing is charged; the provider shows the first invoice after it.
  const isTrial = own.status === 'trialing'
  const { total, amount_due: due } = isTrial ? { total: 0, amount_due: 0 } : invoice
  const used = Math.max(0, total) - due
  const lines = isTrial ? [] : invoice.lines.data
  return {
    planId: plan.id,
    planName: plan.name,
    currency: 'USD',
    amountDue: amountOf(due),
    credit: amountOf(Math.max(0, -total)),
    lines: [
      ...lines.map(({ description, amount }) => ({ description: description ?? plan.name, amount: amountOf(amount) })),
      ...(used > 0 ? [{ description: 'Credit from before', amount: amountOf(-used) }] : []),
    ],
    nextAmount: fromMicros(plan.base_price_micros),
    nextDate: own.periodEndsAt?.toISOString() ?? null,
    prorationDate: new Date(at * 1000).toISOString(),
  }
}

/** What the provider calls a payment that its owner must confirm. */
const unconfirmed = [
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'subscription_payment_intent_requires_action',
]

const declined = (code: string | undefined): AppError =>
  new AppError(
    'RULE_VIOLATED',
    unconfirmed.includes(code ?? '')
      ? 'Your bank asks you to confirm each payment with this card. Your plan has not changed; choose another card and try again.'
      : 'Your card was declined. Your plan has not changed; check the card or choose another one, then try again.',
  )
