import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call, checked by the server before anything else.
 * - `public`: everybody, without a log-in.
 * - `account`: every user, whatever became of the subscription: one's own data, connections that exist, payment.
 * - `connecting`: users whose subscription gives access, and those who never had one, since a trial starts after connecting.
 * - `subscription`: users whose subscription gives access.
 */
export type Access = 'public' | 'account' | 'connecting' | 'subscription'

/**
 * One call of the product's API, as data. The server mounts it, the client calls it and the OpenAPI document is
 * generated from it, so the three cannot drift. `path` is relative to /api and names parameters with a colon.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  params?: GenericSchema
  /** Query values arrive as strings; use the schemas of query-schemas.ts, which accept the typed value as well. */
  query?: GenericSchema
  body?: GenericSchema
  /** For signed webhooks, instead of `body`: the verb gets the bytes as they were sent, with their signature. */
  rawBody?: { mediaType: string; signatureHeader: string }
  /** Most bytes that the body may have, 64 kB when absent; a larger one is answered 413. */
  maxBodyBytes?: number
  /** Schema of the successful answer; use `v.null()` for 204. */
  response: GenericSchema
  /** Status of the successful answer; 200 when absent. */
  status?: 200 | 201 | 202 | 204
  /** Codes the caller must expect beside those every call may answer. */
  errors?: readonly ErrorCode[]
  access: Access
  /** True when the call creates, launches or charges and therefore takes `Idempotency-Key`. */
  idempotencyKey?: boolean
  /** True when what is sent is meant for one merchant in one marketplace, which the caller may name by `X-Shop`. */
  ofShop?: boolean
}

/** Most bytes that the body of a request to this endpoint may have. */
export function bodyLimitOf({ body, rawBody, maxBodyBytes }: Endpoint): number {
  return body || rawBody ? (maxBodyBytes ?? 64 * 1024) : 1024
}

/** Keeps the literal types of an endpoint. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint

type Parts = 'params' | 'query' | 'body'
type Declared<E extends Endpoint> = { [P in Parts as E[P] extends GenericSchema ? P : never]: E[P] }

/** What a caller passes: only the parts that the endpoint declares, before defaults. */
export type EndpointInput<E extends Endpoint> = {
  [P in keyof Declared<E>]: Declared<E>[P] extends GenericSchema ? InferInput<Declared<E>[P]> : never
}
/** A body as it was sent, and the header that signs it. */
export interface SignedBody {
  bytes: Uint8Array
  signature: string
}

/** What a handler receives: parsed, with defaults filled in. */
export type EndpointParsed<E extends Endpoint> = {
  [P in keyof Declared<E>]: Declared<E>[P] extends GenericSchema ? InferOutput<Declared<E>[P]> : never
} & (E extends { rawBody: object } ? { rawBody: SignedBody } : unknown)
/** What the successful answer holds. */
export type EndpointOutput<E extends Endpoint> = InferOutput<E['response']>
