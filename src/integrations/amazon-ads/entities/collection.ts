import { z } from 'zod'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import {
  type EntityState,
  type ChangeOf,
  type EntityOf,
  type NewOf,
  newToWire,
  schemaOf,
  toWire,
  type WireEntity,
} from './wire-fields.ts'
import { batchResultWire, chunks, inBatches, type ItemOutcome, MAX_BATCH, toOutcomes } from './outcome.ts'

/** A kind of entity that is sent and listed in objects, with an answer for each item. */
export interface BatchEntity extends WireEntity {
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
}

export interface ListFilter {
  ids?: readonly string[]
  campaignIds?: readonly string[]
  states?: readonly EntityState[]
  /** Exactly this name (campaigns and ad groups). */
  name?: string
  /** Also asks for serving status and dates; the marketplace counts such a call five times. */
  extended?: boolean
}

/** One kind of entity of one profile. */
export interface Collection<R extends BatchEntity> {
  /** The most items that one call takes. */
  batchSize: number
  /** Creates in batches of 1000; outcomes in the order of `items`. Throws only while nothing has been accepted yet. */
  create(items: readonly NewOf<R>[]): Promise<ItemOutcome<EntityOf<R>>[]>
  /**
   * Changes what the change names and nothing else; outcomes in the order of `changes`. Throws like create. A change
   * names the wished end, so one of unknown outcome may simply be sent again.
   */
  update(changes: readonly ChangeOf<R>[]): Promise<ItemOutcome<EntityOf<R>>[]>
  /** Archives, which cannot be undone; outcomes in the order of `ids`. Throws like create. */
  archive(ids: readonly string[]): Promise<ItemOutcome<EntityOf<R>>[]>
  /** Every page of what matches, as the pages come. Name the states: what comes without is the marketplace's choice. */
  pages(filter?: ListFilter): AsyncGenerator<EntityOf<R>[], void, undefined>
  /** All of it in one list. */
  all(filter?: ListFilter): Promise<EntityOf<R>[]>
}

export function createCollection<R extends BatchEntity>(call: AdsCall, entity: R): Collection<R> {
  const { path, mediaType, listKey, idFilter, batch: size = MAX_BATCH } = entity
  const schema = schemaOf(entity)
  type E = EntityOf<R>

  const readSuccess = (item: Record<string, unknown>): { id: string; entity: E | null } | null => {
    // Some answers name the id of a neighbouring resource, so any id will do when ours is missing.
    const id = item[entity.successId] ?? Object.entries(item).find(([name]) => name.endsWith('Id'))?.[1]
    if (typeof id !== 'string' && typeof id !== 'number') return null
    // A representation that cannot be read does not undo the success.
    return { id: String(id), entity: schema.safeParse(item[entity.successEntity]).data ?? null }
  }

  const sendBatch = async (operation: string, method: 'POST' | 'PUT', at: string, body: object, count: number) => {
    const reply = await call({
      operation: `${operation} ${listKey}`,
      method,
      path: at,
      mediaType,
      headers: { prefer: 'return=representation' },
      body,
      effect: 'write',
      schema: repliesUnder(listKey),
    })
    return toOutcomes<E>(count, reply, readSuccess)
  }

  async function* pagesOf(filter: object): AsyncGenerator<E[], void, undefined> {
    const operation = `list ${listKey}`
    let nextToken: string | null | undefined
    do {
      const reply = await call({
        operation,
        method: 'POST',
        path: `${path}/list`,
        mediaType,
        body: { ...filter, maxResults: entity.page ?? PAGE, ...(nextToken && { nextToken }) },
        effect: 'read',
        schema: pageWire,
      })
      const rows = z.array(schema).nullish().safeParse(reply[listKey])
      if (rows.error) throw malformed(operation, describeIssues(rows.error))
      if (rows.data?.length) yield rows.data
      if (reply.nextToken && reply.nextToken === nextToken) throw malformed(operation, 'the same page again')
      nextToken = reply.nextToken
    } while (nextToken)
  }

  async function* pages(filter: ListFilter = {}) {
    for (const part of splitFilter(filter, idFilter)) yield* pagesOf(part)
  }

  return {
    batchSize: size,
    create: items =>
      inBatches(
        items,
        batch => {
          const list = batch.map(item => newToWire(entity, item))
          return sendBatch('create', 'POST', path, { [listKey]: list }, batch.length)
        },
        size,
      ),
    update: changes =>
      inBatches(
        changes,
        batch => {
          const list = batch.map(change => toWire(entity, change))
          return sendBatch('update', 'PUT', path, { [listKey]: list }, batch.length)
        },
        size,
      ),
    archive: ids =>
      inBatches(
        ids,
        batch => sendBatch('archive', 'POST', `${path}/delete`, { [idFilter]: { include: batch } }, batch.length),
        size,
      ),
    pages,
    all: async filter => {
      const rows: E[] = []
      for await (const page of pages(filter)) rows.push(...page)
      return rows
    },
  }
}

// The published answer to one of the updates comes under another resource's name; there is only ever one name.
function repliesUnder(listKey: string) {
  return z
    .record(z.string(), z.unknown())
    .transform(reply => reply[listKey] ?? Object.values(reply)[0])
    .pipe(batchResultWire)
}

const pageWire = z.looseObject({ nextToken: z.string().nullish() })
// A larger page is silently cut to this by the server.
const PAGE = 500
// The most parents that one list call takes [Sponsored Products v3 specification].
const MAX_PARENTS = 100

const malformed = (operation: string, message: string) =>
  new UpstreamMalformed(message, { upstream: 'amazon-ads', operation })
const describeIssues = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(issue => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ')

/** The filters of the calls that together answer `filter`; none when it names an empty set. */
function splitFilter(filter: ListFilter, idFilter: string): object[] {
  const rest = {
    ...(filter.states && { stateFilter: { include: filter.states } }),
    ...(filter.name !== undefined && { nameFilter: { queryTermMatchType: 'EXACT_MATCH', include: [filter.name] } }),
    ...(filter.extended && { includeExtendedDataFields: true }),
  }
  const byId = filter.ids && chunks(filter.ids, MAX_BATCH).map(include => ({ [idFilter]: { include } }))
  const byCampaign =
    filter.campaignIds && chunks(filter.campaignIds, MAX_PARENTS).map(include => ({ campaignIdFilter: { include } }))
  // The longer of the two sets is asked for piece by piece, the other is applied by the same call.
  const parts: object[] = byId ?? byCampaign ?? [{}]
  return parts
    .flatMap(part => (byId && byCampaign ? byCampaign.map(c => ({ ...c, ...part })) : [part]))
    .map(part => ({ ...rest, ...part }))
}
