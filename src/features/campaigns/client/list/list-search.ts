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
  /** Conditions on figures, as the query has them: `acos>40,orders<=0`. */
  figures: longText,
  launched: maybe(v.literal(true)),
  sortBy: text,
  sortDir: maybe(v.picklist(['asc', 'desc'])),
  /** The names of the columns in their order, comma-separated. */
  columns: longText,
  /** The figure that the chart above the list shows; `off` while it is folded. */
  chart: text,
  /** The saved view; 0 for none although one is the default. */
  view: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
}
export const campaignsSearch = v.object({
  ...listSearch,
  campaign: id,
  /** What of the chosen campaign is shown. */
  part: maybe(v.picklist(['groups', 'terms', 'negatives', 'history'])),
})
export const adGroupsSearch = v.object({ ...listSearch, campaignId: id })
export const contentsSearch = v.object(listSearch)
export const adGroupSearch = v.object({
  ...listSearch,
  adGroupId: id,
  tab: maybe(v.picklist(['ads', 'keywords', 'targets', 'terms', 'negatives'])),
})
export type ListSearch = Omit<v.InferOutput<typeof campaignsSearch>, 'campaign' | 'part'>

/** Every name of a list's address, with nothing set. */
export const noSearch = Object.fromEntries(Object.keys(listSearch).map(name => [name, undefined])) as {
  [K in keyof typeof listSearch]: undefined
}

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
