import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'

/** A search parameter that is left out when it is wrong. */
const param = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = param(v.pipe(v.number(), v.integer(), v.minValue(1)))
const word = param(v.pipe(v.string(), v.maxLength(20)))

/** What the log is narrowed to, and what is open. */
export const logSearch = v.object({
  ...rangeSearch,
  group: id,
  campaign: id,
  /** Checked by the page, which knows them. */
  kind: word,
  state: word,
  /** The decision that is open. */
  row: id,
})
export type LogSearch = v.InferOutput<typeof logSearch>

/** What is open over a group. */
export const groupSearch = v.object({ sheet: param(v.picklist(['settings', 'stop'])), row: id })

/** Which campaigns are taken over, and which sheet is up. */
export const takeOverSearch = v.object({
  step: param(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6))),
  /** Ids with commas between them: what was selected. */
  campaigns: param(v.pipe(v.union([v.number(), v.string()]), v.transform(String), v.regex(/^\d{1,15}(,\d{1,15})*$/))),
})
