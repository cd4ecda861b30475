import { randomUUID } from 'node:crypto'
import type { Product } from '../../../core/model/store.ts'
import { hashText } from '../../../market/random.ts'
import type { SpRequest } from '../operation.ts'
import { productsOf, productTypeOf } from '../product-fields.ts'
import { type Attributes, type Draft, readDraft, readPatches, type SubmissionIssue } from './listing-draft.ts'

/** One change of a listing, from a call or from a message of a feed. */
export type Submission = { sku: string; marketplaceId: string } & (
  | { kind: 'put'; productType: unknown; attributes: unknown; offerOnly: boolean }
  | { kind: 'patch'; productType: unknown; patches: unknown }
  | { kind: 'delete' }
)

export interface SubmissionAnswer {
  sku: string
  status: 'ACCEPTED' | 'INVALID' | 'VALID'
  submissionId: string
  issues: SubmissionIssue[]
  asin: string | null
}

const keyOf = ({ sellerId, marketplaceId, sku }: Product): string => `${sellerId}|${marketplaceId}|${sku}`

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTVWXYZ'
const codeOf = (text: string, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[hashText(text, i + 1) % alphabet.length]).join('')

/** A new listing without stock, of a product in the catalogue or of a new one. */
function created(
  request: SpRequest,
  { sku, marketplaceId }: Submission,
  model: Product,
  isInCatalogue: boolean,
  draft: Draft,
): Product {
  const name = `${request.seller.sellerId}|${marketplaceId}|${sku}`
  const asin = isInCatalogue ? model.asin : `B0${codeOf(name, 8)}`
  return {
    ...model,
    sellerId: request.seller.sellerId,
    marketplaceId,
    sku,
    asin,
    fnsku: `X00${codeOf(name, 7)}`,
    imageUrl: `/images/${asin}.svg`,
    bestSellerRank: isInCatalogue ? model.bestSellerRank : null,
    fulfillable: 0,
    reserved: 0,
    unfulfillable: 0,
    inboundWorking: 0,
    inboundShipped: 0,
    inboundReceiving: 0,
    eligibility: 'ELIGIBLE',
    eligibilityMessage: null,
    ...draft,
  }
}

function unknownType(productType: unknown): SubmissionIssue {
  return {
    code: '90004002',
    message: `The product type '${String(productType)}' is not valid.`,
    severity: 'ERROR',
    attributeNames: ['productType'],
    categories: ['INVALID_ATTRIBUTE'],
  }
}

/** The model for a new listing: the product with its ASIN, else any of its product type. */
function modelFor(
  request: SpRequest,
  submission: Submission & { kind: 'put' },
  attributes: Attributes,
): Product | null {
  const candidates = [...request.store.products.values()].filter(one => one.marketplaceId === submission.marketplaceId)
  const suggested = ([attributes.merchant_suggested_asin].flat()[0] as { value?: unknown } | undefined)?.value
  const same = candidates.find(one => one.asin === suggested)
  if (same || submission.offerOnly) return same ?? null
  return candidates.find(one => productTypeOf(one) === submission.productType) ?? null
}

/**
 * Applies a submission, or only checks it (`preview`). Null when it is malformed or its listing does not exist. Accepted
 * changes apply at once; the real marketplace takes minutes.
 */
export function submitListing(request: SpRequest, submission: Submission, preview: boolean): SubmissionAnswer | null {
  const { sku, marketplaceId } = submission
  const existing = productsOf(request, marketplaceId).find(product => product.sku === sku)
  const finish = (issues: SubmissionIssue[], product: Product | null, write: () => void): SubmissionAnswer => {
    const valid = !issues.some(issue => issue.severity === 'ERROR')
    if (valid && !preview) write()
    return {
      sku,
      status: valid ? (preview ? 'VALID' : 'ACCEPTED') : 'INVALID',
      submissionId: randomUUID().replaceAll('-', ''),
      issues,
      asin: valid ? (product?.asin ?? null) : null,
    }
  }
  const set = (product: Product): void => request.change(store => void store.products.set(keyOf(product), product))

  if (submission.kind === 'delete')
    return existing
      ? finish([], existing, () => request.change(store => void store.products.delete(keyOf(existing))))
      : null
  if (typeof submission.productType !== 'string') return null
  if (submission.kind === 'patch') {
    const patched = readPatches(submission.patches)
    if (!existing || !patched) return null
    const { draft, issues } = readDraft(patched.attributes, marketplaceId, [])
    return finish([...patched.issues, ...issues], existing, () => set({ ...existing, ...draft }))
  }
  if (typeof submission.attributes !== 'object' || submission.attributes === null) return null
  const attributes = submission.attributes as Attributes
  const required = submission.offerOnly
    ? ['condition_type', 'purchasable_offer']
    : ['item_name', 'brand', 'purchasable_offer']
  const { draft, issues } = readDraft(attributes, marketplaceId, existing ? [] : required)
  const model = existing ?? modelFor(request, submission, attributes)
  if (!model) return finish([...issues, unknownType(submission.productType)], null, () => undefined)
  const isInCatalogue = attributes.merchant_suggested_asin !== undefined
  const product = existing ? { ...existing, ...draft } : created(request, submission, model, isInCatalogue, draft)
  return finish(issues, product, () => set(product))
}
