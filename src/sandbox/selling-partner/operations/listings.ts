import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { Product } from '../../core/model.ts'
import {
  currencyOf,
  fulfilmentChannelOf,
  imageOf,
  invalid,
  listOf,
  marketplacesOf,
  notFound,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  productsOf,
  type SpRequest,
} from './operation.ts'

// A scenario's listings were all made on one day, long before its history begins.
const LISTED = '2024-03-01T09:00:00Z'

const productTypeOf = (product: Product): string =>
  product.categoryName
    .toUpperCase()
    .replace(/[^A-Z]+/g, '_')
    .replace(/^_|_$/g, '') || 'PRODUCT'

const amountOf = (product: Product): { currencyCode: string; amount: string } => {
  const currencyCode = currencyOf(product.marketplaceId)
  return { currencyCode, amount: fromMicros(product.priceMicros).toFixed(currencyDigits(currencyCode)) }
}

const parts: Record<string, (request: SpRequest, products: readonly Product[]) => unknown> = {
  summaries: (request, products) =>
    products.map(product => ({
      marketplaceId: product.marketplaceId,
      asin: product.asin,
      productType: productTypeOf(product),
      conditionType: 'new_new',
      status: product.fulfillable > 0 ? ['BUYABLE', 'DISCOVERABLE'] : ['DISCOVERABLE'],
      fnSku: product.fnsku,
      itemName: product.title,
      createdDate: LISTED,
      lastUpdatedDate: LISTED,
      mainImage: { link: imageOf(request, product), height: 500, width: 500 },
    })),
  attributes: (_request, products) => ({
    brand: products.map(product => ({ value: product.brand, marketplace_id: product.marketplaceId })),
  }),
  issues: () => [],
  offers: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, offerType: 'B2C', price: amountOf(product) })),
  fulfillmentAvailability: (_request, [product]) => [
    { fulfillmentChannelCode: fulfilmentChannelOf(product?.marketplaceId ?? ''), quantity: product?.fulfillable ?? 0 },
  ],
  relationships: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, relationships: [] })),
  productTypes: (_request, products) =>
    products.map(product => ({ marketplaceId: product.marketplaceId, productType: productTypeOf(product) })),
}

const itemOf = (
  request: SpRequest,
  sku: string,
  products: readonly Product[],
  included: readonly string[],
): Record<string, unknown> => ({
  sku,
  ...Object.fromEntries(included.flatMap(part => (parts[part] ? [[part, parts[part](request, products)]] : []))),
})

const includedIn = (request: SpRequest): string[] => {
  const included = listOf(request.query.includedData)
  return included.length > 0 ? included : ['summaries']
}

const bySku = (request: SpRequest, marketplaceIds: readonly string[]): Map<string, Product[]> =>
  Map.groupBy(
    marketplaceIds.flatMap(id => productsOf(request, id)),
    product => product.sku,
  )

const identifierOf: Record<string, (product: Product) => string> = {
  SKU: product => product.sku,
  ASIN: product => product.asin,
  FNSKU: product => product.fnsku,
}

export const listingOperations: Operation[] = [
  {
    id: 'searchListingsItems',
    method: 'GET',
    url: '/listings/2021-08-01/items/:sellerId',
    rate: 5,
    burst: 5,
    answer(request) {
      const { query, path, seller } = request
      const marketplaceIds = marketplacesOf(request)
      if (path.sellerId !== seller.sellerId) return invalid('sellerId is not yours')
      if (!marketplaceIds) return invalid('marketplaceIds are missing or not yours')
      const size = Number(oneOf(query.pageSize) ?? 10)
      if (!Number.isInteger(size) || size < 1 || size > 20) return invalid('pageSize must be 1 to 20')
      const offset = offsetOf(oneOf(query.pageToken))
      if (offset === null) return invalid('pageToken is not valid')
      const identifiers = listOf(query.identifiers)
      const identify = identifierOf[oneOf(query.identifiersType) ?? '']
      if (identifiers.length > 0 && !identify) return invalid('identifiersType is missing or not supported')
      const found = [...bySku(request, marketplaceIds)].filter(
        ([, products]) =>
          identifiers.length === 0 || products.some(product => identifiers.includes(identify?.(product) ?? '')),
      )
      const included = includedIn(request)
      const pagination = {
        ...(offset + size < found.length ? { nextToken: pageToken(offset + size) } : {}),
        ...(offset > 0 ? { previousToken: pageToken(Math.max(0, offset - size)) } : {}),
      }
      return ok({
        numberOfResults: found.length,
        pagination,
        items: found.slice(offset, offset + size).map(([sku, products]) => itemOf(request, sku, products, included)),
      })
    },
  },
  {
    id: 'getListingsItem',
    method: 'GET',
    url: '/listings/2021-08-01/items/:sellerId/:sku',
    rate: 5,
    burst: 10,
    answer(request) {
      const marketplaceIds = marketplacesOf(request)
      if (request.path.sellerId !== request.seller.sellerId) return invalid('sellerId is not yours')
      if (!marketplaceIds) return invalid('marketplaceIds are missing or not yours')
      const sku = request.path.sku ?? ''
      const products = bySku(request, marketplaceIds).get(sku)
      return products ? ok(itemOf(request, sku, products, includedIn(request))) : notFound(`SKU '${sku}'`)
    },
  },
]
