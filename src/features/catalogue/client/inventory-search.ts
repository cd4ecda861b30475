import * as v from 'valibot'
import { day } from '#shared/query-schemas.ts'
import { inventorySorts } from '../inventory-sorts.ts'

/** How many products a page may show; the second is the usual one. */
export const pageSizes = [10, 20, 50] as const
export const usualSize = 20

const optional = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

/** The search params of /inventory. What an address holds that is none of this is left out. */
export const inventorySearch = v.object({
  search: optional(v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), v.trim(), v.maxLength(200))),
  page: optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))),
  size: optional(v.picklist(pageSizes)),
  sortBy: optional(v.picklist(inventorySorts)),
  sortDir: optional(v.picklist(['asc', 'desc'])),
  /** Stock as it was on that day. */
  day: optional(day),
  /** The product whose detail is open. */
  product: optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Where the user came from to enter what was missing, and goes back to. */
  from: optional(v.picklist(['wizard'])),
})
export type InventorySearch = v.InferOutput<typeof inventorySearch>
