import { randomUUID } from 'node:crypto'
import type { Product } from '../../../core/model/store.ts'
import { hashText } from '../../../market/random.ts'
import type { SpRequest } from '../operation.ts'
import { newListing, productsIn, productsOf, productTypeOf } from '../product-fields.ts'
import { type Attributes, type Draft, issue, readDraft, readPatches, type SubmissionIssue } from './listing-draft.ts'

/** One change of a listing, from a call or from a message of a feed. */
export type Submission = { sku: string; marketplaceId: string } & (
  | { kind: 'put'; productType: unknown; attributes: unknown; offerOnly: boolean }
  | { kind: 'patch'; productType: unknown; patches: unknown }
  | { kind: 'delete' }
)

const keyOf = ({ sellerId, marketplaceId, sku }: Product): string => `${sellerId}|${marketplaceId}|${sku}`

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTVWXYZ'
const codeOf = (text: string, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[hashText(text, i + 1) % alphabet.length]).join('')

/** A new listing without stock, of a product in the catalogue or of a new one like the model. */
function created(
  { seller: { sellerId } }: SpRequest,
  { sku, marketplaceId }: Submission,
  model: Product,
  isInCatalogue: boolean,
  draft: Draft,
): Product {
  const name = `${sellerId}|${marketplaceId}|${sku}`
  const asin = isInCatalogue ? model.asin : `B0${codeOf(name, 8)}`
  return {
    ...model,
    sellerId,
    marketplaceId,
    sku,
    asin,
    fnsku: `X00${codeOf(name, 7)}`,
    imageUrl: `/images/${asin}.svg`,
    bestSellerRank: isInCatalogue ? model.bestSellerRank : null,
    ...newListing,
    ...draft,
  }
}

/** The model for a new listing: the product with its ASIN, else any of its product type. */
function modelFor({ store }: SpRequest, submission: Submission & { kind: 'put' }, attributes: Attributes) {
  const candidates = productsIn(store, submission.marketplaceId)
  const suggested = ([attributes.merchant_suggested_asin].flat()[0] as { value?: unknown } | undefined)?.value
  return (
    candidates.find(one => one.asin === suggested) ??
    (submission.offerOnly ? undefined : candidates.find(one => productTypeOf(one) === submission.productType))
  )
}

/**
 * Applies a submission, or only checks it (`preview`). Null when it is malformed or its listing does not exist. Accepted
 * changes apply at once; the real marketplace takes minutes.
 */
export function submitListing(request: SpRequest, submission: Submission, preview: boolean) {
  const { sku, marketplaceId } = submission
  const existing = productsOf(request, marketplaceId).find(product => product.sku === sku)
  const finish = (issues: SubmissionIssue[], product?: Product) => {
    const valid = !issues.some(({ severity }) => severity === 'ERROR')
    if (product && valid && !preview)
      request.world.change(({ products }) => {
        if (submission.kind === 'delete') products.delete(keyOf(product))
        else products.set(keyOf(product), product)
      })
    return {
      sku,
      status: valid ? (preview ? 'VALID' : 'ACCEPTED') : 'INVALID',
      submissionId: randomUUID().replaceAll('-', ''),
      issues,
      asin: valid ? (product?.asin ?? null) : null,
    }
  }

  if (submission.kind === 'delete') return existing ? finish([], existing) : null
  const { productType } = submission
  if (typeof productType !== 'string') return null
  if (submission.kind === 'patch') {
    const patched = readPatches(submission.patches)
    if (!existing || !patched) return null
    const { draft, issues } = readDraft(patched.attributes, marketplaceId, [])
    return finish([...patched.issues, ...issues], { ...existing, ...draft })
  }
  if (typeof submission.attributes !== 'object' || submission.attributes === null) return null
  const attributes = submission.attributes as Attributes
  const required = [...(submission.offerOnly ? ['condition_type'] : ['item_name', 'brand']), 'purchasable_offer']
  const { draft, issues } = readDraft(attributes, marketplaceId, existing ? [] : required)
  if (existing) return finish(issues, { ...existing, ...draft })
  const model = modelFor(request, submission, attributes)
  if (model) {
    const isInCatalogue = attributes.merchant_suggested_asin !== undefined
    return finish(issues, created(request, submission, model, isInCatalogue, draft))
  }
  return finish([...issues, issue('90004002', `The product type '${productType}' is not valid.`, 'productType')])
}
