import type Stripe from 'stripe'
import type { Account } from './account.ts'
import {
  type CallPath,
  givenFields,
  type Handlers,
  type ListParams,
  mergeMetadata,
  pageOf,
  readCurrency,
} from './calls.ts'
import type { Price, Product, StripeObject } from './model.ts'
import { invalid } from './stripe-error.ts'

type PriceData = Omit<Stripe.PriceCreateParams, 'product'> & { product: string }

/** The unit amount of a price, in minor units: the whole number, null for a fraction, and the decimal. */
function readAmount(params: { unit_amount?: number; unit_amount_decimal?: unknown }) {
  const { unit_amount: whole, unit_amount_decimal: decimal } = params
  if (whole !== undefined && decimal !== undefined)
    throw invalid('You may only specify one of these parameters: unit_amount, unit_amount_decimal.')
  if (whole === undefined && decimal === undefined)
    throw invalid(
      'You must specify one of these parameters: unit_amount, unit_amount_decimal, or custom_unit_amount.',
      {
        param: 'unit_amount',
      },
    )
  if ((whole ?? 0) < 0)
    throw invalid('Invalid non-negative integer', { code: 'parameter_invalid_integer', param: 'unit_amount' })
  const text = decimal === undefined ? String(whole) : String(decimal as string)
  return { unit_amount: Number.isInteger(Number(text)) ? Number(text) : null, unit_amount_decimal: text }
}

function takeLookupKey(account: Account, key: string, isTransfer: boolean | undefined): void {
  const holder = account.all('price').find(price => price.lookup_key === key)
  if (!holder) return
  if (!isTransfer)
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Use \`transfer_lookup_key\` if you want to transfer it.`,
      { param: 'lookup_key' },
    )
  account.update(holder, { lookup_key: null })
}

/** Adds a price of an existing product. */
export function addPrice(account: Account, params: PriceData): Price {
  if (params.billing_scheme === 'tiered' || params.custom_unit_amount || params.currency_options)
    throw invalid('The emulator has prices per unit in one currency only.', { param: 'billing_scheme' })
  account.get('product', params.product, 'product')
  const currency = readCurrency(params.currency)
  if (params.lookup_key !== undefined) takeLookupKey(account, params.lookup_key, params.transfer_lookup_key)
  const { recurring } = params
  const price = account.add('price', {
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    currency,
    lookup_key: params.lookup_key ?? null,
    metadata: mergeMetadata(null, params.metadata),
    nickname: params.nickname ?? null,
    product: params.product,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: recurring.trial_period_days ?? null,
          usage_type: recurring.usage_type ?? 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    type: recurring ? 'recurring' : 'one_time',
    ...readAmount(params),
  } as Partial<Price>)
  account.announce('price.created', price)
  return price
}

const productFields = [
  'description',
  'images',
  'marketing_features',
  'name',
  'package_dimensions',
  'shippable',
  'statement_descriptor',
  'tax_code',
  'unit_label',
  'url',
  'active',
] as const

export function addProduct(account: Account, params: Stripe.ProductCreateParams): Product {
  if (params.id !== undefined && account.find('product', params.id))
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  const product = account.add('product', {
    ...(params.id !== undefined && { id: params.id }),
    default_price: null,
    type: 'service',
    updated: account.now(),
    tax_code: null,
    unit_label: null,
    statement_descriptor: null,
    active: true,
    ...givenFields(params, productFields),
    metadata: mergeMetadata(null, params.metadata),
  } as Partial<Product>)
  account.announce('product.created', product)
  const { default_price_data: data } = params
  if (data) {
    const price = addPrice(account, { ...data, product: product.id } as PriceData)
    account.update(product, { default_price: price.id })
  }
  return product
}

const inactive = (product: Product) => ({ id: product.id, object: 'product', deleted: true })

export const catalogueHandlers = {
  'products.create': (account, params: Stripe.ProductCreateParams) => addProduct(account, params),
  'products.retrieve': (account, _params, { id }) => account.get('product', id),
  'products.update': (account, params: Stripe.ProductUpdateParams, { id }) => {
    const product = account.get('product', id)
    if (params.default_price) account.get('price', params.default_price, 'default_price')
    account.update(product, {
      ...(givenFields(params, [...productFields, 'default_price']) as Partial<Product>),
      metadata: mergeMetadata(product.metadata, params.metadata),
      updated: account.now(),
    })
    return product
  },
  'products.list': (account, params: Stripe.ProductListParams, at) => {
    const found = account.all('product').filter(one => isWanted(params, one) && !params.shippable)
    return pageOf(account, found, params as ListParams, at)
  },
  'products.del': (account, _params, { id }) => {
    const product = account.get('product', id)
    if (account.all('price').some(price => price.product === id))
      throw invalid('This product cannot be deleted because it has one or more user-created prices.')
    account.remove(product)
    account.announce('product.deleted', product)
    return inactive(product)
  },
  'prices.create': (account, params: Stripe.PriceCreateParams) => {
    const { product, product_data: data } = params
    if ((product === undefined) === (data === undefined))
      throw invalid(
        product === undefined
          ? 'You must specify one of these parameters: product, product_data.'
          : 'You may only specify one of these parameters: product, product_data.',
        { code: product === undefined ? 'parameter_missing' : 'parameters_exclusive', param: 'product' },
      )
    const id = product ?? addProduct(account, data as Stripe.ProductCreateParams).id
    return addPrice(account, { ...params, product: id })
  },
  'prices.retrieve': (account, _params, { id }) => account.get('price', id),
  'prices.update': (account, params: Stripe.PriceUpdateParams, { id }) => {
    const price = account.get('price', id)
    if (params.lookup_key) takeLookupKey(account, params.lookup_key, params.transfer_lookup_key)
    account.update(price, {
      ...(givenFields(params, ['active', 'lookup_key', 'nickname', 'tax_behavior']) as Partial<Price>),
      metadata: mergeMetadata(price.metadata, params.metadata),
    })
    return price
  },
  'prices.list': (account, params: Stripe.PriceListParams, at: CallPath) => {
    const { lookup_keys: keys, product, type, currency, recurring } = params
    const found = account
      .all('price')
      .filter(
        one =>
          (params.active === undefined || one.active === params.active) &&
          (!keys || keys.includes(one.lookup_key ?? '')) &&
          (!product || one.product === product) &&
          (!type || one.type === type) &&
          (!currency || one.currency === currency) &&
          (!recurring?.interval || one.recurring?.interval === recurring.interval),
      )
    return pageOf(account, found, params as ListParams, at)
  },
} satisfies Partial<Handlers>

const isWanted = (params: Stripe.ProductListParams, { id, active }: StripeObject & { active: boolean }): boolean =>
  (params.active === undefined || params.active === active) && (!params.ids || params.ids.includes(id))
