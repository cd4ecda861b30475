import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { day, id, pageOf, paging, queryId, queryNumber } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { inventorySorts } from './inventory-sorts.ts'

export const eligibilityStatus = v.picklist(['ELIGIBLE', 'INELIGIBLE', 'ELIGIBLE_WITH_WARNING'])
export type EligibilityStatus = v.InferOutput<typeof eligibilityStatus>

const text = v.nullable(v.string())
const count = v.nullable(v.number())

/** A sku in one marketplace. Null is what the marketplace did not report. */
export const inventoryProduct = v.object({
  productId: id,
  asin: text,
  sku: v.string(),
  title: text,
  brand: text,
  category: text,
  customerPrice: v.nullable(money),
  /** The currency of price and COGS. */
  customerCurrency: v.string(),
  availability: text,
  bestSellerRank: count,
  imageUrl: text,
  spEligibilityStatus: v.nullable(eligibilityStatus),
  spEligibilityMessage: text,
  fnsku: text,
  condition: text,
  available: count,
  reservedQuantity: count,
  unfulfillableQuantity: count,
  totalReservedQuantity: count,
  pendingRemovalQuantity: count,
  inboundQuantity: count,
  inboundWorking: count,
  inboundShipped: count,
  inboundReceived: count,
  /** What one unit costs the seller; null until the user enters it. */
  cogs: v.nullable(money),
  /** For how many days the stock of its ASIN lasts at the pace of the last 14 days; null when unknown or nothing was sold. */
  coverDays: v.optional(count),
})
export type InventoryProduct = v.InferOutput<typeof inventoryProduct>

const inventoryPage = v.object({
  ...pageOf(inventoryProduct).entries,
  /** When this stock was imported; null when none was until then. */
  asOf: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  /** The first day whose stock is stored; null when there is none. */
  firstDay: v.optional(v.nullable(day)),
})
export type InventoryPage = v.InferOutput<typeof inventoryPage>

/** The day from which a cost holds that always held: before any figure. */
export const beginning = '2000-01-01'

const productCosts = v.object({
  currency: v.string(),
  /** What one unit cost from a day on, until the day of the entry before; the newest first. */
  costs: v.array(
    v.object({
      validFrom: day,
      cogs: money,
      changedAt: v.pipe(v.string(), v.isoTimestamp()),
      /** The import that entered it; null when a person did. */
      importId: v.nullable(id),
    }),
  ),
})
export type ProductCosts = v.InferOutput<typeof productCosts>

const eligibilityAnswer = v.object({
  asin: v.string(),
  /** Null when the marketplace gave no answer for the product. */
  status: v.nullable(eligibilityStatus),
  message: text,
})
export type EligibilityAnswer = v.InferOutput<typeof eligibilityAnswer>

const asin = v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/, 'Must be an ASIN of 10 characters'))
const asinList = v.pipe(
  v.string(),
  v.regex(/^[A-Z0-9]{10}(,[A-Z0-9]{10})*$/, 'Must be ASINs of 10 characters, separated with commas'),
  v.maxLength(1099, 'At most 100 ASINs'),
)

/** The columns of the exported inventory, by their fields. */
export const inventoryColumns = {
  brand: 'Brand',
  category: 'Category',
  customerPrice: 'Price',
  cogs: 'COGS',
  available: 'Available',
  coverDays: 'Days of cover',
  reservedQuantity: 'Reserved',
  inboundQuantity: 'Inbound',
  inboundWorking: 'Inbound, being prepared',
  inboundShipped: 'Inbound, on its way',
  inboundReceived: 'Inbound, being received',
  unfulfillableQuantity: 'Unfulfillable',
  pendingRemovalQuantity: 'Pending removal',
  bestSellerRank: 'Best seller rank',
  availability: 'Availability',
  condition: 'Condition',
  fnsku: 'FNSKU',
  spEligibilityStatus: 'Advertising',
  spEligibilityMessage: 'Reason',
} as const satisfies Partial<Record<keyof InventoryProduct, string>>
export type InventoryColumn = keyof typeof inventoryColumns

const inventoryQuery = {
  /** Part of a title, sku or ASIN. */
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'Must be at most 200 characters'))),
  /** Stock, price and cost as they were on that day; those of now when absent. */
  snapshotDate: v.optional(day),
  sortBy: v.optional(v.picklist(inventorySorts, 'Must be a column of the list'), 'title'),
  sortDir: v.optional(v.picklist(['asc', 'desc'], 'Must be asc or desc'), 'asc'),
}

export const catalogueEndpoints = {
  inventory: defineEndpoint({
    method: 'GET',
    path: '/inventory',
    access: 'subscription',
    summary: 'The products of the current marketplace with price, stock and whether they may be advertised',
    query: v.strictObject({
      ...paging,
      ...inventoryQuery,
      /** Only these products: comma-separated ASINs. */
      asins: v.optional(asinList),
    }),
    response: inventoryPage,
    errors: ['RULE_VIOLATED'],
  }),
  exported: defineEndpoint({
    ...exportEndpoint,
    path: '/inventory/export',
    summary: 'All products that match with their stock, price and cost, as CSV or XLSX',
    query: v.strictObject({ ...inventoryQuery, ...exportQuery(Object.keys(inventoryColumns)) }),
    errors: ['RULE_VIOLATED'],
  }),
  setCogs: defineEndpoint({
    method: 'PUT',
    path: '/inventory/:productId/cogs',
    access: 'subscription',
    summary: 'Sets what one unit of a product costs the seller from a day on',
    idempotencyKey: 'optional',
    params: v.strictObject({ productId: queryId }),
    query: v.strictObject({
      cogs: v.pipe(
        queryNumber,
        v.minValue(0, 'Must be at least 0'),
        v.maxValue(1_000_000_000, 'Must be at most 1,000,000,000'),
      ),
      /** Today by default, and the beginning for the first cost of a product. */
      validFrom: v.optional(day),
    }),
    response: inventoryProduct,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
  removeCogs: defineEndpoint({
    method: 'DELETE',
    path: '/inventory/:productId/cogs',
    access: 'subscription',
    summary: 'Removes the cost that a product has from a day on; the one before it then holds',
    params: v.strictObject({ productId: queryId }),
    query: v.strictObject({ validFrom: day }),
    response: inventoryProduct,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  cogsHistory: defineEndpoint({
    method: 'GET',
    path: '/inventory/:productId/cogs',
    access: 'subscription',
    summary: 'What one unit of a product cost, and from which day on',
    params: v.strictObject({ productId: queryId }),
    response: productCosts,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  checkEligibility: defineEndpoint({
    method: 'POST',
    path: '/products/eligibility/check',
    access: 'subscription',
    authority: 'MEMBER',
    summary: 'Asks the marketplace whether products may be advertised by Sponsored Products',
    body: v.strictObject({
      asins: v.pipe(
        v.array(asin),
        v.minLength(1, 'Name at least one product'),
        v.maxLength(200, 'At most 200 products'),
      ),
    }),
    response: v.array(eligibilityAnswer),
    errors: ['RULE_VIOLATED', 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
  }),
}
