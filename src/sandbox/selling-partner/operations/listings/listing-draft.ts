import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Product } from '../../../core/model/store.ts'
import { isAmount, isObject } from '../read-request.ts'

/** Attribute values by name, as a seller submits them. */
export type Attributes = Record<string, unknown>

export interface SubmissionIssue {
  code: string
  message: string
  severity: 'ERROR' | 'WARNING'
  attributeNames: string[]
  categories: string[]
}

export interface PatchOperation {
  op: 'add' | 'replace' | 'merge' | 'delete'
  path: string
  value?: unknown
}

/** The fields of a product that an accepted submission sets. */
export type Draft = Partial<Pick<Product, 'title' | 'brand' | 'priceMicros'>>

function missing(name: string): SubmissionIssue {
  return {
    code: '90220',
    message: `'${name}' is required but not supplied.`,
    severity: 'ERROR',
    attributeNames: [name],
    categories: ['MISSING_ATTRIBUTE'],
  }
}

function wrong(name: string): SubmissionIssue {
  return {
    code: '90000900',
    message: 'The attributes are invalid.',
    severity: 'ERROR',
    attributeNames: [name],
    categories: ['INVALID_ATTRIBUTE'],
  }
}

// Most of these have no effect: products are in the marketplace's own warehouses, and images are drawn.
const attributeNames = new Set(
  'item_name brand purchasable_offer condition_type fulfillment_availability merchant_suggested_asin bullet_point product_description generic_keyword main_product_image_locator list_price country_of_origin supplier_declared_dg_hz_regulation externally_assigned_product_identifier manufacturer'.split(
    ' ',
  ),
)

/** Values are lists of objects that may each be for one marketplace. */
function valueIn(attributes: Attributes, name: string, marketplaceId: string): Record<string, unknown> | undefined {
  return ([attributes[name]].flat() as (Record<string, unknown> | undefined)[]).find(
    value => value?.marketplace_id === undefined || value.marketplace_id === marketplaceId,
  )
}

function textIn(attributes: Attributes, name: string, marketplaceId: string): string | null {
  const { value } = valueIn(attributes, name, marketplaceId) ?? {}
  return typeof value === 'string' && value.trim() !== '' && value.length <= 500 ? value : null
}

function priceIn(attributes: Attributes, marketplaceId: string): number | null {
  const offer = valueIn(attributes, 'purchasable_offer', marketplaceId) as
    | { currency?: unknown; our_price?: { schedule?: { value_with_tax?: unknown }[] }[] }
    | undefined
  const price = offer?.our_price?.[0]?.schedule?.[0]?.value_with_tax
  const currency = marketplaceByAmazonId(marketplaceId)?.currency
  const fits = isAmount(price) && price > 0 && (offer?.currency ?? currency) === currency
  return fits ? toMicros(price) : null
}

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
  const read = <T>(name: string, value: T | null): T | undefined => {
    if (attributes[name] === undefined) return undefined
    if (value === null) issues.push(wrong(name))
    return value ?? undefined
  }
  const title = read('item_name', textIn(attributes, 'item_name', marketplaceId))
  const brand = read('brand', textIn(attributes, 'brand', marketplaceId))
  const priceMicros = read('purchasable_offer', priceIn(attributes, marketplaceId))
  const draft = {
    ...(title !== undefined && { title }),
    ...(brand !== undefined && { brand }),
    ...(priceMicros !== undefined && { priceMicros }),
  }
  return { draft, issues }
}

const attributePath = /^\/attributes\/(\w+)$/

/** The attributes that patches set. Deleting a required one is an issue. Null when one is not a patch. */
export function readPatches(patches: unknown): { attributes: Attributes; issues: SubmissionIssue[] } | null {
  if (!Array.isArray(patches) || patches.length === 0 || !patches.every(isObject)) return null
  const attributes: Attributes = {}
  const issues: SubmissionIssue[] = []
  for (const { op, path, value } of patches) {
    const name = attributePath.exec(String(path))?.[1]
    if (!name || !['add', 'replace', 'merge', 'delete'].includes(String(op))) return null
    if (op === 'delete') issues.push(...(['item_name', 'brand'].includes(name) ? [missing(name)] : []))
    else if (Array.isArray(value)) attributes[name] = value
    else return null
  }
  return { attributes, issues }
}
