import type { Product } from '../../../core/model/store.ts'
import type { SpRequest } from '../operation.ts'
import { amountOf, currencyOf, fulfilmentChannelOf, imageOf, productsOf, productTypeOf } from '../product-fields.ts'

/** All listings of a scenario were created on one day, long before its history starts. */
export const LISTED = '2024-03-01T09:00:00Z'

export function statusesOf(product: Product): string[] {
  return product.fulfillable > 0 ? ['BUYABLE', 'DISCOVERABLE'] : ['DISCOVERABLE']
}

/** What is wrong with a listing, which is also why it is not fully eligible for advertising. */
export function issuesOf({ eligibility, eligibilityMessage: message, marketplaceId }: Product) {
  if (message === null) return []
  const [code, severity] = eligibility === 'INELIGIBLE' ? ['18320', 'ERROR'] : ['18027', 'WARNING']
  return [{ code, message, severity, categories: ['QUALIFICATION_REQUIRED'], marketplaceIds: [marketplaceId] }]
}

const dataSets: Record<string, (request: SpRequest, products: readonly Product[]) => unknown> = {
  summaries: (request, products) =>
    products.map(product => ({
      marketplaceId: product.marketplaceId,
      asin: product.asin,
      productType: productTypeOf(product),
      conditionType: 'new_new',
      status: statusesOf(product),
      fnSku: product.fnsku,
      itemName: product.title,
      createdDate: LISTED,
      lastUpdatedDate: LISTED,
      mainImage: imageOf(request, product),
    })),
  attributes(_request, products) {
    const local = (valueOf: (product: Product) => string) =>
      products.map(product => ({ value: valueOf(product), marketplace_id: product.marketplaceId }))
    return {
      item_name: local(product => product.title),
      brand: local(product => product.brand),
      condition_type: local(() => 'new_new'),
      purchasable_offer: products.map(({ marketplaceId, priceMicros }) => ({
        marketplace_id: marketplaceId,
        currency: currencyOf(marketplaceId),
        audience: 'ALL',
        our_price: [{ schedule: [{ value_with_tax: priceMicros / 1e6 }] }],
      })),
    }
  },
  issues: (_request, products) => products.flatMap(issuesOf),
  offers: (_request, products) =>
    products.map(({ marketplaceId, priceMicros }) => ({
      marketplaceId,
      offerType: 'B2C',
      price: amountOf(priceMicros, marketplaceId),
    })),
  fulfillmentAvailability: (_request, [product]) => [
    { fulfillmentChannelCode: fulfilmentChannelOf(product?.marketplaceId ?? ''), quantity: product?.fulfillable ?? 0 },
  ],
  relationships: (_request, products) => products.map(({ marketplaceId }) => ({ marketplaceId, relationships: [] })),
  productTypes: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, productType: productTypeOf(product) })),
}

/** Procurement is for vendors: the data set exists, and a seller's listing has none. */
export const dataSetNames = new Set([...Object.keys(dataSets), 'procurement'])

export function listingOf(request: SpRequest, products: readonly Product[], included: readonly string[]) {
  const names = included.filter(name => dataSets[name])
  return {
    sku: products[0]?.sku,
    ...Object.fromEntries(names.map(name => [name, dataSets[name]?.(request, products)])),
  }
}

export function listingsBySku(request: SpRequest, marketplaceIds: readonly string[]): Map<string, Product[]> {
  return Map.groupBy(
    marketplaceIds.flatMap(id => productsOf(request, id)),
    product => product.sku,
  )
}
