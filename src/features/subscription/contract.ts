import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryBoolean } from '#shared/query-schemas.ts'
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
    access: 'account',
    summary:
      'Starts the free trial of a plan, once a user and once a merchant, without a card; during the trial it changes the plan',
    body: v.strictObject({ planId: id }),
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'TRIAL_ALREADY_USED'],
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/subscriptions/cancel',
    access: 'account',
    summary: 'Ends the subscription at the end of its period, or at once',
    query: v.strictObject({ cancelAtPeriodEnd: v.optional(queryBoolean, true) }),
    response: subscriptionSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
}
