import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { givenFields, type Handlers, type ListParams, mergeMetadata, pageOf, readCurrency } from './calls.ts'
import { liveCustomer } from './customers.ts'
import { lineOfItem, setLines } from './invoice-life.ts'
import type { Invoice, InvoiceItem } from './model.ts'
import { invalid } from './stripe-error.ts'

/** An invoice that can still be edited; `param` is the parameter that names it. */
export function draftOf(account: Account, id: string, param?: string): Invoice {
  const invoice = account.get('invoice', id, param)
  if (invoice.status !== 'draft')
    throw invalid('This invoice is no longer editable because it has been finalized.', {
      code: 'invoice_not_editable',
      ...(param && { param }),
    })
  return invoice
}

/** The draft's lines again, from its items. */
function refreshLines(account: Account, id: string | null): void {
  const invoice = account.find('invoice', id)
  if (!invoice) return
  const own = account.all('invoiceitem').filter(item => item.invoice === invoice.id)
  const others = invoice._lines.filter(line => line.invoiceItem === null)
  const lines = own.map(item => ({
    ...lineOfItem(item),
    id: invoice._lines.find(line => line.invoiceItem === item.id)?.id ?? lineOfItem(item).id,
  }))
  const before = invoice.total
  setLines(account, invoice, [...others, ...lines])
  account.announce('invoice.updated', invoice, { total: before })
}

/** The amount of an item in minor units: the whole, or that of one times how many. */
function readItemAmount(account: Account, params: Stripe.InvoiceItemCreateParams) {
  const { amount, quantity = 1, pricing, unit_amount_decimal: decimal, price_data: data } = params
  const price = pricing?.price === undefined ? null : account.get('price', pricing.price, 'pricing[price]')
  if (amount !== undefined) return { amount, quantity: 1, each: String(amount), price: null, currency: params.currency }
  const each = price?.unit_amount_decimal ?? decimal ?? data?.unit_amount_decimal ?? data?.unit_amount
  if (each === undefined)
    throw invalid('You must pass either `amount`, `pricing`, `price_data` or `unit_amount_decimal`.', {
      code: 'parameter_missing',
      param: 'amount',
    })
  const text = String(each as string | number)
  return {
    amount: Math.round(Number(text) * quantity),
    quantity,
    each: text,
    price: price?.id ?? null,
    currency: price?.currency ?? data?.currency ?? params.currency,
  }
}

function createItem(account: Account, params: Stripe.InvoiceItemCreateParams): InvoiceItem {
  const customer = liveCustomer(account, params.customer ?? '', 'customer')
  const invoice = params.invoice === undefined ? null : draftOf(account, params.invoice, 'invoice')
  if (invoice && invoice.customer !== customer.id)
    throw invalid('The invoice and the invoice item must have the same customer.', { param: 'invoice' })
  const now = account.now()
  const { amount, quantity, each, price, currency } = readItemAmount(account, params)
  const code = currency === undefined ? (invoice?.currency ?? customer.currency) : readCurrency(currency)
  if (!code) throw invalid('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' })
  if (invoice && code !== invoice.currency)
    throw invalid(`The currency of the invoice item (${code}) is not that of the invoice (${invoice.currency}).`, {
      param: 'currency',
    })
  if (invoice && invoice._lines.length >= 250)
    throw invalid('An invoice can have up to 250 items.', { param: 'invoice' })
  const item = account.add('invoiceitem', {
    amount,
    currency: code,
    customer: customer.id,
    date: now,
    description: params.description ?? null,
    discountable: params.discountable ?? amount >= 0,
    discounts: [],
    invoice: invoice?.id ?? null,
    metadata: mergeMetadata(null, params.metadata),
    period: params.period ?? { start: now, end: now },
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: [],
    _price: price,
    _subscription: params.subscription ?? null,
    _subscriptionItem: null,
    _unitAmountDecimal: each,
  } as Partial<InvoiceItem>)
  account.announce('invoiceitem.created', item)
  refreshLines(account, item.invoice)
  return item
}

export const invoiceItemHandlers = {
  'invoiceItems.create': (account, params: Stripe.InvoiceItemCreateParams) => createItem(account, params),
  'invoiceItems.retrieve': (account, _params, { id }) => account.get('invoiceitem', id),
  'invoiceItems.update': (account, params: Stripe.InvoiceItemUpdateParams, { id }) => {
    const item = account.get('invoiceitem', id)
    if (item.invoice !== null) draftOf(account, item.invoice)
    const { amount } = params
    account.change(item, {
      ...(givenFields(params, ['description', 'discountable', 'period']) as Partial<InvoiceItem>),
      ...(amount !== undefined && { amount, quantity: 1, _unitAmountDecimal: String(amount) }),
      metadata: mergeMetadata(item.metadata, params.metadata),
    })
    refreshLines(account, item.invoice)
    return item
  },
  'invoiceItems.list': (account, params: Stripe.InvoiceItemListParams, at) => {
    const { customer, invoice, pending } = params
    const found = account
      .all('invoiceitem')
      .filter(
        one =>
          (!customer || one.customer === customer) &&
          (!invoice || one.invoice === invoice) &&
          (pending === undefined || pending === (one.invoice === null)),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'invoiceItems.del': (account, _params, { id }) => {
    const item = account.get('invoiceitem', id)
    if (item.invoice !== null) draftOf(account, item.invoice)
    account.remove(item)
    refreshLines(account, item.invoice)
    account.announce('invoiceitem.deleted', item)
    return { id, object: 'invoiceitem', deleted: true }
  },
} satisfies Partial<Handlers>
