import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { addDays, dayIn, usualDays } from '#shared/time.ts'
import { figuresNow } from '../../api/server-clock.ts'
import type { RangeSearch } from './range-search.ts'

// Routes need the schema on the first visit, the arithmetic with its library only once a page of figures is shown.
export { type RangePreset, type RangeSearch, rangePresets, rangeSearch } from './range-search.ts'

export interface DateRange {
  from: string
  to: string
}

/** The range that the search params mean; `today` is the day in the profile's time zone. A reversed range is turned. */
export function resolveRange({ days, from, to }: RangeSearch, today: string): DateRange {
  if (from && to) return from <= to ? { from, to } : { from: to, to: from }
  return { from: addDays(today, 1 - (days ?? usualDays)), to: today }
}

/** The days that the screens of a marketplace open with. */
export const usualRange = (marketplaceId: number): DateRange =>
  resolveRange({}, dayIn(new Date(figuresNow()), timezoneOfMarketplace(marketplaceId)))
