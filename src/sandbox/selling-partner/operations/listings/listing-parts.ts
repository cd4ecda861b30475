import type { Product } from '../../../core/model/store.ts'
import type { SpRequest } from '../operation.ts'
import { amountOf, currencyOf, fulfilmentChannelOf, imageOf, productsOf, productTypeOf } from '../product-fields.ts'

/** All listings of a scenario were created on one day, long before its history starts. */
export const LISTED = '2024-03-01T09:00:00Z'

/** What shoppers can do with a listing. */
export function statusesOf(product: Product): string[] {
  return product.fulfillable > 0 ? ['BUYABLE', 'DISCOVERABLE'] : ['DISCOVERABLE']
}

interface ListingIssue {
  code: string
  message: string
  severity: 'ERROR' | 'WARNING'
  categories: string[]
  marketplaceIds?: string[]
}

/** What is wrong with a listing, which is also why it is not fully eligible for advertising. */
export function issuesOf(product: Product): ListingIssue[] {
  return product.eligibilityMessage === null
    ? []
    : [
        {
          code: product.eligibility === 'INELIGIBLE' ? '18320' : '18027',
          message: product.eligibilityMessage,
          severity: product.eligibility === 'INELIGIBLE' ? 'ERROR' : 'WARNING',
          categories: ['QUALIFICATION_REQUIRED'],
          marketplaceIds: [product.marketplaceId],
        },
      ]
}

const local = (product: Product, value: unknown): object => ({ value, marketplace_id: product.marketplaceId })

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
      mainImage: { link: imageOf(request, product), height: 500, width: 500 },
    })),
  attributes: (_request, products) => ({
    item_name: products.map(product => local(product, product.title)),
    brand: products.map(product => local(product, product.brand)),
    condition_type: products.map(product => local(product, 'new_new')),
    purchasable_offer: products.map(product => ({
      marketplace_id: product.marketplaceId,
      currency: currencyOf(product.marketplaceId),
      audience: 'ALL',
      our_price: [{ schedule: [{ value_with_tax: product.priceMicros / 1e6 }] }],
    })),
  }),
  issues: (_request, products) => products.flatMap(issuesOf),
  offers: (_request, products) =>
    products.map(product => ({
      marketplaceId: product.marketplaceId,
      offerType: 'B2C',
      price: amountOf(product.priceMicros, currencyOf(product.marketplaceId)),
    })),
  fulfillmentAvailability: (_request, [product]) => [
    { fulfillmentChannelCode: fulfilmentChannelOf(product?.marketplaceId ?? ''), quantity: product?.fulfillable ?? 0 },
  ],
  relationships: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, relationships: [] })),
  productTypes: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, productType: productTypeOf(product) })),
}

/** A listing in the API's format, with the requested data sets. */
export function listingOf(
  request: SpRequest,
  sku: string,
  products: readonly Product[],
  included: readonly string[],
): Record<string, unknown> {
  return {
    sku,
    ...Object.fromEntries(
      included.flatMap(name => (dataSets[name] ? [[name, dataSets[name](request, products)]] : [])),
    ),
  }
}

/** Procurement is for vendors: the data set exists, and a seller's listing has none. */
export const isDataSet = (name: string): boolean => name in dataSets || name === 'procurement'

/** The seller's listings in some marketplaces, by SKU. */
export function listingsBySku(request: SpRequest, marketplaceIds: readonly string[]): Map<string, Product[]> {
  return Map.groupBy(
    marketplaceIds.flatMap(id => productsOf(request, id)),
    product => product.sku,
  )
}
