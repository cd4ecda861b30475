import type {
  CheckoutSession,
  Customer,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  Kind,
  Kinds,
  Price,
  StripeObject,
  Subscription,
  SubscriptionItem,
} from './model.ts'
import { invalid } from './stripe-error.ts'
import { fillBlank } from './wire/wire.ts'

/** The objects of an account, for those who only read them. */
export interface Objects {
  find<K extends Kind>(kind: K, id: string | null | undefined): Kinds[K] | null
  /** `param` is the parameter that names the object. Throws the API's error when there is none. */
  get<K extends Kind>(kind: K, id: string, param?: string): Kinds[K]
  /** Any object by its id. */
  findAny(id: string): StripeObject | null
  /** All objects of a kind, the oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][]
}

type Fields = Record<string, unknown>
const MAX_LEVELS = 4

export const listOf = (url: string, data: unknown[], hasMore = false): Fields => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

/** The older form of a price, which subscription items still have. */
const planOf = (price: Price): Fields => ({
  ...price,
  object: 'plan',
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  interval: price.recurring?.interval,
  interval_count: price.recurring?.interval_count,
  usage_type: price.recurring?.usage_type,
})

const planFields =
  'id object active amount amount_decimal billing_scheme created currency interval interval_count livemode metadata meter nickname product tiers_mode transform_usage trial_period_days usage_type'.split(
    ' ',
  )

export function presentItem(account: Objects, item: SubscriptionItem): Fields {
  const price = account.get('price', item.price)
  const plan = planOf(price)
  return fillBlank('subscription_item', {
    ...item,
    price: presentObject(account, price),
    plan: Object.fromEntries(planFields.flatMap(name => (plan[name] === undefined ? [] : [[name, plan[name]]]))),
  })
}

const pricingOf = (account: Objects, price: string | null, unitAmountDecimal: string | null): Fields | null =>
  price === null
    ? { type: 'price_details', unit_amount_decimal: unitAmountDecimal }
    : {
        price_details: { price, product: account.find('price', price)?.product },
        type: 'price_details',
        unit_amount_decimal: unitAmountDecimal,
      }

export function presentLine(account: Objects, invoice: Invoice, line: InvoiceLine): Fields {
  const { price, unitAmountDecimal, isProration, isDiscountable, invoiceItem, subscriptionItem, ...fields } = line
  const details = {
    proration: isProration,
    proration_details: isProration ? { credited_items: null } : null,
    subscription: line.subscription,
    invoice_item: invoiceItem,
  }
  const parent =
    subscriptionItem === null
      ? { invoice_item_details: details, subscription_item_details: null, type: 'invoice_item_details' }
      : {
          invoice_item_details: null,
          subscription_item_details: { ...details, subscription_item: subscriptionItem },
          type: 'subscription_item_details',
        }
  return fillBlank('line_item', {
    ...fields,
    discountable: isDiscountable,
    discount_amounts: [],
    invoice: invoice.id,
    parent,
    pretax_credit_amounts: [],
    pricing: pricingOf(account, price, unitAmountDecimal),
    quantity_decimal: String(line.quantity ?? 1),
    subtotal: line.amount,
    taxes: [],
  })
}

export const presentLineItems = (account: Objects, session: CheckoutSession): Fields[] =>
  session._lineItems.map(({ id, price: priceId, quantity }) => {
    const price = account.get('price', priceId)
    const amount = (price.unit_amount ?? 0) * quantity
    return fillBlank('item', {
      id,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: account.find('product', price.product)?.name ?? null,
      price: presentObject(account, price),
      quantity,
    })
  })

/** What a kind shows besides the fields that are stored. */
const computed: { [kind: string]: (account: Objects, object: never) => Fields } = {
  customer: (_account, { _deleted: deleted }: Customer) => (deleted ? { deleted } : {}),
  subscription: (account, { id, _items: items }: Subscription) => ({
    items: listOf(
      `/v1/subscription_items?subscription=${id}`,
      items.map(item => presentItem(account, item)),
    ),
  }),
  invoice: (account, invoice: Invoice) => {
    const lines = invoice._lines.map(line => presentLine(account, invoice, line))
    return { lines: listOf(`/v1/invoices/${invoice.id}/lines`, lines.slice(0, 10), lines.length > 10) }
  },
  invoiceitem: (account, item: InvoiceItem) => ({
    // It has a date instead.
    created: undefined,
    parent:
      item._subscription === null
        ? null
        : {
            subscription_details: {
              subscription: item._subscription,
              ...(item._subscriptionItem !== null && { subscription_item: item._subscriptionItem }),
            },
            type: 'subscription_details',
          },
    pricing: pricingOf(account, item._price, item._unitAmountDecimal),
  }),
}

/** What is only shown to those who ask for it by `expand`. */
const expandOnly: { [field: string]: (account: Objects, object: never) => unknown } = {
  'checkout.session.line_items': (account, session: CheckoutSession) =>
    listOf(`/v1/checkout/sessions/${session.id}/line_items`, presentLineItems(account, session)),
  'customer.subscriptions': (account, { id }: Customer) =>
    listOf(
      `/v1/customers/${id}/subscriptions`,
      account
        .all('subscription')
        .filter(one => one.customer === id && one.status !== 'canceled')
        .map(one => presentObject(account, one)),
    ),
  'invoice.payments': (account, { id }: Invoice) =>
    listOf(
      `/v1/invoice_payments?invoice=${id}`,
      account
        .all('invoice_payment')
        .filter(one => one.invoice === id)
        .map(one => presentObject(account, one)),
    ),
  'invoice.confirmation_secret': (account, { id }: Invoice) => {
    const intent = account.all('payment_intent').find(one => one._invoice === id && one.status !== 'canceled')
    return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  },
  'price.tiers': () => undefined,
  'customer.sources': (_account, { id }: Customer) => listOf(`/v1/customers/${id}/sources`, []),
}

/** The object as the API shows it, with ids where it could be expanded. */
export function presentObject(account: Objects, object: StripeObject): Fields {
  const shown = { ...object, ...computed[object.object]?.(account, object as never) }
  return structuredClone(
    Object.fromEntries(Object.entries(shown).filter(([name, value]) => !name.startsWith('_') && value !== undefined)),
  )
}

/** Replaces ids by their objects along a path such as `data.customer` or `latest_invoice.payments`. */
function expandPath(account: Objects, place: unknown, path: readonly string[], whole: string): void {
  if (Array.isArray(place)) for (const one of place) expandPath(account, one, path, whole)
  const [name, ...rest] = path
  if (name === undefined || typeof place !== 'object' || place === null || Array.isArray(place)) return
  const fields = place as Fields
  const more = expandOnly[`${String(fields.object)}.${name}`]
  if (more) {
    const source = account.findAny(String(fields.id))
    if (source) fields[name] ??= more(account, source as never)
  }
  const value = fields[name]
  if (!(name in fields))
    throw invalid(
      `This property cannot be expanded (${whole}). You may want to try expanding 'data.${whole}' instead, or remove it from the request.`,
      { param: 'expand' },
    )
  if (typeof value === 'string') {
    const found = account.findAny(value)
    if (!found)
      throw invalid(`This property cannot be expanded (${whole}) because it is not an object.`, { param: 'expand' })
    fields[name] = presentObject(account, found)
  }
  expandPath(account, fields[name], rest, whole)
}

/** Expands in place whatever the request asks for. Throws the API's error for what cannot be expanded. */
export function expandAnswer(account: Objects, answer: unknown, paths: readonly string[] = []): unknown {
  for (const path of paths) {
    const names = path.split('.')
    const levels = names.filter(name => name !== 'data')
    if (levels.length > MAX_LEVELS)
      throw invalid(`You cannot expand more than ${MAX_LEVELS} levels of a property. Property: ${path}`, {
        param: 'expand',
      })
    expandPath(account, answer, names, path)
  }
  return answer
}
