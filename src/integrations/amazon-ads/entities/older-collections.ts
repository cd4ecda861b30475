import { z } from 'zod'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import {
  type EntityState,
  entityId,
  type ChangeOf,
  type EntityOf,
  type NewOf,
  newToWire,
  schemaOf,
  toWire,
  type WireEntity,
} from './wire-fields.ts'
import { chunks, inBatches, type ItemOutcome, refusedAs, unmentioned } from './outcome.ts'

/** A kind of entity of the older calls: bare lists, integer ids, small letters. */
export interface ListedEntity extends WireEntity {
  /** Where dates and the serving status are listed. */
  extendedPath?: string
}
/** A kind of target of Sponsored Brands: lists inside an object, answers apart by how they went. */
export interface BrandTargetEntity extends WireEntity {
  /** Name of the list in requests and answers. */
  listKey: string
}

export interface OlderFilter {
  campaignIds?: readonly string[]
  states?: readonly EntityState[]
  /** Also asks for serving status and dates, where the calls tell them. */
  extended?: boolean
}
/** The campaigns must be named: a list of all of them is known to miss some keywords. */
export type BrandClauseFilter = OlderFilter & { campaignIds: readonly string[] }

/** One kind of entity of one profile that is read and changed, and made where its table says how. */
export interface ManagedCollection<R extends WireEntity, Filter = OlderFilter> {
  /** The most items that one call takes. */
  batchSize: number
  /** Creates; outcomes in the order of `items`. Throws only while nothing has been accepted yet. */
  create: R extends { create: readonly string[] }
    ? (items: readonly NewOf<R>[]) => Promise<ItemOutcome<EntityOf<R>>[]>
    : undefined
  /**
   * Changes what the change names and nothing else; a state of ARCHIVED archives, which cannot be undone. Outcomes in
   * the order of `changes`. Throws only while nothing has been accepted yet; what is unclear may be sent again.
   */
  update(changes: readonly ChangeOf<R>[]): Promise<ItemOutcome<EntityOf<R>>[]>
  /** Every page of what matches, as the pages come. */
  pages(filter: Filter): AsyncGenerator<EntityOf<R>[], void, undefined>
}

// The most items that one call takes [Sponsored Display specification].
const MAX_ARRAY = 100
const PAGE = 500
const TARGET_PAGE = 1000

// The answer to a change: one line an item, in their order.
const linesWire = z.array(
  z.looseObject({ code: z.string(), description: z.string().nullish(), details: z.string().nullish() }),
)

export function createListedCollection<R extends ListedEntity>(call: AdsCall, entity: R): ManagedCollection<R> {
  const { path, extendedPath = path, key } = entity
  const schema = z.array(schemaOf(entity))

  const sendBatch = async (method: 'POST' | 'PUT', items: object[]) => {
    const lines = await call({
      operation: `${method === 'POST' ? 'create' : 'update'} ${path}`,
      method,
      path,
      body: items,
      effect: 'write',
      schema: linesWire,
    })
    return items.map((_, i): ItemOutcome<EntityOf<R>> => {
      const line = lines[i]
      if (!line) return unmentioned
      if (line.code !== 'SUCCESS') return refusedAs(line.code, line.description ?? line.details ?? line.code)
      return { ok: true, id: entityId.safeParse(line[key[0]]).data ?? '', entity: null }
    })
  }

  async function* pagesOf({ states, extended }: OlderFilter, campaignIds?: readonly string[]) {
    for (let startIndex = 0; ; ) {
      const query = new URLSearchParams({ startIndex: String(startIndex), count: String(PAGE) })
      if (states) query.set('stateFilter', states.map(state => state.toLowerCase()).join(','))
      if (campaignIds) query.set('campaignIdFilter', campaignIds.join(','))
      const rows = await call({
        operation: `list ${path}`,
        method: 'GET',
        path: `${extended ? extendedPath : path}?${query}`,
        acceptType: '*/*',
        effect: 'read',
        schema,
      })
      // A page may be cut shorter than asked for, so only an empty one is the end.
      if (!rows.length) return
      if (startIndex > 10_000_000)
        throw new UpstreamMalformed('a list without end', { upstream: 'amazon-ads', operation: path })
      startIndex += rows.length
      yield rows
    }
  }

  return {
    batchSize: MAX_ARRAY,
    create: creatorOf(entity, items => sendBatch('POST', items)),
    update: changes =>
      inBatches(
        changes,
        batch =>
          sendBatch(
            'PUT',
            batch.map(change => toWire(entity, change)),
          ),
        MAX_ARRAY,
      ),
    async *pages(filter) {
      if (!filter.campaignIds) return yield* pagesOf(filter)
      for (const campaignIds of chunks(filter.campaignIds, MAX_ARRAY)) yield* pagesOf(filter, campaignIds)
    },
  }
}

// Only what the table says how to make has a create.
function creatorOf<R extends WireEntity>(
  entity: R,
  send: (items: object[]) => Promise<ItemOutcome<EntityOf<R>>[]>,
): ManagedCollection<R>['create'] {
  const create = (items: readonly NewOf<R>[]) =>
    inBatches(items, batch => send(batch.map(item => newToWire(entity, item))), MAX_ARRAY)
  return (entity.create && create) as ManagedCollection<R>['create']
}

const succeeded = z.array(z.object({ targetRequestIndex: z.number(), targetId: entityId.nullish() })).nullish()
const failed = z
  .array(
    z.object({
      targetRequestIndex: z.number(),
      code: z.string().nullish(),
      details: z.string().nullish(),
      description: z.string().nullish(),
    }),
  )
  .nullish()
const targetResultsWire = z
  .object({
    updateTargetSuccessResults: succeeded,
    updateTargetErrorResults: failed,
    createTargetSuccessResults: succeeded,
    createTargetErrorResults: failed,
  })
  .transform(reply => ({
    succeeded: reply.createTargetSuccessResults ?? reply.updateTargetSuccessResults ?? [],
    failed: reply.createTargetErrorResults ?? reply.updateTargetErrorResults ?? [],
  }))

export function createBrandTargets<R extends BrandTargetEntity>(
  call: AdsCall,
  entity: R,
): ManagedCollection<R, BrandClauseFilter> {
  const { path, listKey } = entity
  const pageWire = z
    .looseObject({ nextToken: z.string().nullish() })
    .transform((page): unknown => ({ nextToken: page.nextToken, rows: page[listKey] ?? [] }))
    .pipe(z.object({ nextToken: z.string().nullish(), rows: z.array(schemaOf(entity)) }))

  const sendBatch = async (method: 'POST' | 'PUT', items: object[]) => {
    const reply = await call({
      operation: `${method === 'POST' ? 'create' : 'update'} ${path}`,
      method,
      path,
      body: { [listKey]: items },
      acceptType: '*/*',
      effect: 'write',
      schema: targetResultsWire,
    })
    const outcomes = items.map((): ItemOutcome<EntityOf<R>> => unmentioned)
    for (const { targetRequestIndex: at, code, details, description } of reply.failed)
      if (at in outcomes) outcomes[at] = refusedAs(code ?? 'OTHER_ERROR', details ?? description ?? code ?? 'refused')
    for (const { targetRequestIndex: at, targetId } of reply.succeeded)
      if (at in outcomes) outcomes[at] = { ok: true, id: targetId ?? '', entity: null }
    return outcomes
  }

  async function* pagesOf(campaignIds: readonly string[], states: OlderFilter['states']) {
    let nextToken: string | null | undefined
    do {
      const reply = await call({
        operation: `list ${path}`,
        method: 'POST',
        path: `${path}/list`,
        acceptType: '*/*',
        body: {
          filters: [
            { filterType: 'CAMPAIGN_ID', values: campaignIds },
            ...(states ? [{ filterType: 'TARGETING_STATE', values: states.map(state => state.toLowerCase()) }] : []),
          ],
          maxResults: TARGET_PAGE,
          ...(nextToken && { nextToken }),
        },
        effect: 'read',
        schema: pageWire,
      })
      if (reply.rows.length) yield reply.rows
      nextToken = reply.nextToken === nextToken ? null : reply.nextToken
    } while (nextToken)
  }

  return {
    batchSize: MAX_ARRAY,
    create: creatorOf(entity, items => sendBatch('POST', items)),
    update: changes =>
      inBatches(
        changes,
        batch =>
          sendBatch(
            'PUT',
            batch.map(change => toWire(entity, change)),
          ),
        MAX_ARRAY,
      ),
    async *pages({ campaignIds, states }) {
      for (const chunk of chunks(campaignIds, MAX_ARRAY)) yield* pagesOf(chunk, states)
    },
  }
}
