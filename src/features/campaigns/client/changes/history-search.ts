import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/date-range.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

/** What the history is narrowed to, and the group of changes that is open. */
export const historySearch = v.object({
  ...rangeSearch,
  origin: maybe(v.picklist(['USER', 'MARKETPLACE', 'LAUNCH', 'RULE'])),
  entity: maybe(v.picklist(['campaign', 'adGroup', 'ad', 'target', 'negative'])),
  group: maybe(v.pipe(v.string(), v.uuid())),
})
export type HistorySearch = v.InferOutput<typeof historySearch>
