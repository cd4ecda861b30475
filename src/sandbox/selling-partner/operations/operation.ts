import type { RegionKey } from '#shared/marketplaces.ts'
import type { FaultKind } from '../../core/faults.ts'
import type { Seller, Store } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { RestrictedResource } from '../../login-with-amazon/token-service.ts'
import type { Market } from '../../market/market.ts'

/** One authorized request, before any operation has looked at it. */
export interface SpRequest {
  seller: Seller
  region: RegionKey
  /** Decoded parameters of the path. */
  path: Record<string, string>
  query: Record<string, string | string[] | undefined>
  body: unknown
  now: Date
  store: Store
  market: Market
  /** The emulator's own address, without a slash at the end. */
  publicUrl: string
  /** The fault set for this request, if any. */
  fault: FaultKind | null
  /** The way to write to the store. */
  change: World['change']
  /** True when the request has a restricted data token, so that buyers may be shown. */
  restricted: boolean
  /** A token of the caller's own grant that opens only these resources, with buyers' data. */
  restrict(resources: RestrictedResource[]): { restrictedDataToken: string; expiresIn: number }
}

export interface SpAnswer {
  status: number
  body: unknown
}

type Answer = (request: SpRequest) => SpAnswer

/** An operation of the Selling Partner API with its usage plan. */
export interface Operation {
  id: string
  method: string
  /** Below the region's host, in the router's syntax. */
  url: string
  /** Requests a second that the bucket regains, and how many it holds. */
  rate: number
  burst: number
  answer: Answer
}

/** A row of the vendor's table of operations. `call` is the method and the path, as in `GET /sellers/v1/account`. */
export function operation(id: string, call: string, rate: number, burst: number, answer: Answer): Operation {
  const [method = '', url = ''] = call.split(' ')
  return { id, method, url, rate, burst, answer }
}

export const ok = (body: unknown): SpAnswer => ({ status: 200, body })

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

/** What an operation answers, its errors included. */
export function run({ answer }: Operation, request: SpRequest): SpAnswer {
  try {
    return answer(request)
  } catch (error) {
    if (error instanceof SpError) return error.answer
    throw error
  }
}
