import { check, invalid, type SpRequest } from '../operations/operation.ts'
import { listOf, momentOf, oneOf, pageSizeOf } from '../operations/read-request.ts'

const DAY_MS = 86_400_000
/** Lists go back this far at most, and by default. */
const MAX_DAYS = 90

/** What a list of reports or feeds can be filtered by. */
interface Entry {
  type: string
  status: string
  marketplaceIds: string[]
  createdAt: number
}

/** A page token of these lists contains all parameters of the request, which must not be sent again with it. */
const packToken = (parameters: URLSearchParams, offset: number): string =>
  Buffer.from(JSON.stringify({ parameters: parameters.toString(), offset })).toString('base64url')

function unpackToken(token: string): { parameters: URLSearchParams; offset: number } {
  try {
    const { parameters, offset } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>
    if (typeof parameters === 'string' && Number.isInteger(offset))
      return { parameters: new URLSearchParams(parameters), offset: offset as number }
  } catch {}
  throw invalid('nextToken is not valid')
}

const parametersOf = (query: SpRequest['query']): URLSearchParams =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, listOf(value).join(',')]))

/** The requested page of a list of reports or feeds, newest first, and the token of the next page if there is one. */
export function listPage<T>(
  { query, now: present }: SpRequest,
  typesParameter: 'reportTypes' | 'feedTypes',
  statuses: readonly string[],
  all: readonly T[],
  entryOf: (one: T) => Entry,
): { items: T[]; nextToken?: string } {
  const token = oneOf(query.nextToken)
  const { parameters, offset } =
    token === undefined ? { parameters: parametersOf(query), offset: 0 } : unpackToken(token)
  check(token === undefined || Object.keys(query).length === 1, 'nextToken may not be used with other parameters')
  const now = present.getTime()
  const list = (name: string): string[] => listOf(parameters.get(name) ?? undefined)
  const [types, requestedStatuses, marketplaceIds] = [
    list(typesParameter),
    list('processingStatuses'),
    list('marketplaceIds'),
  ]
  check(types.length > 0, `${typesParameter} or nextToken is required`)
  check(types.length <= 10 && marketplaceIds.length <= 10, 'at most 10 types and marketplaces can be named')
  check(
    requestedStatuses.every(status => statuses.includes(status)),
    'processingStatuses are not valid',
  )
  const size = pageSizeOf(parameters.get('pageSize') ?? undefined, 10, 100, 'pageSize must be 1 to 100')
  const since = momentOf(parameters.get('createdSince') ?? undefined) ?? now - MAX_DAYS * DAY_MS
  const until = momentOf(parameters.get('createdUntil') ?? undefined) ?? now
  check(!Number.isNaN(since) && !Number.isNaN(until), 'createdSince or createdUntil is not a date-time')
  check(since >= now - MAX_DAYS * DAY_MS - DAY_MS, `createdSince may be ${MAX_DAYS} days ago`)
  const found = all
    .map(one => ({ one, entry: entryOf(one) }))
    .filter(
      ({ entry }) =>
        types.includes(entry.type) &&
        (requestedStatuses.length === 0 || requestedStatuses.includes(entry.status)) &&
        (marketplaceIds.length === 0 || entry.marketplaceIds.some(id => marketplaceIds.includes(id))) &&
        entry.createdAt >= since &&
        entry.createdAt <= until,
    )
    .sort((a, b) => b.entry.createdAt - a.entry.createdAt)
  return {
    items: found.slice(offset, offset + size).map(({ one }) => one),
    ...(offset + size < found.length && { nextToken: packToken(parameters, offset + size) }),
  }
}
