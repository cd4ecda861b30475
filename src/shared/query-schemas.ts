import * as v from 'valibot'

/** Query schemas accept the typed value, as the client passes it, or its string, as it arrives. */
const numeric = v.union([
  v.number(),
  v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/, 'Must be a number'), v.transform(Number)),
])

/** A number in a query string. */
export const queryNumber = v.pipe(numeric, v.finite('Must be a number'))
// More rows than any list has; a page number times a page size stays within the database's bigint.
const MAX_INT = 1_000_000_000
/** A whole number in a query string, from 0 to a billion. */
export const queryInt = v.pipe(
  numeric,
  v.integer('Must be a whole number'),
  v.minValue(0, 'Must be at least 0'),
  v.maxValue(MAX_INT, 'Must be at most 1,000,000,000'),
)
/** A boolean in a query string: true or false. */
export const queryBoolean = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false'], 'Must be true or false'),
    v.transform(s => s === 'true'),
  ),
])
function isRealDay(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text.slice(0, 10)
}
// PostgreSQL has no year 0. The end date of an endless campaign may be far in the future.
const isSupportedYear = (text: string): boolean => /^2[01]/.test(text)
/** A calendar day, yyyy-MM-dd, that exists, from 2000 to 2199. */
export const day = v.pipe(
  v.string('Must be a day, yyyy-MM-dd'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a day, yyyy-MM-dd'),
  v.check(isRealDay, 'Must be a day that exists'),
  v.check(isSupportedYear, 'Must be a day from 2000 to 2199'),
)
/** A moment in UTC: 2026-11-20T10:00:00.000Z. */
export const moment = v.pipe(
  v.string('Must be a moment in UTC'),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/, 'Must be a moment in UTC'),
  v.check(text => isRealDay(text) && isSupportedYear(text), 'Must be a moment that exists'),
)
const ID = 'Must be an id'
/** One of our ids: a bigint in the database, a number in JSON (below 2^53, so it is exact). */
export const id = v.pipe(v.number(ID), v.safeInteger(ID), v.minValue(1, ID))
/** An id in a path or query. */
export const queryId = v.pipe(numeric, v.safeInteger(ID), v.minValue(1, ID))
/** One of the marketplace's ids: digits, too many for a number. */
export const marketplaceEntityId = v.pipe(v.string(), v.regex(/^\d{1,20}$/, ID))
/** One page of a list: `page` from 0, `size` 1 to 200. */
export const paging = {
  page: v.optional(queryInt, 0),
  size: v.optional(v.pipe(queryInt, v.minValue(1, 'Must be at least 1'), v.maxValue(200, 'Must be at most 200')), 20),
}
/** The days of a request, both included; without them the last 30. Check them by `isDayRange`. */
export const dayRange = { dateFrom: v.optional(day), dateTo: v.optional(day) }
/** Whether the days of a request are in order and at most 400. */
export function isDayRange({
  dateFrom,
  dateTo,
}: {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}): boolean {
  return !dateFrom || !dateTo || (dateFrom <= dateTo && Date.parse(dateTo) - Date.parse(dateFrom) < 400 * 86_400_000)
}
export const dayRangeMessage = 'The first day must not come after the last, and at most 400 days can be asked for'

/** The sort direction, descending by default. */
export const sortDir = v.optional(v.picklist(['asc', 'desc']), 'desc')
/** The schema of a paged answer. */
export function pageOf<S extends v.GenericSchema>(row: S) {
  return v.object({
    content: v.array(row),
    page: v.object({ size: v.number(), number: v.number(), totalElements: v.number(), totalPages: v.number() }),
  })
}
/** Builds the `page` member of a paged answer. */
export function pageInfo(page: number, size: number, totalElements: number) {
  return {
    size,
    number: page,
    totalElements,
    totalPages: Math.ceil(totalElements / size),
  }
}
