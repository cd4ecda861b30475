import * as v from 'valibot'
import { planSchema, subscriptionStatus } from '#features/subscription/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money } from '#shared/money.ts'
import { day, pageOf, paging } from '#shared/query-schemas.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
/** An id of the payment provider. */
const providerId = v.pipe(v.string(), v.regex(/^\w{1,255}$/, 'Must be an id'))

const cardSchema = v.object({
  id: v.string(),
  /** In the provider's words: visa, mastercard, amex. */
  brand: v.string(),
  last4: v.string(),
  /** 1 to 12. */
  expMonth: v.number(),
  expYear: v.number(),
  /** SOON: within 45 days. */
  expiry: v.picklist(['VALID', 'SOON', 'EXPIRED']),
  /** What comes next is charged to this card. */
  isDefault: v.boolean(),
})
export type PaymentCard = v.InferOutput<typeof cardSchema>

/** How old an answer is that comes from the payment provider. */
const provenance = {
  /** False when the provider could not be asked, and the answer is the last one that it gave. */
  isReachable: v.boolean(),
  /** When the provider said so; null when it never did. */
  asOf: v.nullable(instant),
}

const invoiceKind = v.picklist(['PLAN', 'AD_SPEND', 'OTHER'])

const invoiceSchema = v.object({
  id: v.string(),
  /** As printed on it; null for a draft. */
  number: v.nullable(v.string()),
  status: v.picklist(['draft', 'open', 'paid', 'uncollectible', 'void']),
  kind: invoiceKind,
  currency: v.string(),
  total: money,
  /** What is left to pay. */
  amountRemaining: money,
  periodStart: v.nullable(instant),
  periodEnd: v.nullable(instant),
  issuedAt: instant,
  dueAt: v.nullable(instant),
  paidAt: v.nullable(instant),
  /** Attempts to charge a card so far, and when the next one follows by itself. */
  attemptCount: v.number(),
  nextAttemptAt: v.nullable(instant),
})
export type Invoice = v.InferOutput<typeof invoiceSchema>

const advertisingAccount = {
  name: v.string(),
  countryCode: v.string(),
  /** Its own currency, in which `spend` is. */
  currency: v.string(),
  spend: money,
  /** In percent. */
  percentage: v.number(),
}

const lineSchema = v.object({
  description: v.string(),
  amount: money,
  quantity: v.nullable(v.number()),
  periodStart: v.nullable(instant),
  periodEnd: v.nullable(instant),
  /** Of a fee: the advertising account that it is for, and how it was worked out. */
  fee: v.nullable(
    v.object({
      ...advertisingAccount,
      /** How much of the invoice's currency one unit of the account's currency is worth; null when they are the same. */
      rate: v.nullable(v.number()),
    }),
  ),
})

const invoiceDetailSchema = v.object({
  ...invoiceSchema.entries,
  lines: v.array(lineSchema),
  asOf: instant,
})
export type InvoiceDetail = v.InferOutput<typeof invoiceDetailSchema>

const chargeSchema = v.object({
  at: instant,
  currency: v.string(),
  total: money,
  parts: v.array(v.object({ kind: invoiceKind, description: v.string(), amount: money })),
})

const feeSchema = v.object({
  /** The calendar month, and the day from which its fee is invoiced. */
  from: day,
  to: day,
  closesOn: day,
  currency: v.string(),
  spend: money,
  taxableSpend: money,
  fee: money,
  /** What the whole month will cost if its other days are like the last ones; null before anything can be said. */
  projectedFee: v.nullable(money),
  /** The last day of which every advertising account has figures; null if one has none. */
  figuresTo: v.nullable(day),
  /** From this day on the ad spend may still change; null if no day can. */
  unsettledFrom: v.nullable(day),
  /** How the fee is worked out, as a phrase, for each plan and percentage of the month. */
  formulas: v.array(v.string()),
  profiles: v.array(
    v.object({
      ...advertisingAccount,
      /** In the fee's currency; null without an exchange rate. */
      converted: v.nullable(money),
      fee: money,
    }),
  ),
})

const dashboardSchema = v.object({
  /** Null when there never was a subscription. */
  plan: v.nullable(
    v.pick(planSchema, ['id', 'name', 'basePrice', 'minimumTaxablePrice', 'adSpendPercentage', 'currency']),
  ),
  status: v.nullable(subscriptionStatus),
  trialEndDate: v.nullable(instant),
  periodEndDate: v.nullable(instant),
  cancelAtPeriodEnd: v.boolean(),
  /** Null when nothing is coming. */
  nextCharge: v.nullable(chargeSchema),
  /** What the advertising of this month costs so far; null without a plan that has a fee. */
  fee: v.nullable(feeSchema),
  /** What is charged next is charged to this card; null when there is none, or none is known. */
  card: v.nullable(cardSchema),
  openInvoices: v.array(invoiceSchema),
  ...provenance,
})
export type BillingDashboard = v.InferOutput<typeof dashboardSchema>

const cardsSchema = v.object({
  /** Null when the provider cannot be asked and never answered before. */
  cards: v.nullable(v.array(cardSchema)),
  /** True for a subscription that is charged: its last card cannot be removed. */
  isCardNeeded: v.boolean(),
  ...provenance,
})
export type PaymentMethods = v.InferOutput<typeof cardsSchema>

const changedCards = v.object({ ...cardsSchema.entries, openInvoices: v.array(invoiceSchema) })

const ofInvoice = {
  access: 'account',
  authority: 'ACCOUNT_MANAGER',
  params: v.strictObject({ id: providerId }),
} as const
const link = v.object({ url: v.string() })
const ofCard = { access: 'account', params: v.strictObject({ id: providerId }) } as const

/** Each of these is about the caller's own account; viewers have none (FORBIDDEN). */
export const billingEndpoints = {
  dashboard: defineEndpoint({
    method: 'GET',
    path: '/billing/dashboard',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'The plan, what is charged next and to which card, the fee so far, and invoices that are not paid',
    response: dashboardSchema,
    errors: ['FORBIDDEN'],
  }),
  invoices: defineEndpoint({
    method: 'GET',
    path: '/billing/invoices',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'The own invoices, the newest first',
    query: v.strictObject(paging),
    response: pageOf(invoiceSchema),
    errors: ['FORBIDDEN'],
  }),
  invoice: defineEndpoint({
    ...ofInvoice,
    method: 'GET',
    path: '/billing/invoices/:id',
    summary: 'An invoice with its lines; of a fee, one for each advertising account',
    response: invoiceDetailSchema,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  paymentUrl: defineEndpoint({
    ...ofInvoice,
    method: 'GET',
    path: '/billing/invoices/:id/payment-url',
    summary: 'The provider’s page that takes the payment, as it is now; CONFLICT when there is nothing to pay',
    response: link,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
  }),
  pdfUrl: defineEndpoint({
    ...ofInvoice,
    method: 'GET',
    path: '/billing/invoices/:id/pdf-url',
    summary: 'Where the invoice is as a PDF, as it is now; CONFLICT for a draft',
    response: link,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
  }),
  pay: defineEndpoint({
    ...ofInvoice,
    method: 'POST',
    path: '/billing/invoices/:id/pay',
    managing: 'blocked',
    summary: 'Charges an open invoice to a card; RULE_VIOLATED when the card is declined',
    idempotencyKey: true,
    body: v.strictObject({ cardId: providerId }),
    response: invoiceDetailSchema,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'RULE_VIOLATED', 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  }),
  paymentMethods: defineEndpoint({
    method: 'GET',
    path: '/billing/payment-methods',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'The cards; the last known ones while the payment provider cannot be reached',
    response: cardsSchema,
    errors: ['FORBIDDEN'],
  }),
  addCard: defineEndpoint({
    method: 'POST',
    path: '/billing/payment-methods/setup-intent',
    managing: 'blocked',
    access: 'account',
    summary: 'Opens the provider’s page that saves a card',
    idempotencyKey: true,
    response: v.object({ sessionId: v.string(), url: v.string() }),
    errors: ['FORBIDDEN', 'UPSTREAM_UNAVAILABLE'],
  }),
  settleCard: defineEndpoint({
    method: 'POST',
    path: '/billing/payment-methods/setup-intent/:sessionId/settle',
    managing: 'blocked',
    access: 'account',
    params: v.strictObject({ sessionId: providerId }),
    summary: 'What became of a visit to that page; a first card becomes the default. It may be called again',
    response: v.object({
      status: v.picklist(['OPEN', 'SAVED', 'EXPIRED']),
      card: v.nullable(cardSchema),
      openInvoices: v.array(invoiceSchema),
    }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
  }),
  setDefault: defineEndpoint({
    ...ofCard,
    method: 'POST',
    path: '/billing/payment-methods/:id/set-default',
    managing: 'blocked',
    summary: 'Charges this card from now on; tells which invoices are still to be paid',
    response: changedCards,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
  }),
  removeCard: defineEndpoint({
    ...ofCard,
    method: 'DELETE',
    path: '/billing/payment-methods/:id',
    managing: 'blocked',
    summary: 'Removes a card; RULE_VIOLATED for the one that a running subscription is charged to',
    response: cardsSchema,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'RULE_VIOLATED', 'UPSTREAM_UNAVAILABLE'],
  }),
}
