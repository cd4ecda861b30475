import * as v from 'valibot'
import { day } from '#shared/query-schemas.ts'
import { addDays, daysBetween } from '#shared/time.ts'

/** Lengths that are offered, in days up to and with today. */
export const rangePresets = [7, 14, 30, 60, 90] as const
export type RangePreset = (typeof rangePresets)[number]

/** The search params of a range: a preset by its days, or a custom from and to. What is broken falls back to 30 days. */
export const rangeSearch = {
  days: v.optional(v.fallback(v.optional(v.picklist(rangePresets)), undefined)),
  from: v.optional(v.fallback(v.optional(day), undefined)),
  to: v.optional(v.fallback(v.optional(day), undefined)),
}
export interface RangeSearch {
  days?: RangePreset | undefined
  from?: string | undefined
  to?: string | undefined
}
export interface DateRange {
  from: string
  to: string
}

/** The range that the search params mean; `today` is the day in the profile's time zone. A reversed range is turned. */
export const resolveRange = ({ days, from, to }: RangeSearch, today: string): DateRange => {
  if (from && to) return from <= to ? { from, to } : { from: to, to: from }
  return { from: addDays(today, 1 - (days ?? 30)), to: today }
}

/** The range of the same length right before. */
export const rangeBefore = ({ from, to }: DateRange): DateRange => ({
  from: addDays(from, -1 - daysBetween(from, to)),
  to: addDays(from, -1),
})
