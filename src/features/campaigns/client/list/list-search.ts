import * as v from 'valibot'
import { type DateRange, rangeSearch } from '#client/ui/forms/date-range.ts'

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
  /** The figure that the chart above the list shows; `off` hides the chart. */
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
export const adGroupSearch = v.object({
  ...listSearch,
  adGroupId: id,
  tab: maybe(v.picklist(['ads', 'keywords', 'targets', 'negatives'])),
})
export type ListSearch = Omit<v.InferOutput<typeof campaignsSearch>, 'campaign' | 'part'>

/** What every list asks of the server: its days, its order, the text, and the conditions on figures. */
export function filterOf<Column extends string>(
  { sortDir, name, state, figures }: ListSearch,
  { from, to }: DateRange,
  sortBy: Column,
) {
  return {
    dateFrom: from,
    dateTo: to,
    sortBy,
    sortDir: sortDir ?? ('desc' as const),
    ...(name && { name }),
    ...(state && { state }),
    ...(figures && { figures }),
  }
}
