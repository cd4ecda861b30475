import { listOf, momentOf, oneOf, type SpRequest } from '../operations/operation.ts'

const DAY_MS = 86_400_000
/** Without a createdSince, and at most, a listing goes back this far. */
const MOST_DAYS = 90

/** What a list of reports or feeds is asked for. */
export interface Listed {
  type: string
  status: string
  marketplaceIds: string[]
  createdAt: number
}

interface Listing {
  filter: (one: Listed) => boolean
  now: number
  offset: number
  size: number
  /** A token for the page that begins there, of the same question. */
  tokenFor: (offset: number) => string
}

/** A page token of these lists carries the whole question, which may not be asked beside it again. */
const packToken = (question: string, offset: number): string =>
  Buffer.from(JSON.stringify({ question, offset })).toString('base64url')

function unpackToken(token: string): { question: URLSearchParams; offset: number } | null {
  try {
    const { question, offset } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>
    return typeof question === 'string' && Number.isInteger(offset)
      ? { question: new URLSearchParams(question), offset: offset as number }
      : null
  } catch {
    return null
  }
}

const questionOf = (query: SpRequest['query']): URLSearchParams =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, listOf(value).join(',')]))

/** What a request for a list of reports or feeds asks; in a sentence, what is wrong with it. */
export function readListing(
  { query, now: present }: SpRequest,
  typesParameter: 'reportTypes' | 'feedTypes',
  statuses: readonly string[],
): Listing | string {
  const token = oneOf(query.nextToken)
  const asked = token === undefined ? { question: questionOf(query), offset: 0 } : unpackToken(token)
  if (!asked) return 'nextToken is not valid'
  if (token !== undefined && Object.keys(query).length > 1) return 'nextToken may not be used with other parameters'
  const { question, offset } = asked
  const now = present.getTime()
  const list = (name: string): string[] => listOf(question.get(name) ?? undefined)
  const [types, wanted, marketplaceIds] = [list(typesParameter), list('processingStatuses'), list('marketplaceIds')]
  if (types.length === 0) return `${typesParameter} or nextToken is required`
  if (types.length > 10 || marketplaceIds.length > 10) return 'at most 10 types and marketplaces can be named'
  if (!wanted.every(status => statuses.includes(status))) return 'processingStatuses are not valid'
  const size = Number(question.get('pageSize') ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > 100) return 'pageSize must be 1 to 100'
  const since = momentOf(question.get('createdSince') ?? undefined) ?? now - MOST_DAYS * DAY_MS
  const until = momentOf(question.get('createdUntil') ?? undefined) ?? now
  if (Number.isNaN(since) || Number.isNaN(until)) return 'createdSince or createdUntil is not a date-time'
  if (since < now - MOST_DAYS * DAY_MS - DAY_MS) return `createdSince may be ${MOST_DAYS} days ago`
  return {
    now,
    offset,
    size,
    tokenFor: next => packToken(question.toString(), next),
    filter: one =>
      types.includes(one.type) &&
      (wanted.length === 0 || wanted.includes(one.status)) &&
      (marketplaceIds.length === 0 || one.marketplaceIds.some(id => marketplaceIds.includes(id))) &&
      one.createdAt >= since &&
      one.createdAt <= until,
  }
}
