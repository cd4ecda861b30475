import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import type { Charge, Dispute, Refund } from './model.ts'
import { invalid } from './stripe-error.ts'

/** The charge that a refund names: itself, or the one that its payment succeeded with. */
function chargeOf(account: Account, { charge, payment_intent: intent }: Stripe.RefundCreateParams): Charge {
  if (charge !== undefined) return account.get('charge', charge, 'charge')
  if (intent === undefined)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  const payment = account.get('payment_intent', intent, 'payment_intent')
  const found = account.all('charge').find(one => one.payment_intent === payment.id && one.status === 'succeeded')
  if (!found)
    throw invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  return found
}

/** Gives back what was paid, or a part of it. The invoice stays paid, as the real one's does. */
function addRefund(account: Account, params: Stripe.RefundCreateParams): Refund {
  const charge = chargeOf(account, params)
  const remaining = charge.amount - charge.amount_refunded
  if (charge.status === 'failed' || remaining === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const { amount = remaining, reason = null } = params
  if (amount > remaining || amount < 1)
    throw invalid('Refund amount is greater than unrefunded amount on charge.', { param: 'amount' })
  const refund = account.add('refund', {
    amount,
    charge: charge.id,
    currency: charge.currency,
    metadata: mergeMetadata(null, params.metadata),
    payment_intent: charge.payment_intent,
    reason,
    status: 'succeeded',
  } as Partial<Refund>)
  account.change(charge, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: charge.amount_refunded + amount === charge.amount,
  })
  account.announce('refund.created', refund)
  account.announce('charge.refunded', charge)
  return refund
}

const EVIDENCE_DAYS = 9

/** The bank of the card takes the payment back, unless it is convinced otherwise. */
export function addDispute(account: Account, charge: Charge): void {
  const { amount, currency, payment_intent } = charge
  const dispute = account.add('dispute', {
    amount,
    charge: charge.id,
    currency,
    evidence_details: {
      due_by: account.now() + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    metadata: {},
    payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  } as Partial<Dispute>)
  account.change(charge, { disputed: true })
  account.announce('charge.dispute.created', dispute)
  account.announce('charge.dispute.funds_withdrawn', dispute)
}

export const refundHandlers = {
  'disputes.retrieve': (account, _params, { id }) => account.get('dispute', id),
  'disputes.list': (account, params: Stripe.DisputeListParams, at) => {
    const { charge, payment_intent: intent } = params
    const found = account
      .all('dispute')
      .filter(one => (!charge || one.charge === charge) && (!intent || one.payment_intent === intent))
    return pageOf(account, found, params as ListParams, at)
  },
  // Who closes a dispute accepts it.
  'disputes.close': (account, _params, { id }) => {
    const dispute = account.get('dispute', id)
    if (dispute.status === 'lost') throw invalid('This dispute is already closed.')
    account.change(dispute, { status: 'lost' })
    account.announce('charge.dispute.closed', dispute)
    return dispute
  },
  'refunds.create': (account, params: Stripe.RefundCreateParams) => addRefund(account, params),
  'refunds.retrieve': (account, _params, { id }) => account.get('refund', id),
  'refunds.list': (account, params: Stripe.RefundListParams, at) => {
    const { charge, payment_intent: intent } = params
    const found = account
      .all('refund')
      .filter(one => (!charge || one.charge === charge) && (!intent || one.payment_intent === intent))
    return pageOf(account, found, params as ListParams, at)
  },
} satisfies Partial<Handlers>
