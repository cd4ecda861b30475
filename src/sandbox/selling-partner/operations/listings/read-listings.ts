import type { Product } from '../../../core/model/store.ts'
import { check, invalid, notFound, ok, type Operation, operation, type SpAnswer, type SpRequest } from '../operation.ts'
import {
  includedIn,
  listOf,
  marketplacesOf,
  momentOf,
  offsetOf,
  oneOf,
  pageSizeOf,
  paginationOf,
} from '../read-request.ts'
import { isDataSet, issuesOf, LISTED, listingOf, listingsBySku, statusesOf } from './listing-parts.ts'

const identifierOf: Record<string, (product: Product) => string> = {
  SKU: product => product.sku,
  ASIN: product => product.asin,
  FNSKU: product => product.fnsku,
}
const otherIdentifiers = new Set(['EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

type Filter = (products: readonly Product[]) => boolean

/** Which listings a search matches. */
function filterOf({ query }: SpRequest): Filter {
  const identifiers = listOf(query.identifiers)
  const type = oneOf(query.identifiersType)
  check(identifiers.length <= 20, 'identifiers may hold 20 values')
  check(identifiers.length > 0 === (type !== undefined), 'identifiers and identifiersType belong together')
  check(type === undefined || identifierOf[type] || otherIdentifiers.has(type), 'identifiersType is not valid')
  check(
    identifiers.length === 0 || (query.variationParentSku ?? query.packageHierarchySku) === undefined,
    'identifiers cannot be used with variationParentSku or packageHierarchySku',
  )
  const listed = Date.parse(LISTED)
  const periods = ['created', 'lastUpdated'].map(name => [
    momentOf(query[`${name}After`]) ?? -Infinity,
    momentOf(query[`${name}Before`]) ?? Infinity,
  ])
  check(!periods.flat().some(Number.isNaN), 'a date-time is not valid')
  const inPeriods = periods.every(([after = 0, before = 0]) => listed >= after && listed <= before)
  const [severities, withStatus, withoutStatus] = [
    listOf(query.withIssueSeverity),
    listOf(query.withStatus),
    listOf(query.withoutStatus),
  ]
  // No product here is a variation or a package of another.
  const isSingle = query.variationParentSku === undefined && query.packageHierarchySku === undefined
  const identify = identifierOf[type ?? ''] ?? (() => '')
  return products =>
    inPeriods &&
    isSingle &&
    (type === undefined || products.some(product => identifiers.includes(identify(product)))) &&
    (severities.length === 0 || products.flatMap(issuesOf).some(issue => severities.includes(issue.severity))) &&
    withStatus.every(status => products.flatMap(statusesOf).includes(status)) &&
    !withoutStatus.some(status => products.flatMap(statusesOf).includes(status))
}

/** All listings were created and changed at the same moment, so only sorting by SKU changes their order. */
function sorted<T>({ query }: SpRequest, found: [string, T][]): [string, T][] {
  const [by, order] = [oneOf(query.sortBy) ?? 'lastUpdatedDate', oneOf(query.sortOrder) ?? 'DESC']
  if (!['sku', 'createdDate', 'lastUpdatedDate'].includes(by) || !['ASC', 'DESC'].includes(order))
    throw invalid('sortBy or sortOrder is not valid')
  if (by !== 'sku') return found
  const direction = order === 'ASC' ? 1 : -1
  return found.toSorted(([a], [b]) => (a < b ? -direction : a > b ? direction : 0))
}

function search(request: SpRequest): SpAnswer {
  const { query, path, seller } = request
  check(path.sellerId === seller.sellerId, 'sellerId is not yours')
  const marketplaceIds = marketplacesOf(request)
  const included = includedIn(request, isDataSet)
  const size = pageSizeOf(query.pageSize, 10, 20, 'pageSize must be 1 to 20')
  const offset = offsetOf(oneOf(query.pageToken), 'pageToken is not valid')
  const filter = filterOf(request)
  const found = sorted(
    request,
    [...listingsBySku(request, marketplaceIds)].filter(([, products]) => filter(products)),
  )
  return ok({
    numberOfResults: found.length,
    pagination: paginationOf(offset, size, found.length),
    items: found.slice(offset, offset + size).map(([sku, products]) => listingOf(request, sku, products, included)),
  })
}

function get(request: SpRequest): SpAnswer {
  const { sellerId, sku = '' } = request.path
  check(sellerId === request.seller.sellerId, 'sellerId is not yours')
  const marketplaceIds = marketplacesOf(request)
  const included = includedIn(request, isDataSet)
  const products = listingsBySku(request, marketplaceIds).get(sku)
  if (!products) throw notFound(`SKU '${sku}'`)
  return ok(listingOf(request, sku, products, included))
}

const url = '/listings/2021-08-01/items/:sellerId'

/** Reading listings: one by its SKU, or those that match a search, page by page. */
export const readListings: Operation[] = [
  operation('searchListingsItems', `GET ${url}`, 5, 5, search),
  operation('getListingsItem', `GET ${url}/:sku`, 5, 10, get),
]
