import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Product } from '../../../core/model/store.ts'
import { hashText } from '../../../market/random.ts'
import type { SpRequest } from '../operation.ts'
import { newListing, productsIn, productsOf, productTypeOf } from '../product-fields.ts'

type Attributes = Record<string, unknown>

type SubmissionIssue = ReturnType<typeof issue>
function issue(code: string, message: string, name: string, category = 'INVALID_ATTRIBUTE') {
  return { code, message, severity: 'ERROR', attributeNames: [name], categories: [category] }
}
const missing = (name: string) => issue('90220', `'${name}' is required but not supplied.`, name, 'MISSING_ATTRIBUTE')
const wrong = (name: string) => issue('90000900', 'The attributes are invalid.', name)

// Most of these have no effect: products are in the marketplace's own warehouses, and images are drawn.
const attributeNames = new Set(
  'item_name brand purchasable_offer condition_type fulfillment_availability merchant_suggested_asin bullet_point product_description generic_keyword main_product_image_locator list_price country_of_origin supplier_declared_dg_hz_regulation externally_assigned_product_identifier manufacturer'.split(
    ' ',
  ),
)

const text = z.object({ value: z.string().max(500).regex(/\S/) }).transform(({ value }) => value)
const schedule = z.object({ value_with_tax: z.number().positive().max(1_000_000_000) })
const offer = z.object({
  currency: z.string().optional(),
  our_price: z.tuple([z.object({ schedule: z.tuple([schedule], z.unknown()) })], z.unknown()),
})

type Draft = Partial<Pick<Product, 'title' | 'brand' | 'priceMicros'>>

/** Reads attributes. Each wrong one and each missing required one is an issue. */
function readDraft(
  attributes: Attributes,
  marketplaceId: string,
  required: readonly string[],
): { draft: Draft; issues: SubmissionIssue[] } {
  const issues = [
    ...required.filter(name => attributes[name] === undefined).map(missing),
    ...Object.keys(attributes)
      .filter(name => !attributeNames.has(name))
      .map(wrong),
  ]
  const currency = marketplaceByAmazonId(marketplaceId)?.currency
  const price = offer
    .refine(one => (one.currency ?? currency) === currency)
    .transform(one => toMicros(one.our_price[0].schedule[0].value_with_tax))
  // Values are lists of objects that may each be for one marketplace.
  const read = <T>(field: keyof Draft, name: string, schema: z.ZodType<T>): Partial<Record<keyof Draft, T>> => {
    if (attributes[name] === undefined) return {}
    const values = [attributes[name]].flat() as (Record<string, unknown> | undefined)[]
    const { data } = schema.safeParse(values.find(one => (one?.marketplace_id ?? marketplaceId) === marketplaceId))
    if (data === undefined) issues.push(wrong(name))
    return data === undefined ? {} : { [field]: data }
  }
  const draft = {
    ...read('title', 'item_name', text),
    ...read('brand', 'brand', text),
    ...read('priceMicros', 'purchasable_offer', price),
  } as Draft
  return { draft, issues }
}

const patchList = z
  .array(
    z.discriminatedUnion('op', [
      z.object({ op: z.literal('delete'), path: z.string() }),
      z.object({ op: z.enum(['add', 'replace', 'merge']), path: z.string(), value: z.array(z.unknown()) }),
    ]),
  )
  .min(1)

/** The attributes that patches set. Deleting a required one is an issue. Null when one is not a patch. */
function readPatches(patches: unknown): { attributes: Attributes; issues: SubmissionIssue[] } | null {
  const { data } = patchList.safeParse(patches)
  const named = data?.map(patch => ({ ...patch, name: /^\/attributes\/(\w+)$/.exec(patch.path)?.[1] ?? '' }))
  if (!named?.every(({ name }) => name)) return null
  return {
    attributes: Object.fromEntries(named.flatMap(patch => (patch.op === 'delete' ? [] : [[patch.name, patch.value]]))),
    issues: named
      .filter(({ op, name }) => op === 'delete' && ['item_name', 'brand'].includes(name))
      .map(({ name }) => missing(name)),
  }
}

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
    const valid = issues.length === 0
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
