import type Stripe from 'stripe'
import { type Account, randomText } from './account.ts'
import { givenFields, type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import type { Customer } from './model.ts'
import { attachMethod, findMethod, ownMethod } from './payment-methods.ts'
import { invalid, noSuch } from './stripe-error.ts'

const fields = [
  'balance',
  'description',
  'email',
  'name',
  'phone',
  'address',
  'shipping',
  'preferred_locales',
  'tax_exempt',
  'next_invoice_sequence',
] as const

/** A customer that was not deleted. Throws the API's error when there is none. */
export function liveCustomer(account: Account, id: string, param = 'id'): Customer {
  const customer = account.get('customer', id, param)
  if (customer._deleted) throw noSuch('customer', id, param)
  return customer
}

function checkEmail(email: string | undefined): void {
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' })
}

/** The settings for invoices after a request; the default payment method must be the customer's own. */
function readInvoiceSettings(
  account: Account,
  customer: Customer,
  given: Stripe.CustomerUpdateParams['invoice_settings'],
) {
  const { default_payment_method: id, ...others } = given ?? {}
  const own = id ? ownMethod(account, customer.id, id, 'invoice_settings[default_payment_method]') : null
  const chosen = id === undefined ? customer.invoice_settings.default_payment_method : (own?.id ?? null)
  return {
    ...customer.invoice_settings,
    ...givenFields(others, ['custom_fields', 'footer', 'rendering_options']),
    default_payment_method: chosen,
  }
}

export function addCustomer(account: Account, params: Stripe.CustomerCreateParams): Customer {
  checkEmail(params.email)
  const customer = account.add('customer', {
    address: null,
    balance: 0,
    currency: null,
    delinquent: false,
    discount: null,
    invoice_prefix: params.invoice_prefix ?? randomText(8).toUpperCase(),
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    tax_exempt: 'none',
    test_clock: null,
    ...givenFields(params, fields),
    metadata: mergeMetadata(null, params.metadata),
  } as Partial<Customer>)
  account.announce('customer.created', customer)
  const { payment_method: id, invoice_settings: settings } = params
  const method = id ? findMethod(account, id, 'payment_method') : null
  if (method) attachMethod(account, method, customer)
  // A test id such as `pm_card_visa` stands for the same card in both places.
  const isSame = method !== null && settings?.default_payment_method === id
  const chosen = isSame ? { ...settings, default_payment_method: method.id } : settings
  if (chosen) account.change(customer, { invoice_settings: readInvoiceSettings(account, customer, chosen) })
  return customer
}

export const customerHandlers = {
  'customers.create': (account, params: Stripe.CustomerCreateParams) => addCustomer(account, params),
  'customers.retrieve': (account, _params, { id }) => {
    const customer = account.get('customer', id)
    return customer._deleted ? { id, object: 'customer', deleted: true } : customer
  },
  'customers.update': (account, params: Stripe.CustomerUpdateParams, { id }) => {
    const customer = liveCustomer(account, id)
    checkEmail(params.email)
    account.update(customer, {
      ...(givenFields(params, fields) as Partial<Customer>),
      metadata: mergeMetadata(customer.metadata, params.metadata),
      invoice_settings: readInvoiceSettings(account, customer, params.invoice_settings),
    })
    return customer
  },
  'customers.list': (account, params: Stripe.CustomerListParams, at) => {
    const found = account.all('customer').filter(one => !one._deleted && (!params.email || one.email === params.email))
    return pageOf(account, found, params as ListParams, at)
  },
  'customers.listPaymentMethods': (account, params: Stripe.CustomerListPaymentMethodsParams, at) => {
    liveCustomer(account, at.id)
    const found = account
      .all('payment_method')
      .filter(one => one.customer === at.id && (!params.type || one.type === params.type))
    return pageOf(account, found, params as ListParams, at)
  },
  'customers.retrievePaymentMethod': (account, _params, { id, part }) => {
    const method = findMethod(account, part, 'payment_method')
    if (method.customer !== liveCustomer(account, id).id) throw noSuch('payment_method', part, 'payment_method')
    return method
  },
} satisfies Partial<Handlers>
