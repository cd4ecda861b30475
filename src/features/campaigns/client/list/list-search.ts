import * as v from 'valibot'
import { type DateRange, rangeSearch } from '#client/ui/forms/date-range.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = maybe(v.pipe(v.number(), v.integer(), v.minValue(1)))
const text = maybe(v.pipe(v.string(), v.maxLength(200)))

/** What a list is narrowed to and ordered by; columns are checked by the page, which knows them. */
const listSearch = {
  ...rangeSearch,
  name: text,
  state: maybe(v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'])),
  sortBy: text,
  sortDir: maybe(v.picklist(['asc', 'desc'])),
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

/** What a list asks of the server: its days, its order, and what it is narrowed to. */
export function filterOf<Column extends string>(
  { sortDir, name, state }: ListSearch,
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
  }
}
