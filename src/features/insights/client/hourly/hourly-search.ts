import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'
import { metricNames } from '#shared/metrics.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

/** What the page of hourly trends shows, as its address says. */
export const hourlySearch = v.object({
  ...rangeSearch,
  metric: maybe(v.picklist(metricNames)),
  campaignId: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  clock: maybe(v.picklist(['USER'])),
})
