import { z } from 'zod'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { chunks } from '../chunks.ts'
import type { AdsCall } from '../client.ts'
import { inBatches } from '../structure/outcome.ts'
import type { EntityState } from '../structure/entities.ts'
import { type ItemOutcome, refusedAs, unknownOutcome } from '../structure/outcome.ts'

/** A kind of entity of the older calls: bare lists, integer ids, small letters. */
export interface ArrayResource<E, Change, S extends z.ZodType = z.ZodType> {
  path: string
  idName: string
  /** Where dates and the serving status are listed. */
  extendedPath?: string
  schema: S
  fromWire: (wire: z.output<S>) => E
  toChange: (change: Change) => object
}

/** Keeps the schema's type with its mapper, then forgets it. */
export function defineArrayResource<E, Change, S extends z.ZodType>(
  resource: ArrayResource<E, Change, S>,
): ArrayResource<E, Change> {
  return { ...resource, fromWire: wire => resource.fromWire(wire as z.output<S>) }
}

export interface ArrayFilter {
  campaignIds?: readonly string[]
  states?: readonly EntityState[]
  /** Also asks for serving status and dates, where the calls tell them. */
  extended?: boolean
}

/** One kind of entity of one profile that is read and changed, but not made here. */
export interface ManagedCollection<E, Change, F = ArrayFilter> {
  /**
   * Changes what the change names and nothing else; a state of ARCHIVED archives, which cannot be undone. Outcomes in
   * the order of `changes`. Throws only while nothing has been accepted yet; what is unclear may be sent again.
   */
  update(changes: readonly Change[]): Promise<ItemOutcome<E>[]>
  /** Every page of what matches, as the pages come. */
  pages(filter: F): AsyncGenerator<E[], void, undefined>
}

/** The most items that one call takes [Sponsored Display specification]. */
export const MAX_ARRAY = 100
const PAGE = 500

/** The answer to a change: one line an item, in their order. */
export const resultsWire = z.array(
  z.looseObject({ code: z.string(), description: z.string().nullish(), details: z.string().nullish() }),
)

export function createArrayCollection<E, Change>(
  call: AdsCall,
  resource: ArrayResource<E, Change>,
): ManagedCollection<E, Change> {
  const { path, idName } = resource

  const sendBatch = async (changes: Change[]): Promise<ItemOutcome<E>[]> => {
    const reply = await call({
      operation: `update ${path}`,
      method: 'PUT',
      path,
      body: changes.map(resource.toChange),
      effect: 'write',
      schema: resultsWire,
    })
    return changes.map((_, i) => {
      const line = reply[i]
      if (!line) return unknownOutcome('the answer does not mention it')
      const id = line[idName]
      if (line.code !== 'SUCCESS') return refusedAs(line.code, line.description ?? line.details ?? line.code)
      return { ok: true, id: typeof id === 'string' || typeof id === 'number' ? String(id) : '', entity: null }
    })
  }

  async function* listPages(filter: ArrayFilter, campaignIds?: readonly string[]) {
    const at = filter.extended && resource.extendedPath ? resource.extendedPath : path
    for (let startIndex = 0; ; ) {
      const query = new URLSearchParams({ startIndex: String(startIndex), count: String(PAGE) })
      if (filter.states) query.set('stateFilter', filter.states.map(state => state.toLowerCase()).join(','))
      if (campaignIds) query.set('campaignIdFilter', campaignIds.join(','))
      const rows = await call({
        operation: `list ${path}`,
        method: 'GET',
        path: `${at}?${query}`,
        acceptType: '*/*',
        effect: 'read',
        schema: z.array(resource.schema),
      })
      // A page may be cut shorter than asked for, so only an empty one is the end.
      if (!rows.length) return
      if (startIndex > 10_000_000)
        throw new UpstreamMalformed('a list without end', { upstream: 'amazon-ads', operation: path })
      startIndex += rows.length
      yield rows.map(row => resource.fromWire(row))
    }
  }

  return {
    update: changes => inBatches(changes, sendBatch, MAX_ARRAY),
    async *pages(filter) {
      if (!filter.campaignIds) return yield* listPages(filter)
      for (const campaignIds of chunks(filter.campaignIds, MAX_ARRAY)) yield* listPages(filter, campaignIds)
    },
  }
}
