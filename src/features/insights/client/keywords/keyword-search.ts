import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

export const keywordParts = ['terms', 'keywords', 'underperforming', 'negatives'] as const

/** What the page of keyword performance shows, as its address says. */
export const keywordSearch = v.object({
  ...rangeSearch,
  part: maybe(v.picklist(keywordParts)),
  test: maybe(v.picklist(['NO_SALE', 'TOO_DEAR', 'STARVED'])),
  sortBy: maybe(v.pipe(v.string(), v.maxLength(40))),
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  /** What is about to be done with which search terms. */
  sheet: maybe(v.picklist(['harvest', 'negate'])),
  picked: maybe(v.pipe(v.array(v.string()), v.maxLength(100))),
})
export type KeywordSearch = v.InferOutput<typeof keywordSearch>
