import { check, notFound, ok, operation, SpError, type SpRequest } from '../operation.ts'
import { listingsBySku } from './listing-parts.ts'
import { type Submission, submitListing } from './submit-listing.ts'

type ReadBody = (body: Record<string, unknown>, listing: { sku: string; marketplaceId: string }) => Submission

const badRequest = (details: string): SpError => new SpError(400, 'BAD_REQUEST', 'Invalid input', details)

/** A call that changes one listing. `readBody` makes the submission from its body. */
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

const url = '/listings/2021-08-01/items/:sellerId/:sku'

/** Creating, changing and deleting listings, or with VALIDATION_PREVIEW only checking what would happen. */
export const writeListings = [
  operation('putListingsItem', `PUT ${url}`, 5, 10, put),
  operation('patchListingsItem', `PATCH ${url}`, 5, 5, patch),
  operation('deleteListingsItem', `DELETE ${url}`, 5, 5, remove),
]
