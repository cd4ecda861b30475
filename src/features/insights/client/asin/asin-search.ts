import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'
import { asinColumns, type AsinColumn } from '../../asin-columns.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

/** What the page of products shows, as its address says. */
export const asinSearch = v.object({
  ...rangeSearch,
  search: maybe(v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), v.trim(), v.maxLength(200))),
  sortBy: maybe(v.picklist(asinColumns as readonly AsinColumn[])),
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  page: maybe(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))),
  size: maybe(v.picklist([20, 50, 100])),
  /** The product whose detail is open. */
  asin: maybe(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/))),
  /** The figure of the chart. */
  chart: maybe(v.picklist(asinColumns as readonly AsinColumn[])),
})
export type AsinSearch = v.InferOutput<typeof asinSearch>
