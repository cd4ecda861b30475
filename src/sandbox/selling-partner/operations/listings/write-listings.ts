import {
  invalid,
  listOf,
  marketplacesOf,
  notFound,
  ok,
  oneOf,
  type Operation,
  refusal,
  type SpAnswer,
  type SpRequest,
} from '../operation.ts'
import { listingsBySku } from './listing-parts.ts'
import { type Submission, submitListing } from './submit-listing.ts'

type Read = (body: Record<string, unknown>, where: { sku: string; marketplaceId: string }) => Submission

const badRequest = (details: string): SpAnswer => refusal(400, 'BAD_REQUEST', 'Invalid input', details)

/** A call that changes one listing; `read` says what its body asks. */
function writing(read: Read) {
  return (request: SpRequest): SpAnswer => {
    const { path, query, seller } = request
    const [marketplaceId, more] = marketplacesOf(request) ?? []
    const mode = oneOf(query.mode)
    const sku = path.sku ?? ''
    if (path.sellerId !== seller.sellerId) return invalid('sellerId is not yours')
    if (!marketplaceId || more !== undefined) return invalid('marketplaceIds must name one marketplace of yours')
    if (mode !== undefined && mode !== 'VALIDATION_PREVIEW') return invalid('mode must be VALIDATION_PREVIEW')
    if (request.body !== null && typeof request.body !== 'object') return badRequest('The body is no object')
    const submission = read((request.body ?? {}) as Record<string, unknown>, { sku, marketplaceId })
    if (submission.kind !== 'put' && !listingsBySku(request, [marketplaceId]).has(sku)) return notFound(`SKU '${sku}'`)
    const answer = submitListing(request, submission, mode !== undefined)
    if (!answer) return badRequest('productType, attributes or patches are missing or malformed')
    const { asin, issues, ...rest } = answer
    const included = listOf(query.includedData)
    return ok({
      ...rest,
      ...(included.includes('identifiers') && { identifiers: asin ? [{ marketplaceId, asin }] : [] }),
      issues,
    })
  }
}

const url = '/listings/2021-08-01/items/:sellerId/:sku'

/** Making, changing and taking away listings, or with VALIDATION_PREVIEW only asking what would come of it. */
export const writeListings: Operation[] = [
  {
    id: 'putListingsItem',
    method: 'PUT',
    url,
    rate: 5,
    burst: 10,
    answer: writing(({ productType, attributes, requirements }, where) => {
      const offerOnly = requirements === 'LISTING_OFFER_ONLY'
      return { ...where, kind: 'put', productType, attributes, offerOnly }
    }),
  },
  {
    id: 'patchListingsItem',
    method: 'PATCH',
    url,
    rate: 5,
    burst: 5,
    answer: writing(({ productType, patches }, where) => ({ ...where, kind: 'patch', productType, patches })),
  },
  {
    id: 'deleteListingsItem',
    method: 'DELETE',
    url,
    rate: 5,
    burst: 5,
    answer: writing((_body, where) => ({ ...where, kind: 'delete' })),
  },
]
