import { randomInt } from 'node:crypto'
import { check, DAY_MS, invalid, iso, Query, type SpRequest } from '../operations/operation.ts'

export const QUEUE_MS = 1000
const WORK_MS = 2000
/** Lists go back this far at most, and by default. Older reports and feeds are deleted. */
const MAX_MS = 90 * DAY_MS

export const newId = (): string => String(50_000_000_000 + randomInt(2 ** 40))

/** Whether the list has forgotten what was created then. */
export const isOutdated = ({ createdAt }: { createdAt: number }, now: number): boolean => createdAt < now - MAX_MS

/**
 * How far a report or feed is, in the API's format: queued, in progress, then at its end. What was cancelled while queued
 * was never processed.
 */
export function progressOf(age: number, createdAt: number, end: 'DONE' | 'FATAL' | 'CANCELLED', isCancelled: boolean) {
  const waiting = age < QUEUE_MS ? 'IN_QUEUE' : age < QUEUE_MS + WORK_MS ? 'IN_PROGRESS' : null
  const hasEnded = !waiting && !isCancelled
  const processingStatus = isCancelled ? 'CANCELLED' : (waiting ?? end)
  return {
    createdTime: iso(createdAt),
    processingStatus,
    ...((hasEnded || processingStatus === 'IN_PROGRESS') && { processingStartTime: iso(createdAt + QUEUE_MS) }),
    ...(hasEnded && { processingEndTime: iso(createdAt + QUEUE_MS + WORK_MS) }),
  }
}

const statuses = new Set(['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE'])

/** A page token of these lists contains all parameters of the request, which must not be sent again with it. */
const packToken = (parameters: string, offset: number): string =>
  Buffer.from(JSON.stringify({ parameters, offset })).toString('base64url')

function unpackToken(token: string): { parameters: string; offset: number } {
  try {
    const { parameters, offset } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>
    if (typeof parameters === 'string' && Number.isInteger(offset)) return { parameters, offset: offset as number }
  } catch {}
  throw invalid('nextToken is not valid')
}

interface Listed {
  marketplaceIds: string[]
  createdTime: string
  processingStatus: string
}

/** The requested page of a list of reports or feeds, newest first, and the token of the next page if there is one. */
export function listPage<T extends Listed>(
  request: SpRequest,
  typesParameter: 'reportTypes' | 'feedTypes',
  all: readonly T[],
  typeOf: (one: T) => string,
): { items: T[]; nextToken?: string } {
  const now = request.now.getTime()
  const token = request.query.one('nextToken')
  const names = Object.keys(request.query.values)
  const own = new URLSearchParams(Object.fromEntries(names.map(name => [name, request.query.list(name).join()])))
  const { parameters, offset } = token === undefined ? { parameters: String(own), offset: 0 } : unpackToken(token)
  check(token === undefined || names.length === 1, 'nextToken may not be used with other parameters')
  const query = new Query(Object.fromEntries(new URLSearchParams(parameters)))
  const [types, marketplaceIds] = [query.list(typesParameter), query.list('marketplaceIds')]
  check(types.length > 0, `${typesParameter} or nextToken is required`)
  check(types.length <= 10 && marketplaceIds.length <= 10, 'at most 10 types and marketplaces can be named')
  const requestedStatuses = query.list('processingStatuses', statuses, 'processingStatuses are not valid')
  const size = query.pageSize('pageSize', 10, 100, 'pageSize must be 1 to 100')
  const since = query.moment('createdSince') ?? now - MAX_MS
  const until = query.moment('createdUntil') ?? now
  check(!Number.isNaN(since) && !Number.isNaN(until), 'createdSince or createdUntil is not a date-time')
  check(since >= now - MAX_MS - DAY_MS, 'createdSince may be 90 days ago')
  const found = all
    .map(one => ({ one, createdAt: Date.parse(one.createdTime) }))
    .filter(
      ({ one, createdAt }) =>
        types.includes(typeOf(one)) &&
        (requestedStatuses.length === 0 || requestedStatuses.includes(one.processingStatus)) &&
        (marketplaceIds.length === 0 || one.marketplaceIds.some(id => marketplaceIds.includes(id))) &&
        createdAt >= since &&
        createdAt <= until,
    )
    .sort((a, b) => b.createdAt - a.createdAt)
    .map(({ one }) => one)
  return {
    items: found.slice(offset, offset + size),
    ...(offset + size < found.length && { nextToken: packToken(parameters, offset + size) }),
  }
}
