export type Metadata = Record<string, string>

/** An object of the account as its answers have it. Names that begin with `_` never leave the emulator. */
export interface StripeObject {
  id: string
  object: string
  created: number
  metadata: Metadata | null
}

export interface Product extends StripeObject {
  active: boolean
  default_price: string | null
  name: string
  updated: number
}

export type Interval = 'day' | 'week' | 'month' | 'year'
export interface Price extends StripeObject {
  active: boolean
  currency: string
  lookup_key: string | null
  nickname: string | null
  product: string
  recurring: { interval: Interval; interval_count: number; trial_period_days: number | null; usage_type: string } | null
  type: 'recurring' | 'one_time'
  unit_amount: number | null
  /** In minor units, with up to 12 decimals. */
  unit_amount_decimal: string
}

export interface Customer extends StripeObject {
  /** Minor units; below zero: credit for coming invoices. */
  balance: number
  currency: string | null
  delinquent: boolean
  email: string | null
  name: string | null
  invoice_prefix: string
  invoice_settings: { default_payment_method: string | null }
  next_invoice_sequence: number
  _deleted?: boolean
}

export interface PaymentMethod extends StripeObject {
  customer: string | null
  type: string
  billing_details: { email: string | null; name: string | null }
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string }
  _number: string
  /** Authenticated for payments without its owner. */
  _isSetUp: boolean
}

export interface SetupIntent extends StripeObject {
  customer: string | null
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
  client_secret: string
  usage: string
}

export interface PaymentIntent extends StripeObject {
  amount: number
  currency: string
  customer: string | null
  latest_charge: string | null
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  client_secret: string
  description: string | null
  next_action: object | null
  /** Null while it belongs to a Checkout that is not complete. */
  _invoice: string | null
}

export interface Charge extends StripeObject {
  amount: number
  amount_refunded: number
  currency: string
  refunded: boolean
  disputed: boolean
  customer: string | null
  payment_intent: string | null
  status: 'succeeded' | 'failed'
}

export interface Refund extends StripeObject {
  amount: number
  charge: string
  payment_intent: string | null
}

export interface Dispute extends StripeObject {
  amount: number
  charge: string
  currency: string
  payment_intent: string | null
  reason: string
  status: 'needs_response' | 'lost'
}

export interface LineItem {
  id: string
  price: string
  quantity: number
}

export interface CheckoutSession extends StripeObject {
  mode: 'payment' | 'setup' | 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  payment_method_collection: 'always' | 'if_required' | null
  currency: string | null
  customer: string | null
  customer_email: string | null
  client_reference_id: string | null
  expires_at: number
  success_url: string | null
  cancel_url: string | null
  subscription: string | null
  setup_intent: string | null
  invoice: string | null
  url: string | null
  _lineItems: LineItem[]
  /** The payment that was tried and declined. */
  _intent: string | null
  _subscriptionData: Record<string, unknown>
}

export interface SubscriptionItem extends StripeObject {
  current_period_start: number
  current_period_end: number
  price: string
  quantity: number
  subscription: string
}

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused'
export interface Subscription extends StripeObject {
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null }
  collection_method: 'charge_automatically' | 'send_invoice'
  currency: string
  customer: string
  days_until_due: number | null
  default_payment_method: string | null
  ended_at: number | null
  latest_invoice: string | null
  pause_collection: { behavior: string; resumes_at: number | null } | null
  status: SubscriptionStatus
  trial_start: number | null
  trial_end: number | null
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' | 'create_invoice' | 'pause' } }
  _items: SubscriptionItem[]
  /** Whether the end of the trial was announced. */
  _hasWarned: boolean
}

export interface InvoiceLine {
  id: string
  amount: number
  currency: string
  description: string | null
  period: { start: number; end: number }
  price: string | null
  quantity: number | null
  unitAmountDecimal: string | null
  isProration: boolean
  isDiscountable: boolean
  invoiceItem: string | null
  subscription: string | null
  subscriptionItem: string | null
  metadata: Metadata
}

export interface InvoiceItem extends StripeObject {
  amount: number
  currency: string
  customer: string
  date: number
  description: string | null
  discountable: boolean
  invoice: string | null
  period: { start: number; end: number }
  proration: boolean
  quantity: number
  _price: string | null
  _subscription: string | null
  _subscriptionItem: string | null
  _unitAmountDecimal: string
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
export interface Invoice extends StripeObject {
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  automatically_finalizes_at: number | null
  billing_reason: string
  collection_method: 'charge_automatically' | 'send_invoice'
  currency: string
  customer: string
  customer_email: string | null
  customer_name: string | null
  default_payment_method: string | null
  description: string | null
  due_date: number | null
  ending_balance: number | null
  footer: string | null
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  next_payment_attempt: number | null
  number: string | null
  period_start: number
  period_end: number
  starting_balance: number
  status: InvoiceStatus
  status_transitions: Record<'finalized_at' | 'marked_uncollectible_at' | 'paid_at' | 'voided_at', number | null>
  subtotal: number
  total: number
  _lines: InvoiceLine[]
  _subscription: string | null
  /** Part of the address of its page, which works without a log-in. */
  _secret: string
}

export interface InvoicePayment extends StripeObject {
  amount_paid: number | null
  amount_requested: number
  invoice: string
  payment: { type: 'payment_intent'; payment_intent: string }
  status: 'open' | 'paid' | 'canceled'
  status_transitions: { canceled_at: number | null; paid_at: number | null }
}

export interface PortalSession extends StripeObject {
  customer: string
  return_url: string | null
  url: string
}

export interface StripeEvent extends StripeObject {
  type: string
  data: { object: object; previous_attributes?: object }
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null } | null
}

export interface WebhookEndpoint extends StripeObject {
  url: string
  enabled_events: string[]
  status: 'enabled' | 'disabled'
  _secret: string
}

/** The objects of an account by their `object` field. */
export interface Kinds {
  product: Product
  price: Price
  customer: Customer
  payment_method: PaymentMethod
  setup_intent: SetupIntent
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  dispute: Dispute
  'checkout.session': CheckoutSession
  subscription: Subscription
  invoice: Invoice
  invoiceitem: InvoiceItem
  invoice_payment: InvoicePayment
  'billing_portal.session': PortalSession
  event: StripeEvent
  webhook_endpoint: WebhookEndpoint
}
export type Kind = keyof Kinds
