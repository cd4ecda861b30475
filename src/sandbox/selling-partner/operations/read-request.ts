import { check, invalid, type SpRequest } from './operation.ts'

type Parameter = string | string[] | undefined

/** True for a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_AMOUNT = 1_000_000_000
/** True for a plausible amount of money. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_AMOUNT

/** Values of a list parameter, whether comma-separated or repeated. */
export const listOf = (value: Parameter): string[] =>
  (value === undefined ? [] : [value].flat()).flatMap(part => part.split(',')).filter(part => part !== '')

/** The single value of a parameter. */
export const oneOf = (value: Parameter): string | undefined => (Array.isArray(value) ? value[0] : value)

/** The moment in a parameter: null when it is missing, NaN when it is not a date-time. */
export function momentOf(value: Parameter): number | null {
  const text = oneOf(value)
  return text === undefined ? null : Date.parse(text)
}

const isOwn = ({ seller }: SpRequest, ids: readonly string[]): boolean =>
  ids.length > 0 && ids.every(id => seller.marketplaceIds.includes(id))

/** The seller's marketplaces that a request names; it must name one. */
export function marketplacesOf(request: SpRequest): string[] {
  const ids = listOf(request.query.marketplaceIds)
  check(isOwn(request, ids), 'marketplaceIds are missing or not yours')
  return ids
}

/** The only marketplace that a request names. */
export function oneMarketplaceOf(request: SpRequest): string {
  const ids = listOf(request.query.marketplaceIds)
  check(isOwn(request, ids) && ids.length === 1, 'marketplaceIds must name one marketplace of yours')
  return ids[0] as string
}

/** The requested data sets, by default `summaries`. */
export function includedIn(request: SpRequest, isDataSet: (name: string) => boolean): string[] {
  const included = listOf(request.query.includedData)
  check(included.every(isDataSet), 'includedData is not valid')
  return included.length > 0 ? included : ['summaries']
}

/** A page token that states where the next page starts; opaque to clients. */
export const pageToken = (offset: number): string => Buffer.from(`page:${offset}`).toString('base64url')

/** Where a page starts: 0 without a token. Throws `invalid(details)` for a token that is not ours. */
export function offsetOf(token: string | undefined, details: string): number {
  if (token === undefined) return 0
  const match = /^page:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())
  if (!match) throw invalid(details)
  return Number(match[1])
}

/** The requested number of items on a page. Throws `invalid(details)` unless it is 1 to `max`. */
export function pageSizeOf(value: Parameter, byDefault: number, max: number, details: string): number {
  const size = Number(oneOf(value) ?? byDefault)
  check(Number.isInteger(size) && size >= 1 && size <= max, details)
  return size
}

/** Tokens of the next and previous pages of `total` items, where there are any. */
export function paginationOf(offset: number, size: number, total: number): Record<string, string> {
  return {
    ...(offset + size < total && { nextToken: pageToken(offset + size) }),
    ...(offset > 0 && { previousToken: pageToken(Math.max(0, offset - size)) }),
  }
}
