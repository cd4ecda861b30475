import { type Account, newId } from './account.ts'
import { mergeMetadata } from './calls.ts'
import { addPrice } from './catalogue.ts'
import type { SubscriptionItem } from './model.ts'
import { invalid } from './stripe-error.ts'

export interface ItemParams {
  price?: string
  price_data?: unknown
  quantity?: number
  metadata?: unknown
}

/** A new item; its period is set when the subscription's begins. */
export function itemOf(account: Account, subscription: string, params: ItemParams, param: string): SubscriptionItem {
  const { price_data: data } = params
  if (params.price === undefined && data === undefined)
    throw invalid(`Missing required param: ${param}[price].`, { code: 'parameter_missing', param: `${param}[price]` })
  const price =
    data === undefined
      ? account.get('price', params.price ?? '', `${param}[price]`)
      : addPrice(account, data as Parameters<typeof addPrice>[1])
  if (!price.recurring)
    throw invalid(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param: `${param}[price]` },
    )
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param: `${param}[price]`,
    })
  const now = account.now()
  return {
    id: newId('si'),
    object: 'subscription_item',
    created: now,
    metadata: mergeMetadata(null, params.metadata),
    current_period_start: now,
    current_period_end: now,
    price: price.id,
    quantity: params.quantity ?? 1,
    subscription,
  }
}
