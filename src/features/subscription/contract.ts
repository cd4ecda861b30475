import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, moment, queryBoolean, queryId } from '#shared/query-schemas.ts'
import { currentSubscriptionPath } from './paths.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

export const planSchema = v.object({
  id,
  name: v.string(),
  type: v.picklist(['STARTER', 'GROWTH', 'AGENCY']),
  /** A month, in `currency`. */
  basePrice: v.number(),
  /** Ad spend a month that the base price covers. */
  minimumTaxablePrice: v.number(),
  /** Percent of the ad spend above that. */
  adSpendPercentage: v.number(),
  /** The merchants, advertising accounts and ad spend of 30 days that it allows; null where there is no limit. */
  maxMerchants: v.nullable(v.number()),
  maxProfiles: v.nullable(v.number()),
  maxSpend: v.nullable(v.number()),
  currency: v.string(),
  /** Length of the free trial. */
  trialDays: v.number(),
  stripePriceId: v.nullable(v.string()),
})
export type Plan = v.InferOutput<typeof planSchema>

/** The payment provider's own statuses. */
export const subscriptionStatus = v.picklist([
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'canceled',
  'paused',
])

/** How a user stands with the own subscription, for lists of users. */
export const subscriptionState = v.picklist(['NONE', 'TRIAL', 'ACTIVE', 'LATE', 'ENDED'])
export type SubscriptionState = v.InferOutput<typeof subscriptionState>

export const subscriptionSchema = v.object({
  hasAccess: v.boolean(),
  requiresUpgrade: v.boolean(),
  hasActiveSubscription: v.boolean(),
  status: subscriptionStatus,
  isTrialActive: v.boolean(),
  isTrialExpired: v.boolean(),
  /** Begun days left; 0 without a running trial. */
  trialDaysRemaining: v.number(),
  trialStartDate: v.nullable(instant),
  trialEndDate: v.nullable(instant),
  planId: id,
  planName: v.string(),
  /** True when it ends by itself at `periodEndDate`. */
  cancelAtPeriodEnd: v.boolean(),
  periodEndDate: v.nullable(instant),
  /** False when it belongs to someone else who shares the current merchant with the user. */
  isOwn: v.boolean(),
  /**
   * True if the payment provider bills it: then the plan changes after a preview, and the price is charged at `periodEndDate`
   * unless it ends then. Else a plan is bought by a checkout.
   */
  isBilled: v.boolean(),
  /** Whether there is a card to charge; null if nobody has looked yet, or it is not the user's own. */
  hasCard: v.nullable(v.boolean()),
  /** True if an invoice is open that should have been paid; `paymentUrl` leads to it. */
  hasOpenInvoice: v.boolean(),
  /** Why the last payment failed, in the provider's word, for instance `insufficient_funds`. */
  paymentError: v.nullable(v.string()),
  /** Until when a late payment leaves access. */
  graceEndDate: v.nullable(instant),
  /** True when the current merchant had its trial before, with another user: this trial does not cover it. */
  isMerchantTrialUsed: v.boolean(),
  /** The limits of the plan that are exceeded. Spend is that of 30 days, in USD; `upgradeBy` ends the seven days of grace. */
  overLimits: v.array(
    v.object({
      limit: v.picklist(['MERCHANTS', 'PROFILES', 'SPEND']),
      used: v.number(),
      allowed: v.number(),
      upgradeBy: instant,
    }),
  ),
})
export type Subscription = v.InferOutput<typeof subscriptionSchema>

/** The provider's id of a checkout. */
const sessionId = v.pipe(v.string(), v.regex(/^cs_\w{1,200}$/, 'Must be the id of a checkout'))

export const checkoutStatusSchema = v.object({
  /** `complete` once the buyer has finished, `expired` when it can no longer be. */
  status: v.picklist(['open', 'complete', 'expired']),
  /** `no_payment_required` at the start of a trial with a card. */
  paymentStatus: v.picklist(['paid', 'unpaid', 'no_payment_required']),
  /** The status of the subscription that it began; null before. */
  subscriptionStatus: v.nullable(subscriptionStatus),
})
export type CheckoutStatus = v.InferOutput<typeof checkoutStatusSchema>

/** What a change of plan costs. Money in `currency`. */
export const planChangeSchema = v.object({
  planId: id,
  planName: v.string(),
  currency: v.string(),
  /** Charged when the change is confirmed. */
  amountDue: v.number(),
  /** What remains of the former plan beyond that; it is used for later invoices. */
  credit: v.number(),
  /** What both consist of. */
  lines: v.array(v.object({ description: v.string(), amount: v.number() })),
  /** The price of a month, charged from `nextDate` on. */
  nextAmount: v.number(),
  nextDate: v.nullable(instant),
  /** The moment to which the days are counted. The preview can be confirmed for a quarter of an hour. */
  prorationDate: instant,
})
export type PlanChange = v.InferOutput<typeof planChangeSchema>

export const subscriptionEndpoints = {
  plans: defineEndpoint({
    method: 'GET',
    path: '/subscriptions/plans',
    access: 'public',
    summary: 'What can be subscribed to',
    response: v.array(planSchema),
  }),
  current: defineEndpoint({
    method: 'GET',
    path: currentSubscriptionPath,
    access: 'account',
    summary: 'The subscription that the user works under; none is 404',
    response: subscriptionSchema,
    errors: ['NOT_FOUND'],
  }),
  startTrial: defineEndpoint({
    method: 'POST',
    path: '/subscriptions',
    managing: 'blocked',
    access: 'account',
    summary:
      'Starts the free trial of a plan, once a user and once a merchant, without a card; during the trial it changes the plan',
    body: v.strictObject({ planId: id }),
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'TRIAL_ALREADY_USED', 'CONFLICT'],
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/subscriptions/cancel',
    managing: 'blocked',
    access: 'account',
    summary: 'Ends the subscription at the end of its period, or at once',
    query: v.strictObject({ cancelAtPeriodEnd: v.optional(queryBoolean, true) }),
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  resume: defineEndpoint({
    method: 'POST',
    path: '/subscriptions/resume',
    managing: 'blocked',
    access: 'account',
    summary: 'Undoes a cancellation before the end of the period',
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  previewPlanChange: defineEndpoint({
    method: 'GET',
    path: '/subscriptions/plan-change',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'What changing a paid subscription to another plan costs; changes nothing',
    query: v.strictObject({ planId: queryId }),
    response: planChangeSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  }),
  changePlan: defineEndpoint({
    method: 'POST',
    path: '/subscriptions/plan-change',
    managing: 'blocked',
    access: 'account',
    summary:
      'Changes the plan of a paid subscription and charges what the preview said, or nothing; CONFLICT asks for a new preview',
    body: v.strictObject({ planId: id, amountDue: v.pipe(v.number(), v.minValue(0)), prorationDate: moment }),
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'RULE_VIOLATED'],
    idempotencyKey: true,
  }),
  paymentUrl: defineEndpoint({
    method: 'GET',
    path: '/subscriptions/payment-url',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'The page of the payment provider where the open invoice is paid; CONFLICT if there is none',
    response: v.object({ url: v.string() }),
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  }),
  startCheckout: defineEndpoint({
    method: 'POST',
    path: '/checkout/subscription',
    managing: 'blocked',
    access: 'account',
    summary:
      'The page of the payment provider where a plan is bought; CONFLICT if there is a paid subscription already',
    body: v.strictObject({ planId: id }),
    response: v.object({ sessionId: v.string(), url: v.string() }),
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    idempotencyKey: true,
  }),
  checkoutStatus: defineEndpoint({
    method: 'GET',
    path: '/checkout/session/:id',
    access: 'account',
    summary: 'What became of a checkout; gives access at once if it was completed',
    params: v.strictObject({ id: sessionId }),
    response: checkoutStatusSchema,
    errors: ['NOT_FOUND'],
  }),
}
