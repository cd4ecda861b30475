import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * `PENDING` until the refund period is over, then `PAYABLE`, then `PAID`; `REVERSED` when the invoice was voided, refunded or
 * disputed.
 */
const commissionState = v.picklist(['PENDING', 'PAYABLE', 'PAID', 'REVERSED'])
export type CommissionState = v.InferOutput<typeof commissionState>

const referral = v.object({
  /** A shortened email address. */
  name: v.string(),
  registeredDate: instant,
  /** When its first invoice was paid; null before. */
  firstPaidDate: v.nullable(instant),
  /** Its invoices that are paid from this moment on earn nothing; null before the first one. */
  earnsUntilDate: v.nullable(instant),
})
export type Referral = v.InferOutput<typeof referral>

const commission = v.object({
  /** The shortened email address of the referral. */
  name: v.string(),
  state: commissionState,
  amount: v.number(),
  currency: v.string(),
  /** When the invoice was paid. */
  invoicePaidDate: instant,
  payableDate: instant,
  paidOutDate: v.nullable(instant),
})
export type Commission = v.InferOutput<typeof commission>

export const affiliateSchema = v.object({
  code: v.string(),
  /** Leads to the registration, with the code filled in. */
  link: v.string(),
  /** Percent of the plan's price, for how many months, and after how many days a commission is payable. */
  terms: v.object({ percent: v.number(), months: v.number(), holdDays: v.number() }),
  referralCount: v.number(),
  commissionCount: v.number(),
  /** The newest hundred. */
  referrals: v.array(referral),
  commissions: v.array(commission),
  /** Over all commissions. `payable` is what remains after paid commissions that were reversed later. */
  totals: v.array(v.object({ currency: v.string(), pending: v.number(), payable: v.number(), paid: v.number() })),
})
export type Affiliate = v.InferOutput<typeof affiliateSchema>

export const affiliateEndpoints = {
  // What was earned stays visible after the own subscription has ended.
  own: defineEndpoint({
    method: 'GET',
    path: '/affiliate',
    access: 'account',
    summary: 'The own code and link, who registered with it, and what that earned',
    response: affiliateSchema,
  }),
}
