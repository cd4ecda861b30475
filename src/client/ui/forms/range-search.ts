import * as v from 'valibot'
import { day } from '#shared/query-schemas.ts'

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
