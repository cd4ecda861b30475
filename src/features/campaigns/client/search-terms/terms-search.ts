import * as v from 'valibot'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { rangeSearch } from '#client/ui/forms/range-search.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = maybe(v.pipe(v.number(), v.integer(), v.minValue(1)))
const text = maybe(v.pipe(v.string(), v.maxLength(200)))

/** What the page of search terms shows, as its address says. */
export const termsSearch = v.object({
  ...rangeSearch,
  view: maybe(v.picklist(['words'])),
  name: text,
  /** Only terms that contain these words in a row. */
  words: text,
  campaignId: id,
  adGroupId: id,
  adType: maybe(v.picklist(['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'])),
  coverage: maybe(v.picklist(['NEW', 'KEYWORD', 'NEGATIVE'])),
  orders: maybe(v.picklist(['WITH', 'WITHOUT'])),
  minClicks: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** How many words in a row the view of words counts. */
  length: maybe(v.picklist([1, 2, 3])),
  sortBy: text,
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  /** What is about to be done with the picked terms. */
  sheet: maybe(v.picklist(['harvest', 'negate'])),
  /** The words that are about to be negated. */
  negated: text,
  /** The keys of picked terms, see `termKey`. */
  picked: maybe(v.pipe(v.array(v.string()), v.maxLength(100))),
})
export type TermsSearch = v.InferOutput<typeof termsSearch>

/** What the lists of terms and words ask of the server in common. */
export function termsFilterOf(search: TermsSearch, { from, to }: DateRange) {
  const { name, words, campaignId, adGroupId, adType, coverage, orders, minClicks, sortDir = 'desc' } = search
  const narrowed = { words, campaignId, adGroupId, adType, coverage, orders, minClicks, searchTermName: name }
  return { dateFrom: from, dateTo: to, sortDir, ...narrowed }
}
