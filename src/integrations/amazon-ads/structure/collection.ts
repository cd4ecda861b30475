import { z } from 'zod'
import type { AdsCall } from '../client.ts'
import { inBatches, type ItemOutcome, toOutcomes, MAX_BATCH } from './outcome.ts'
import { batchResultWire, pageWire } from './wire.ts'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { chunks } from '../chunks.ts'
import type { EntityState } from './entities.ts'

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
export function defineResource<E, New, Change, S extends z.ZodType>(
  resource: Resource<E, New, Change, S>,
): Resource<E, New, Change> {
  return {
    ...resource,
    fromWire: wire => resource.fromWire(wire as z.output<S>),
  }
}

/** One kind of entity of one profile. */
export interface Collection<E, New, Change> {
  /** Creates in batches of 1000; outcomes in the order of `items`. Throws only while nothing has been accepted yet. */
  create(items: readonly New[]): Promise<ItemOutcome<E>[]>
  /**
   * Changes what the change names and nothing else; outcomes in the order of `changes`. Throws like create. A change
   * names the wished end, so one of unknown outcome may simply be sent again.
   */
  update(changes: readonly Change[]): Promise<ItemOutcome<E>[]>
  /** Archives, which cannot be undone; outcomes in the order of `ids`. Throws like create. */
  archive(ids: readonly string[]): Promise<ItemOutcome<E>[]>
  /** Every page of what matches, as the pages come. Name the states: what comes without is the marketplace's choice. */
  pages(filter?: ListFilter): AsyncGenerator<E[], void, undefined>
  /** All of it in one list. */
  all(filter?: ListFilter): Promise<E[]>
}

export function createCollection<E, New, Change>(
  call: AdsCall,
  resource: Resource<E, New, Change>,
): Collection<E, New, Change> {
  const { path, mediaType, listKey } = resource

  const readSuccess = (item: Record<string, unknown>): { id: string; entity: E | null } | null => {
    // Some answers name the id of a neighbouring resource, so any id will do when ours is missing.
    const id = item[resource.successId] ?? Object.entries(item).find(([name]) => name.endsWith('Id'))?.[1]
    if (typeof id !== 'string' && typeof id !== 'number') return null
    // A representation that cannot be read does not undo the success.
    const parsed = resource.schema.safeParse(item[resource.successEntity])
    return { id: String(id), entity: parsed.success ? resource.fromWire(parsed.data) : null }
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

  const pages = (filter: ListFilter = {}) => listPages(call, resource, filter)

  return {
    create: items =>
      inBatches(
        items,
        batch => sendBatch('create', 'POST', path, { [listKey]: batch.map(resource.toNew) }, batch.length),
        resource.batch,
      ),
    update: changes =>
      inBatches(
        changes,
        batch => sendBatch('update', 'PUT', path, { [listKey]: batch.map(resource.toChange) }, batch.length),
        resource.batch,
      ),
    archive: ids =>
      inBatches(
        ids,
        batch =>
          sendBatch('archive', 'POST', `${path}/delete`, { [resource.idFilter]: { include: batch } }, batch.length),
        resource.batch,
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

// A larger page is silently cut to this by the server.
const PAGE = 500
// The most parents that one list call takes [Sponsored Products v3 specification].
const MAX_PARENTS = 100

export interface ListFilter {
  ids?: readonly string[]
  campaignIds?: readonly string[]
  states?: readonly EntityState[]
  /** Exactly this name (campaigns and ad groups). */
  name?: string
  /** Also asks for serving status and dates; the marketplace counts such a call five times. */
  extended?: boolean
}

/** Every page of what matches `filter`, as the pages come. Throws UpstreamMalformed when they turn in a circle. */
async function* listPages<E>(
  call: AdsCall,
  resource: Resource<E, never, never>,
  filter: ListFilter,
): AsyncGenerator<E[], void, undefined> {
  for (const part of splitFilter(filter, resource.idFilter)) yield* pagesOf(call, resource, part)
}

async function* pagesOf<E>(
  call: AdsCall,
  resource: Resource<E, never, never>,
  filter: object,
): AsyncGenerator<E[], void, undefined> {
  const { path, mediaType, listKey } = resource
  const operation = `list ${listKey}`
  let nextToken: string | null | undefined
  do {
    const reply = await call({
      operation,
      method: 'POST',
      path: `${path}/list`,
      mediaType,
      body: { ...filter, maxResults: resource.page ?? PAGE, ...(nextToken && { nextToken }) },
      effect: 'read',
      schema: pageWire,
    })
    const rows = readRows(resource, reply[listKey], operation)
    if (rows.length) yield rows
    if (reply.nextToken && reply.nextToken === nextToken)
      throw new UpstreamMalformed('the same page again', { upstream: 'amazon-ads', operation })
    nextToken = reply.nextToken
  } while (nextToken)
}

function readRows<E>(resource: Resource<E, never, never>, list: unknown, operation: string): E[] {
  const parsed = z.array(resource.schema).nullish().safeParse(list)
  if (parsed.success) return (parsed.data ?? []).map(row => resource.fromWire(row))
  const where = parsed.error.issues.slice(0, 3).map(i => `${i.path.join('.')}: ${i.message}`)
  throw new UpstreamMalformed(where.join('; '), { upstream: 'amazon-ads', operation })
}

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
