import type { z } from 'zod'

/**
 * Where one kind of entity lives and what its parts are called. The names differ by resource without a rule: two of
 * the negatives answer with one id name and take another. Source: Sponsored Products v3 specification.
 */
export interface Resource<E, New, Change, S extends z.ZodType = z.ZodType> {
  path: string
  mediaType: string
  /** The list in requests and replies. */
  listKey: string
  /** The id in a success item of a 207. */
  successId: string
  /** The entity in a success item, when a representation was asked for. */
  successEntity: string
  /** The filter that names ids, in /list and /delete. */
  idFilter: string
  /** The most items that one call takes; 1000 when absent. */
  batch?: number
  /** The largest page; 500 when absent. */
  page?: number
  schema: S
  fromWire: (wire: z.output<S>) => E
  toNew: (item: New) => object
  toChange: (change: Change) => object
}

/** Keeps the schema's type with its mapper, then forgets it. */
export const defineResource = <E, New, Change, S extends z.ZodType>(
  resource: Resource<E, New, Change, S>,
): Resource<E, New, Change> => ({
  ...resource,
  fromWire: wire => resource.fromWire(wire as z.output<S>),
})
