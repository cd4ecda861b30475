import { z } from 'zod'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { chunks } from '../chunks.ts'
import type { AdsCall } from '../client.ts'
import { MAX_BATCH } from './batches.ts'
import type { EntityState } from './entities.ts'
import type { Resource } from './resource.ts'
import { pageWire } from './wire.ts'

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
export async function* listPages<E>(
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

const readRows = <E>(resource: Resource<E, never, never>, list: unknown, operation: string): E[] => {
  const parsed = z.array(resource.schema).nullish().safeParse(list)
  if (parsed.success) return (parsed.data ?? []).map(row => resource.fromWire(row))
  const where = parsed.error.issues.slice(0, 3).map(i => `${i.path.join('.')}: ${i.message}`)
  throw new UpstreamMalformed(where.join('; '), { upstream: 'amazon-ads', operation })
}

/** The filters of the calls that together answer `filter`; none when it names an empty set. */
const splitFilter = (filter: ListFilter, idFilter: string): object[] => {
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
