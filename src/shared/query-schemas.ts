import * as v from 'valibot'

/** Query schemas take the typed value (as the client passes it) or its string form (as the wire carries it). */
const numeric = v.union([
  v.number(),
  v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/, 'Must be a number'), v.transform(Number)),
])

/** A number in a query string. */
export const queryNumber = v.pipe(numeric, v.finite('Must be a number'))
/** A whole number in a query string, at least 0. */
export const queryInt = v.pipe(numeric, v.integer('Must be a whole number'), v.minValue(0, 'Must be at least 0'))
/** A boolean in a query string: true or false. */
export const queryBoolean = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false'], 'Must be true or false'),
    v.transform(s => s === 'true'),
  ),
])
/** A calendar day, yyyy-MM-dd, that exists. */
export const day = v.pipe(
  v.string('Must be a day, yyyy-MM-dd'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a day, yyyy-MM-dd'),
  v.check(s => {
    const at = new Date(`${s}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(s)
  }, 'Must be a day that exists'),
)
/** An id of ours: bigint on the server, carried as a number (below 2^53). */
export const id = v.pipe(v.number(), v.integer(), v.minValue(1))
/** An id in a path or query. */
export const queryId = v.pipe(numeric, v.integer('Must be an id'), v.minValue(1, 'Must be an id'))
/** An id that the marketplace gave: digits, too long for a number. */
export const marketplaceEntityId = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'Must be an id'))
/** One page of a list: `page` from 0, `size` 1 to 200. */
export const paging = {
  page: v.optional(queryInt, 0),
  size: v.optional(v.pipe(queryInt, v.minValue(1, 'Must be at least 1'), v.maxValue(200, 'Must be at most 200')), 20),
}
/** The direction of an order, descending unless told. */
export const sortDir = v.optional(v.picklist(['asc', 'desc']), 'desc')
/** The envelope of a paged answer. */
export const pageOf = <S extends v.GenericSchema>(row: S) =>
  v.object({
    content: v.array(row),
    page: v.object({ size: v.number(), number: v.number(), totalElements: v.number(), totalPages: v.number() }),
  })
/** Builds the `page` member of a paged answer. */
export const pageInfo = (page: number, size: number, totalElements: number) => ({
  size,
  number: page,
  totalElements,
  totalPages: Math.ceil(totalElements / size),
})
