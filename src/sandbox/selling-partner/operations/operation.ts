import type { RegionKey } from '#shared/marketplaces.ts'
import type { FaultKind } from '../../core/faults.ts'
import type { Seller, Store } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { Access } from '../../login-with-amazon/token-service.ts'

/** One authorized request, before any operation has looked at it. */
export interface SpRequest {
  world: World
  seller: Seller
  access: Access
  region: RegionKey
  /** Decoded parameters of the path. */
  path: Record<string, string>
  query: Query
  body: unknown
  now: Date
  store: Store
  fault: FaultKind | null
}

export interface SpAnswer {
  status: number
  body: unknown
}

export type Operation = ReturnType<typeof operation>

/**
 * A row of the vendor's table of operations. `call` is the method and the path in the router's syntax, as in
 * `GET /sellers/v1/account`. The bucket regains `rate` requests a second and holds `burst`.
 */
export function operation(
  id: string,
  call: string,
  rate: number,
  burst: number,
  answer: (request: SpRequest) => SpAnswer,
) {
  const [method = '', url = ''] = call.split(' ')
  return { id, method, url, rate, burst, answer }
}

export const ok = (body: unknown, status = 200): SpAnswer => ({ status, body })

/** An error answer of the API. Operations throw it; their caller sends it. */
export class SpError extends Error {
  readonly answer: SpAnswer

  constructor(status: number, code: string, message: string, details = '') {
    super(message)
    this.answer = { status, body: { errors: [{ code, message, details }] } }
  }
}

export const invalid = (details: string): SpError => new SpError(400, 'InvalidInput', 'Invalid Input', details)
export const notFound = (what: string): SpError => new SpError(404, 'NOT_FOUND', `${what} not found.`)

/** Throws `invalid(details)` unless the condition holds. */
export function check(condition: unknown, details: string): asserts condition {
  if (!condition) throw invalid(details)
}

export const DAY_MS = 86_400_000
export const iso = (ms: number): string => new Date(ms).toISOString()

export class Query {
  readonly values: Record<string, string | string[] | undefined>

  constructor(values: Query['values']) {
    this.values = values
  }

  has = (name: string): boolean => this.values[name] !== undefined

  one = (name: string): string | undefined => [this.values[name]].flat()[0]

  /** Values of a list parameter, whether comma-separated or repeated. Throws `invalid(problem)` unless all are allowed. */
  list(name: string, allowed?: ReadonlySet<string>, problem = ''): string[] {
    const list = [this.values[name] ?? []].flat().flatMap(part => part.split(',').filter(Boolean))
    check(!allowed || list.every(one => allowed.has(one)), problem)
    return list
  }

  /** The moment in a parameter: null when it is missing, NaN when it is not a date-time. */
  moment(name: string): number | null {
    const text = this.one(name)
    return text === undefined ? null : Date.parse(text)
  }

  /** The seller's marketplaces that a request names; it must name one. */
  marketplaces({ marketplaceIds }: Seller, problem = 'marketplaceIds are missing or not yours'): string[] {
    const ids = this.list('marketplaceIds', new Set(marketplaceIds), problem)
    check(ids.length > 0, problem)
    return ids
  }

  /** The only marketplace that a request names. */
  oneMarketplace(seller: Seller): string {
    const problem = 'marketplaceIds must name one marketplace of yours'
    const [id = '', ...others] = this.marketplaces(seller, problem)
    check(others.length === 0, problem)
    return id
  }

  /** The requested data sets, by default `summaries`. */
  included(dataSets: ReadonlySet<string>): string[] {
    const included = this.list('includedData', dataSets, 'includedData is not valid')
    return included.length > 0 ? included : ['summaries']
  }

  /** The requested number of items on a page. Throws `invalid(problem)` unless it is 1 to `max`. */
  pageSize(name: string, byDefault: number, max: number, problem: string): number {
    const size = Number(this.one(name) ?? byDefault)
    check(Number.isInteger(size) && size >= 1 && size <= max, problem)
    return size
  }
}

/** Where a page starts: 0 without a token. Throws `invalid(problem)` for a token that is not ours. */
export function offsetIn(token: string | undefined, problem: string): number {
  if (token === undefined) return 0
  const [, offset] = /^page:(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  check(offset, problem)
  return Number(offset)
}

/** A page token that states where the next page starts; opaque to clients. */
export const pageToken = (offset: number): string => Buffer.from(`page:${offset}`).toString('base64url')

/** Tokens of the next and previous pages of `total` items, where there are any. */
export function paginationOf(offset: number, size: number, total: number): Record<string, string> {
  return {
    ...(offset + size < total && { nextToken: pageToken(offset + size) }),
    ...(offset > 0 && { previousToken: pageToken(Math.max(0, offset - size)) }),
  }
}
