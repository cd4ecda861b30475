import { type Account, newId, randomText } from './account.ts'
import type { Invoice, InvoiceItem, InvoiceLine, PaymentMethod, Subscription } from './model.ts'
import { charge, intentOf, type Presence } from './payments.ts'
import { invalid } from './stripe-error.ts'
import { afterFailure, afterPayment } from './subscription-status.ts'
import type { ChargeOutcome } from './test-cards.ts'

const DAY = 86_400
/** How long a draft that finalizes itself can still be edited. */
export const DRAFT_SECONDS = 3600

export const lineOfItem = (item: InvoiceItem): InvoiceLine => ({
  id: newId('il'),
  amount: item.amount,
  currency: item.currency,
  description: item.description,
  period: item.period,
  price: item._price,
  quantity: item.quantity,
  unitAmountDecimal: item._unitAmountDecimal,
  isProration: item.proration,
  isDiscountable: item.discountable,
  invoiceItem: item.id,
  subscription: item._subscription,
  subscriptionItem: item._subscriptionItem,
  metadata: item.metadata ?? {},
})

/** The sums of an invoice with these lines, before any credit of the customer is used. */
function sumsOf(lines: readonly InvoiceLine[]) {
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const due = Math.max(0, total)
  return {
    _lines: [...lines],
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    amount_due: due,
    amount_remaining: due,
  }
}

/** Sets the lines of a draft. */
export const setLines = (account: Account, invoice: Invoice, lines: readonly InvoiceLine[]): void =>
  void account.change(invoice, sumsOf(lines) as Partial<Invoice>)

export interface NewInvoice extends Partial<Omit<Invoice, 'metadata'>> {
  customer: string
  currency: string
  billing_reason: string
  metadata?: Record<string, string>
}

/** Adds a draft with these lines and announces it. */
export function addInvoice(
  account: Account,
  fields: NewInvoice,
  lines: readonly InvoiceLine[],
  subscription: Subscription | null = null,
): Invoice {
  const customer = account.get('customer', fields.customer)
  const now = account.now()
  if (customer.currency === null) account.change(customer, { currency: fields.currency })
  const invoice = account.add('invoice', {
    account_country: 'US',
    account_name: 'Sandbox',
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    collection_method: 'charge_automatically',
    customer_email: customer.email,
    customer_name: customer.name,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft',
    total_discount_amounts: [],
    total_pretax_credit_amounts: [],
    total_taxes: [],
    _secret: randomText(32),
    _subscription: subscription?.id ?? null,
    ...sumsOf(lines),
    ...fields,
    metadata: fields.metadata ?? {},
  } as Partial<Invoice>)
  for (const { invoiceItem } of lines) {
    const item = account.find('invoiceitem', invoiceItem)
    if (item) account.change(item, { invoice: invoice.id })
  }
  account.announce('invoice.created', invoice)
  return invoice
}

/** The account's own settings take the method of the invoice, then of the subscription, then of the customer. */
export function methodFor(account: Account, invoice: Invoice): PaymentMethod | null {
  const subscription = account.find('subscription', invoice._subscription)
  const customer = account.get('customer', invoice.customer)
  const ids = [
    invoice.default_payment_method,
    subscription?.default_payment_method,
    customer.invoice_settings.default_payment_method,
  ]
  return account.find(
    'payment_method',
    ids.find(id => id),
  )
}

/** Freezes a draft: it gets a number, uses the customer's credit, and is paid at once when nothing is due. */
export function finalizeInvoice(account: Account, invoice: Invoice): void {
  if (invoice.status !== 'draft')
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  const customer = account.get('customer', invoice.customer)
  const now = account.now()
  const { publicUrl } = account.world.config
  // Credit of the customer pays first; a debt, or what the invoice itself owes, goes to the balance.
  const due = Math.max(0, invoice.total + customer.balance)
  const balance = customer.balance + invoice.total - due
  const page = `${publicUrl}/stripe/invoice/${invoice._secret}`
  const former = {
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    effective_at: now,
    ending_balance: balance,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    starting_balance: customer.balance,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: now },
  } as Partial<Invoice>
  account.change(invoice, former)
  if (balance !== customer.balance) account.update(customer, { balance })
  account.change(customer, { next_invoice_sequence: customer.next_invoice_sequence + 1 })
  account.announce('invoice.finalized', invoice)
  if (due === 0) settle(account, invoice)
  else intentOf(account, invoice)
}

/** Marks an invoice as paid, by its payment or outside of the provider. */
function settle(account: Account, invoice: Invoice, { outOfBand = false } = {}): void {
  const now = account.now()
  const payment = account.all('invoice_payment').find(one => one.invoice === invoice.id && one.status === 'open')
  if (payment) {
    const status = outOfBand ? 'canceled' : 'paid'
    const moments = { canceled_at: outOfBand ? now : null, paid_at: outOfBand ? null : now }
    account.change(payment, { status, amount_paid: outOfBand ? null : invoice.amount_due, status_transitions: moments })
    if (!outOfBand) account.announce('invoice_payment.paid', payment)
    const intent = account.find('payment_intent', payment.payment.payment_intent)
    if (outOfBand && intent) account.update(intent, { status: 'canceled' }, 'payment_intent.canceled')
  }
  account.change(invoice, {
    amount_paid: invoice.amount_due,
    amount_paid_off_stripe: outOfBand ? invoice.amount_due : 0,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  } as Partial<Invoice>)
  account.announce('invoice.paid', invoice)
  account.announce('invoice.payment_succeeded', invoice)
  const customer = account.get('customer', invoice.customer)
  const owes = account
    .all('invoice')
    .some(one => one.customer === customer.id && one.status === 'open' && one.attempted)
  account.change(customer, { delinquent: owes })
  afterPayment(account, invoice)
}

/** Collects an open invoice, from this card or the one that its settings name. Answers what the bank said; null: there is no card. */
export function collectInvoice(
  account: Account,
  invoice: Invoice,
  {
    method = methodFor(account, invoice),
    isPresent = false,
    isConfirmed = false,
    isScheduled = false,
    outOfBand = false,
  }: Partial<Presence> & { method?: PaymentMethod | null; isScheduled?: boolean; outOfBand?: boolean } = {},
): ChargeOutcome | null {
  if (outOfBand) {
    settle(account, invoice, { outOfBand })
    return { ok: true }
  }
  const outcome = method ? charge(account, intentOf(account, invoice), method, { isPresent, isConfirmed }) : null
  if (outcome?.ok) {
    account.change(invoice, { attempt_count: invoice.attempt_count + 1 })
    settle(account, invoice)
    return outcome
  }
  const needsOwner =
    outcome !== null && ('needsAction' in outcome || outcome.decline.code === 'authentication_required')
  const { retryAfterDays } = account.settings
  const days = retryAfterDays[invoice.attempt_count]
  const isAutomatic = invoice.collection_method === 'charge_automatically' && (isScheduled || invoice.auto_advance)
  account.change(invoice, {
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: isAutomatic && days !== undefined ? account.now() + days * DAY : null,
  })
  account.change(account.get('customer', invoice.customer), { delinquent: true })
  account.announce('invoice.payment_failed', invoice)
  if (needsOwner) account.announce('invoice.payment_action_required', invoice)
  account.announce('invoice.updated', invoice)
  afterFailure(account, invoice, isScheduled && days === undefined)
  return outcome
}

/** Ends an invoice without payment. */
export function closeInvoice(account: Account, invoice: Invoice, status: 'void' | 'uncollectible'): void {
  const moment = status === 'void' ? 'voided_at' : 'marked_uncollectible_at'
  account.change(invoice, {
    status,
    auto_advance: false,
    next_payment_attempt: null,
    ...(status === 'void' && { amount_remaining: 0 }),
    status_transitions: { ...invoice.status_transitions, [moment]: account.now() },
  })
  if (status === 'void')
    for (const intent of account.all('payment_intent'))
      if (intent._invoice === invoice.id && intent.status !== 'succeeded')
        account.update(intent, { status: 'canceled' }, 'payment_intent.canceled')
  account.announce(status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', invoice)
}

/** What the customer is to be charged with the next invoice. */
export const pendingItems = (account: Account, customer: string, subscription: string | null): InvoiceItem[] =>
  account
    .all('invoiceitem')
    .filter(one => one.customer === customer && one.invoice === null && one._subscription === subscription)
