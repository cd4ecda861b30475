import { type Account, newId } from './account.ts'
import type { InvoiceItem, InvoiceLine, Price, Subscription, SubscriptionItem } from './model.ts'

interface Span {
  start: number
  end: number
}

const costOf = (price: Price, quantity: number): number => Math.round(Number(price.unit_amount_decimal) * quantity)
export const moneyOf = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minor / 100)
const dayOf = (moment: number): string =>
  new Date(moment * 1000).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** What an item costs for a period; nothing in a trial. */
export function lineOf(
  account: Account,
  subscription: Subscription,
  item: SubscriptionItem,
  period: Span,
  isTrial: boolean,
): InvoiceLine {
  const price = account.get('price', item.price)
  const name = account.find('product', price.product)?.name ?? ''
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {}
  const rhythm = count === 1 ? interval : `every ${count} ${interval}s`
  const each = moneyOf(price.unit_amount ?? 0, price.currency)
  return {
    id: newId('il'),
    amount: isTrial ? 0 : costOf(price, item.quantity),
    currency: price.currency,
    description: isTrial ? `Trial period for ${name}` : `${item.quantity} × ${name} (at ${each} / ${rhythm})`,
    period,
    price: price.id,
    quantity: item.quantity,
    unitAmountDecimal: isTrial ? '0' : price.unit_amount_decimal,
    isProration: false,
    isDiscountable: true,
    invoiceItem: null,
    subscription: subscription.id,
    subscriptionItem: item.id,
    metadata: subscription.metadata ?? {},
  }
}

export interface ItemState {
  item: SubscriptionItem
  price: Price
  quantity: number
}

/** An invoice item for the rest of the period: credit for what was paid before, or what is due from now on. */
export function addProration(
  account: Account,
  subscription: Subscription,
  { item, price, quantity }: ItemState,
  at: number,
  sign: 1 | -1,
): InvoiceItem {
  const { current_period_start: start, current_period_end: end } = item
  const share = (end - at) / (end - start)
  const name = `${quantity > 1 ? `${quantity} × ` : ''}${account.find('product', price.product)?.name ?? ''}`
  const amount = sign * Math.round(Number(price.unit_amount_decimal) * quantity * share)
  const added = account.add('invoiceitem', {
    amount,
    currency: price.currency,
    customer: subscription.customer,
    date: at,
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${name} after ${dayOf(at)}`,
    discountable: false,
    discounts: [],
    metadata: subscription.metadata ?? {},
    period: { start: at, end },
    proration: true,
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: [],
    _price: price.id,
    _subscription: subscription.id,
    _subscriptionItem: item.id,
    _unitAmountDecimal: String(amount / quantity),
  } as Partial<InvoiceItem>)
  account.announce('invoiceitem.created', added)
  return added
}
