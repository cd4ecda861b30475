import { z } from 'zod'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Product } from '../../../core/model/store.ts'

export type Attributes = Record<string, unknown>

export interface SubmissionIssue {
  code: string
  message: string
  severity: 'ERROR' | 'WARNING'
  attributeNames: string[]
  categories: string[]
}

export function issue(code: string, message: string, name: string, category = 'INVALID_ATTRIBUTE'): SubmissionIssue {
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

export type Draft = Partial<Pick<Product, 'title' | 'brand' | 'priceMicros'>>

/** Reads attributes. Each wrong one and each missing required one is an issue. */
export function readDraft(
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
export function readPatches(patches: unknown): { attributes: Attributes; issues: SubmissionIssue[] } | null {
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
