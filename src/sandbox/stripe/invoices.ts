import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { givenFields, type Handlers, type ListParams, mergeMetadata, pageOf, readCurrency } from './calls.ts'
import { liveCustomer } from './customers.ts'
import {
  addInvoice,
  closeInvoice,
  collectInvoice,
  DRAFT_SECONDS,
  finalizeInvoice,
  lineOfItem,
  methodFor,
  pendingItems,
} from './invoice-life.ts'
import { draftOf } from './invoice-items.ts'
import { previewInvoice } from './invoice-preview.ts'
import type { Invoice } from './model.ts'
import { ownMethod } from './payment-methods.ts'
import { declined, intentOf } from './payments.ts'
import { presentLine } from './present.ts'
import { invalid } from './stripe-error.ts'

const DAY = 86_400

const cardOf = (account: Account, customer: string, id: string | undefined): string | null =>
  id ? ownMethod(account, customer, id, 'default_payment_method').id : null

function createInvoice(account: Account, params: Stripe.InvoiceCreateParams): Invoice {
  const customer = liveCustomer(account, params.customer ?? '', 'customer')
  const subscription = params.subscription ? account.get('subscription', params.subscription, 'subscription') : null
  const currency = params.currency
    ? readCurrency(params.currency)
    : (subscription?.currency ?? customer.currency ?? 'usd')
  const pending = pendingItems(account, customer.id, subscription?.id ?? null).filter(one => one.currency === currency)
  const takes = subscription !== null || params.pending_invoice_items_behavior === 'include'
  const isSent = params.collection_method === 'send_invoice'
  const now = account.now()
  if (isSent && params.days_until_due === undefined && params.due_date === undefined)
    throw invalid('If you set collection_method to send_invoice, you must also set days_until_due or due_date.', {
      param: 'days_until_due',
    })
  const advances = params.auto_advance ?? false
  return addInvoice(
    account,
    {
      customer: customer.id,
      currency,
      billing_reason: subscription ? 'subscription_update' : 'manual',
      auto_advance: advances,
      automatically_finalizes_at: advances ? now + DRAFT_SECONDS : null,
      collection_method: isSent ? 'send_invoice' : 'charge_automatically',
      default_payment_method: cardOf(account, customer.id, params.default_payment_method),
      description: params.description ?? null,
      footer: params.footer ?? null,
      due_date: isSent ? (params.due_date ?? now + (params.days_until_due ?? 30) * DAY) : null,
      metadata: mergeMetadata(null, params.metadata),
    },
    takes ? pending.map(lineOfItem) : [],
    subscription,
  )
}

function pay(account: Account, invoice: Invoice, params: Stripe.InvoicePayParams): void {
  if (invoice.status === 'draft') finalizeInvoice(account, invoice)
  if (invoice.status === 'paid') {
    if (invoice.attempted && invoice.amount_due > 0)
      throw invalid('Invoice is already paid', { code: 'invoice_already_paid' })
    return
  }
  if (invoice.status === 'void')
    throw invalid('This invoice has been voided, so it cannot be paid.', { code: 'invoice_not_payable' })
  if (params.paid_out_of_band) return void collectInvoice(account, invoice, { outOfBand: true })
  const method = params.payment_method
    ? ownMethod(account, invoice.customer, params.payment_method, 'payment_method')
    : methodFor(account, invoice)
  if (!method)
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please provide a payment method or a default payment method on the Customer.',
      { code: 'invoice_no_payment_method_types' },
    )
  const outcome = collectInvoice(account, invoice, { method, isPresent: !(params.off_session ?? true) })
  if (outcome && !outcome.ok) throw declined(account, intentOf(account, invoice), outcome)
}

export const invoiceHandlers = {
  'invoices.create': (account, params: Stripe.InvoiceCreateParams) => createInvoice(account, params),
  'invoices.createPreview': (account, params: Stripe.InvoiceCreatePreviewParams) => previewInvoice(account, params),
  'invoices.retrieve': (account, _params, { id }) => account.get('invoice', id),
  'invoices.update': (account, params: Stripe.InvoiceUpdateParams, { id }) => {
    const invoice = account.get('invoice', id)
    const names = [
      'auto_advance',
      'description',
      'footer',
      'default_payment_method',
      'collection_method',
      'due_date',
    ] as const
    const changes = givenFields(params, names) as Partial<Invoice>
    if (params.default_payment_method !== undefined)
      changes.default_payment_method = cardOf(account, invoice.customer, params.default_payment_method)
    if (
      invoice.status !== 'draft' &&
      Object.keys(changes).some(name => name !== 'auto_advance' && name !== 'default_payment_method')
    )
      draftOf(account, id)
    if (changes.auto_advance && invoice.status === 'draft')
      changes.automatically_finalizes_at = account.now() + DRAFT_SECONDS
    account.update(invoice, { ...changes, metadata: mergeMetadata(invoice.metadata, params.metadata) })
    return invoice
  },
  'invoices.list': (account, params: Stripe.InvoiceListParams, at) => {
    const { customer, status, subscription, collection_method: method } = params
    const found = account
      .all('invoice')
      .filter(
        one =>
          (!customer || one.customer === customer) &&
          (!status || one.status === status) &&
          (!subscription || one._subscription === subscription) &&
          (!method || one.collection_method === method),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'invoices.listLineItems': (account, params: Stripe.InvoiceListLineItemsParams, at) => {
    const invoice = account.get('invoice', at.id)
    const lines = invoice._lines.map(line => ({ ...line, object: 'line_item', created: invoice.created })).reverse()
    return pageOf(account, lines, params, at, one =>
      presentLine(account, invoice, invoice._lines.find(line => line.id === one.id) ?? invoice._lines[0]!),
    )
  },
  'invoices.del': (account, _params, { id }) => {
    const invoice = account.get('invoice', id)
    if (invoice.status !== 'draft' || invoice._subscription !== null)
      throw invalid('You can only delete draft invoices that were not created by a subscription.', {
        code: 'invoice_not_editable',
      })
    for (const item of account.all('invoiceitem')) if (item.invoice === id) account.remove(item)
    account.remove(invoice)
    account.announce('invoice.deleted', invoice)
    return { id, object: 'invoice', deleted: true }
  },
  'invoices.finalizeInvoice': (account, params: Stripe.InvoiceFinalizeInvoiceParams, { id }) => {
    const invoice = account.get('invoice', id)
    finalizeInvoice(account, invoice)
    if (params.auto_advance !== undefined && invoice.status === 'open')
      account.change(invoice, { auto_advance: params.auto_advance })
    // One that advances by itself is collected about an hour later.
    if (invoice.auto_advance && invoice.status === 'open' && invoice.collection_method === 'charge_automatically')
      account.change(invoice, { next_payment_attempt: account.now() + DRAFT_SECONDS })
    return invoice
  },
  'invoices.pay': (account, params: Stripe.InvoicePayParams, { id }) => {
    const invoice = account.get('invoice', id)
    pay(account, invoice, params)
    return invoice
  },
  'invoices.sendInvoice': (account, _params, { id }) => {
    const invoice = account.get('invoice', id)
    if (invoice.status === 'draft') finalizeInvoice(account, invoice)
    account.announce('invoice.sent', invoice)
    return invoice
  },
  'invoices.voidInvoice': (account, _params, { id }) => {
    const invoice = account.get('invoice', id)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw invalid(
        `You can only pass in open or uncollectible invoices. This invoice has the status ${invoice.status}.`,
        { code: 'invoice_not_editable' },
      )
    closeInvoice(account, invoice, 'void')
    return invoice
  },
  'invoices.markUncollectible': (account, _params, { id }) => {
    const invoice = account.get('invoice', id)
    if (invoice.status !== 'open')
      throw invalid(`You can only pass in open invoices. This invoice has the status ${invoice.status}.`)
    closeInvoice(account, invoice, 'uncollectible')
    return invoice
  },
  'invoicePayments.retrieve': (account, _params, { id }) => account.get('invoice_payment', id),
  'invoicePayments.list': (account, params: Stripe.InvoicePaymentListParams, at) => {
    const found = account
      .all('invoice_payment')
      .filter(
        one => (!params.invoice || one.invoice === params.invoice) && (!params.status || one.status === params.status),
      )
    return pageOf(account, found, params as ListParams, at)
  },
} satisfies Partial<Handlers>
