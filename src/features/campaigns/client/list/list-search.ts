import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = maybe(v.pipe(v.number(), v.integer(), v.minValue(1)))
const text = maybe(v.pipe(v.string(), v.maxLength(200)))
const longText = maybe(v.pipe(v.string(), v.maxLength(600)))

/**
 * What a list is narrowed to and ordered by, which columns it shows, and the saved view that this was. Filters and columns
 * are checked by the page, which knows them.
 */
const listSearch = {
  ...rangeSearch,
  name: text,
  state: maybe(v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'])),
  adType: text,
  serving: text,
  targetingType: text,
  matchType: text,
  type: text,
  /** The marketplace's id of a portfolio, or NONE. */
  portfolioId: text,
  /** Conditions on figures, as the query has them: `acos>40,orders<=0`. */
  figures: longText,
  launched: maybe(v.literal(true)),
  /** Campaigns that advertise this product. */
  asin: maybe(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/))),
  sortBy: text,
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  /** The names of the columns in their order, comma-separated. */
  columns: longText,
  /** The figure that the chart above the list shows; `off` while it is folded. */
  chart: text,
  /** The saved view; 0 for none although one is the default. */
  view: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
}
/** The sheet that is open over a page, and the row or the picked search terms that it is about. */
const sheetSearch = {
  sheet: maybe(v.picklist(['add', 'bid', 'budget', 'bulk', 'edit', 'harvest', 'history', 'negate'])),
  row: id,
  picked: maybe(v.pipe(v.array(v.string()), v.maxLength(100))),
  /** What a bulk change does. */
  action: maybe(v.picklist(['PAUSED', 'ENABLED', 'ARCHIVED', 'AMOUNT', 'PORTFOLIO', 'NEGATE'])),
}
/** Which search terms of a campaign or ad group are shown; all when absent. */
const terms = maybe(v.picklist(['SELLING', 'WASTE']))

export const campaignsSearch = v.object({
  ...listSearch,
  ...sheetSearch,
  campaign: id,
  terms,
  /** What of the chosen campaign is shown. */
  part: maybe(v.picklist(['groups', 'terms', 'negatives', 'history'])),
})
export const adGroupsSearch = v.object({ ...listSearch, ...sheetSearch, campaignId: id })
export const contentsSearch = v.object({ ...listSearch, ...sheetSearch })
export const adGroupSearch = v.object({
  ...listSearch,
  ...sheetSearch,
  adGroupId: id,
  terms,
  tab: maybe(v.picklist(['ads', 'keywords', 'targets', 'terms', 'negatives'])),
})
const list = v.object(listSearch)
export type ListSearch = v.InferOutput<typeof list>

/** Every name with nothing set. */
export const noneOf = <K extends string>(choices: Record<K, unknown>) =>
  Object.fromEntries(Object.keys(choices).map(name => [name, undefined])) as { [N in K]: undefined }

/** Every name of a list's address, with nothing set. */
export const noSearch = noneOf(listSearch)

/** Whether an address says nothing about the list, so that it opens as the user likes it best. */
export const isPlainSearch = (search: ListSearch): boolean =>
  Object.keys(noSearch).every(name => search[name as keyof ListSearch] === undefined)

/** What of an address a saved view keeps. */
export function viewSearchOf(search: ListSearch): Record<string, string | number | boolean> {
  const { view: _view, ...rest } = search
  return Object.fromEntries(
    Object.keys(noSearch).flatMap(name => {
      const value = rest[name as keyof typeof rest]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
