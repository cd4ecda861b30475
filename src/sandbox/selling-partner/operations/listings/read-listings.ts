import type { Product } from '../../../core/model/store.ts'
import {
  invalid,
  listOf,
  marketplacesOf,
  momentOf,
  notFound,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  type SpAnswer,
  type SpRequest,
} from '../operation.ts'
import { includedIn, issuesOf, LISTED, listingOf, listingsBySku, statusesOf } from './listing-parts.ts'

const identifierOf: Record<string, (product: Product) => string> = {
  SKU: product => product.sku,
  ASIN: product => product.asin,
  FNSKU: product => product.fnsku,
}
const otherIdentifiers = new Set(['EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

type Keep = (products: readonly Product[]) => boolean

/** What a search keeps, or in a sentence what is wrong with it. */
function filterOf({ query }: SpRequest): Keep | string {
  const identifiers = listOf(query.identifiers)
  const type = oneOf(query.identifiersType)
  if (identifiers.length > 20) return 'identifiers may hold 20 values'
  if (identifiers.length > 0 !== (type !== undefined)) return 'identifiers and identifiersType belong together'
  if (type !== undefined && !identifierOf[type] && !otherIdentifiers.has(type)) return 'identifiersType is not valid'
  if (identifiers.length > 0 && (query.variationParentSku ?? query.packageHierarchySku) !== undefined)
    return 'identifiers cannot be used with variationParentSku or packageHierarchySku'
  const listed = Date.parse(LISTED)
  const windows = ['created', 'lastUpdated'].map(name => [
    momentOf(query[`${name}After`]) ?? -Infinity,
    momentOf(query[`${name}Before`]) ?? Infinity,
  ])
  if (windows.flat().some(Number.isNaN)) return 'a date-time is not valid'
  const inTime = windows.every(([after = 0, before = 0]) => listed >= after && listed <= before)
  const [severities, having, lacking] = [query.withIssueSeverity, query.withStatus, query.withoutStatus].map(listOf)
  // Nothing here is a variation or a package of another thing.
  const alone = query.variationParentSku === undefined && query.packageHierarchySku === undefined
  const identify = identifierOf[type ?? ''] ?? (() => '')
  return products =>
    inTime &&
    alone &&
    (type === undefined || products.some(product => identifiers.includes(identify(product)))) &&
    (!severities?.length || products.flatMap(issuesOf).some(issue => severities.includes(issue.severity))) &&
    (having ?? []).every(status => products.flatMap(statusesOf).includes(status)) &&
    !(lacking ?? []).some(status => products.flatMap(statusesOf).includes(status))
}

/** All listings were made and changed at once, so any order but that by SKU is the order they came in. */
function sorted<T>({ query }: SpRequest, found: [string, T][]): [string, T][] | null {
  const [by, order] = [oneOf(query.sortBy) ?? 'lastUpdatedDate', oneOf(query.sortOrder) ?? 'DESC']
  if (!['sku', 'createdDate', 'lastUpdatedDate'].includes(by) || !['ASC', 'DESC'].includes(order)) return null
  if (by !== 'sku') return found
  const direction = order === 'ASC' ? 1 : -1
  return found.toSorted(([a], [b]) => (a < b ? -direction : a > b ? direction : 0))
}

function search(request: SpRequest): SpAnswer {
  const { query, path, seller } = request
  const marketplaceIds = marketplacesOf(request)
  if (path.sellerId !== seller.sellerId) return invalid('sellerId is not yours')
  if (!marketplaceIds) return invalid('marketplaceIds are missing or not yours')
  const included = includedIn(request)
  if (!included) return invalid('includedData is not valid')
  const size = Number(oneOf(query.pageSize) ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > 20) return invalid('pageSize must be 1 to 20')
  const offset = offsetOf(oneOf(query.pageToken))
  if (offset === null) return invalid('pageToken is not valid')
  const keep = filterOf(request)
  if (typeof keep === 'string') return invalid(keep)
  const found = sorted(
    request,
    [...listingsBySku(request, marketplaceIds)].filter(([, products]) => keep(products)),
  )
  if (!found) return invalid('sortBy or sortOrder is not valid')
  return ok({
    numberOfResults: found.length,
    pagination: {
      ...(offset + size < found.length ? { nextToken: pageToken(offset + size) } : {}),
      ...(offset > 0 ? { previousToken: pageToken(Math.max(0, offset - size)) } : {}),
    },
    items: found.slice(offset, offset + size).map(([sku, products]) => listingOf(request, sku, products, included)),
  })
}

/** Reading listings: one by its SKU, or those that a search keeps, page by page. */
export const readListings: Operation[] = [
  {
    id: 'searchListingsItems',
    method: 'GET',
    url: '/listings/2021-08-01/items/:sellerId',
    rate: 5,
    burst: 5,
    answer: search,
  },
  {
    id: 'getListingsItem',
    method: 'GET',
    url: '/listings/2021-08-01/items/:sellerId/:sku',
    rate: 5,
    burst: 10,
    answer(request) {
      const marketplaceIds = marketplacesOf(request)
      const included = includedIn(request)
      if (request.path.sellerId !== request.seller.sellerId) return invalid('sellerId is not yours')
      if (!marketplaceIds) return invalid('marketplaceIds are missing or not yours')
      if (!included) return invalid('includedData is not valid')
      const sku = request.path.sku ?? ''
      const products = listingsBySku(request, marketplaceIds).get(sku)
      return products ? ok(listingOf(request, sku, products, included)) : notFound(`SKU '${sku}'`)
    },
  },
]
