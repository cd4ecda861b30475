import * as v from 'valibot'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = maybe(v.pipe(v.number(), v.integer(), v.minValue(1)))
const text = maybe(v.pipe(v.string(), v.maxLength(200)))

/** What the page of negatives shows, as its address says. */
export const negativesSearch = v.object({
  name: text,
  campaignId: id,
  adGroupId: id,
  level: maybe(v.picklist(['CAMPAIGN', 'AD_GROUP'])),
  adType: maybe(v.picklist(['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'])),
  kind: maybe(v.picklist(['KEYWORD', 'PRODUCT'])),
  syncState: maybe(v.picklist(['SYNCED', 'PENDING', 'FAILED'])),
  /** Archived ones are left out unless they are asked for. */
  state: maybe(v.picklist(['ARCHIVED', 'ALL'])),
  sortBy: maybe(v.picklist(['text', 'matchType', 'state'])),
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  /** The sheet that adds negatives is open. */
  sheet: maybe(v.picklist(['add'])),
})
export type NegativesSearch = v.InferOutput<typeof negativesSearch>
