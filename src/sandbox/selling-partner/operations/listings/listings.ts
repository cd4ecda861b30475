import type { Product } from '../../../core/model/store.ts'
import { check, notFound, offsetIn, ok, operation, paginationOf, type SpRequest, SpError } from '../operation.ts'
import { dataSetNames, issuesOf, LISTED, listingOf, listingsBySku, statusesOf } from './listing-parts.ts'
import { type Submission, submitListing } from './submit-listing.ts'

const identifierOf: Record<string, (product: Product) => string> = {
  SKU: product => product.sku,
  ASIN: product => product.asin,
  FNSKU: product => product.fnsku,
}
const otherIdentifiers = new Set(['EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

function filterOf({ query }: SpRequest): (products: readonly Product[]) => boolean {
  const identifiers = query.list('identifiers')
  const type = query.one('identifiersType')
  // No product here is a variation or a package of another.
  const isSingle = !query.has('variationParentSku') && !query.has('packageHierarchySku')
  check(identifiers.length <= 20, 'identifiers may hold 20 values')
  check(identifiers.length > 0 === (type !== undefined), 'identifiers and identifiersType belong together')
  check(type === undefined || identifierOf[type] || otherIdentifiers.has(type), 'identifiersType is not valid')
  check(
    identifiers.length === 0 || isSingle,
    'identifiers cannot be used with variationParentSku or packageHierarchySku',
  )
  const listed = Date.parse(LISTED)
  const periods = ['created', 'lastUpdated'].map(name => ({
    after: query.moment(`${name}After`) ?? -Infinity,
    before: query.moment(`${name}Before`) ?? Infinity,
  }))
  check(!periods.some(({ after, before }) => Number.isNaN(after) || Number.isNaN(before)), 'a date-time is not valid')
  const inPeriods = periods.every(({ after, before }) => listed >= after && listed <= before)
  const severities = query.list('withIssueSeverity')
  const [withStatus, withoutStatus] = [query.list('withStatus'), query.list('withoutStatus')]
  const identify = identifierOf[type ?? ''] ?? (() => '')
  return products =>
    inPeriods &&
    isSingle &&
    (type === undefined || products.some(product => identifiers.includes(identify(product)))) &&
    (severities.length === 0 ||
      products.flatMap(issuesOf).some(({ severity = '' }) => severities.includes(severity))) &&
    withStatus.every(status => products.flatMap(statusesOf).includes(status)) &&
    !withoutStatus.some(status => products.flatMap(statusesOf).includes(status))
}

function search(request: SpRequest) {
  const { query, path, seller } = request
  check(path.sellerId === seller.sellerId, 'sellerId is not yours')
  const bySku = listingsBySku(request, query.marketplaces(seller))
  const included = query.included(dataSetNames)
  const size = query.pageSize('pageSize', 10, 20, 'pageSize must be 1 to 20')
  const offset = offsetIn(query.one('pageToken'), 'pageToken is not valid')
  const filter = filterOf(request)
  const [by, order] = [query.one('sortBy') ?? 'lastUpdatedDate', query.one('sortOrder') ?? 'DESC']
  check(
    ['sku', 'createdDate', 'lastUpdatedDate'].includes(by) && ['ASC', 'DESC'].includes(order),
    'sortBy or sortOrder is not valid',
  )
  const found = [...bySku].filter(([, products]) => filter(products))
  // All listings were created and changed at the same moment, so only sorting by SKU changes their order.
  if (by === 'sku') found.sort(([a], [b]) => (a < b ? -1 : 1) * (order === 'ASC' ? 1 : -1))
  return ok({
    numberOfResults: found.length,
    pagination: paginationOf(offset, size, found.length),
    items: found.slice(offset, offset + size).map(([, products]) => listingOf(request, products, included)),
  })
}

function get(request: SpRequest) {
  const { path, query, seller } = request
  check(path.sellerId === seller.sellerId, 'sellerId is not yours')
  const bySku = listingsBySku(request, query.marketplaces(seller))
  const included = query.included(dataSetNames)
  const products = bySku.get(path.sku ?? '')
  if (!products) throw notFound(`SKU '${path.sku}'`)
  return ok(listingOf(request, products, included))
}

type ReadBody = (body: Record<string, unknown>, listing: { sku: string; marketplaceId: string }) => Submission

const badRequest = (details: string): SpError => new SpError(400, 'BAD_REQUEST', 'Invalid input', details)

/** A call that changes one listing, or with VALIDATION_PREVIEW only checks what would happen. */
function submit(readBody: ReadBody) {
  return (request: SpRequest) => {
    const { path, query, seller, body } = request
    const { sellerId, sku = '' } = path
    check(sellerId === seller.sellerId, 'sellerId is not yours')
    const marketplaceId = query.oneMarketplace(seller)
    const mode = query.one('mode')
    check(mode === undefined || mode === 'VALIDATION_PREVIEW', 'mode must be VALIDATION_PREVIEW')
    if (body !== null && typeof body !== 'object') throw badRequest('The body is no object')
    const submission = readBody((body ?? {}) as Record<string, unknown>, { sku, marketplaceId })
    if (submission.kind !== 'put' && !listingsBySku(request, [marketplaceId]).has(sku)) throw notFound(`SKU '${sku}'`)
    const answer = submitListing(request, submission, mode !== undefined)
    if (!answer) throw badRequest('productType, attributes or patches are missing or malformed')
    const { asin, ...rest } = answer
    if (!query.list('includedData').includes('identifiers')) return ok(rest)
    return ok({ ...rest, identifiers: asin ? [{ marketplaceId, asin }] : [] })
  }
}

const put = submit(({ productType, attributes, requirements }, listing) => {
  const offerOnly = requirements === 'LISTING_OFFER_ONLY'
  return { ...listing, kind: 'put', productType, attributes, offerOnly }
})
const patch = submit(({ productType, patches }, listing) => ({ ...listing, kind: 'patch', productType, patches }))
const remove = submit((_body, listing) => ({ ...listing, kind: 'delete' }))

const url = '/listings/2021-08-01/items/:sellerId'

export const listingOperations = [
  operation('searchListingsItems', `GET ${url}`, 5, 5, search),
  operation('getListingsItem', `GET ${url}/:sku`, 5, 10, get),
  operation('putListingsItem', `PUT ${url}/:sku`, 5, 10, put),
  operation('patchListingsItem', `PATCH ${url}/:sku`, 5, 5, patch),
  operation('deleteListingsItem', `DELETE ${url}/:sku`, 5, 5, remove),
]
