import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { NeededAuthority } from './authority.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call; the server checks it first.
 * - `public`: everybody, without logging in.
 * - `account`: every user, with or without a subscription: for profile data, existing connections and payment.
 * - `connecting`: users whose subscription gives access, and users who never had one, because the trial starts after connecting.
 * - `subscription`: users whose subscription gives access.
 */
export type Access = 'public' | 'account' | 'connecting' | 'subscription'

/**
 * A call of the product's API, as data. The server mounts it, the client calls it, and the OpenAPI document is generated from
 * it, so the three always agree. `path` is relative to /api; parameters begin with a colon.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  params?: GenericSchema
  /** Query values arrive as strings; the schemas of query-schemas.ts accept them as well as typed values. */
  query?: GenericSchema
  body?: GenericSchema
  /** For signed webhooks, instead of `body`: the verb gets the bytes as they were sent, with their signature. */
  rawBody?: { mediaType: string; signatureHeader: string }
  /** A body of any media type is accepted, and dropped: for senders who write it by a rule of their own. */
  ignoresBody?: true
  /** The body is one file in a form (multipart/form-data), in this field; its media type says nothing about its content. */
  upload?: { field: string; maxBytes: number }
  /** The maximum size of the body, 64 kB by default. A larger one is answered with 413. */
  maxBodyBytes?: number
  /** The schema of a successful response; `v.null()` for 204. */
  response: GenericSchema
  /** The answer is a file of one of these media types instead of JSON; `response` then says nothing. */
  file?: readonly string[]
  /** The status of a successful response; 200 by default. */
  status?: 200 | 201 | 202 | 204
  /** Error codes that the caller must expect in addition to those of every call. */
  errors?: readonly ErrorCode[]
  access: Access
  /** What the caller must be allowed to, besides `access`; by default as `authorityOf` says. */
  authority?: NeededAuthority
  /**
   * True if the call creates, launches or charges something. It then requires an `Idempotency-Key`. `optional`: a caller who
   * may have to send it again without knowing what became of it sends one.
   */
  idempotencyKey?: boolean | 'optional'
  /** The revision of the contract (`contractRevision`) in which the call changed: older clients are rejected. */
  changedIn?: number
  /**
   * What a campaign manager who acts for a user may do: `blocked` calls are rejected while managing, because they are the
   * user's own affair; `either` ones are the same in both contexts. By default the call acts for the managed user.
   */
  managing?: 'blocked' | 'either'
  /** True if the call is meant for one merchant and marketplace, which the caller may name in `X-Shop`. */
  ofShop?: boolean
}

/**
 * What a caller needs besides `access`; null at public endpoints. By default every member reads, and everything else is for
 * managers: of the current merchant where its subscription gives access, else of the own account.
 */
export function authorityOf(endpoint: Pick<Endpoint, 'method' | 'access' | 'authority'>): NeededAuthority | null {
  const { method, access, authority } = endpoint
  if (access === 'public') return null
  if (authority) return authority
  // Connecting begins with reading an address.
  if (method === 'GET' && access !== 'connecting') return 'MEMBER'
  return access === 'subscription' ? 'MERCHANT_MANAGER' : 'ACCOUNT_MANAGER'
}

/** Most bytes that the body of a request to this endpoint may have. */
export function bodyLimitOf({ body, rawBody, upload, maxBodyBytes }: Endpoint): number {
  // The form has boundaries and headers too.
  if (upload) return upload.maxBytes + 16 * 1024
  return body || rawBody ? (maxBodyBytes ?? 64 * 1024) : 1024
}

/** Defines an endpoint; infers its literal types. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint

type Parts = 'params' | 'query' | 'body'
type Declared<E extends Endpoint> = { [P in Parts as E[P] extends GenericSchema ? P : never]: E[P] }

/** A browser's File or Blob, as far as code that runs anywhere can name it. */
export interface FileToSend {
  readonly size: number
  readonly type: string
}

/** What a caller passes: the parts that the endpoint declares, before defaults. */
export type EndpointInput<E extends Endpoint> = {
  [P in keyof Declared<E>]: Declared<E>[P] extends GenericSchema ? InferInput<Declared<E>[P]> : never
} & (E extends { upload: object } ? { upload: FileToSend } : unknown)
/** A body as it was sent, and the header that signs it. */
export interface SignedBody {
  bytes: Uint8Array
  signature: string
}

/** What a handler receives: parsed, with defaults filled in. */
export type EndpointParsed<E extends Endpoint> = {
  [P in keyof Declared<E>]: Declared<E>[P] extends GenericSchema ? InferOutput<Declared<E>[P]> : never
} & (E extends { rawBody: object } ? { rawBody: SignedBody } : unknown) &
  (E extends { upload: object } ? { upload: Uint8Array } : unknown)
/** A file that is sent while it is made. */
export interface FileAnswer {
  /** In ASCII, with its extension. */
  name: string
  mediaType: string
  content: AsyncIterable<Uint8Array>
}
/** What a successful response contains. */
export type EndpointOutput<E extends Endpoint> = E extends { file: readonly string[] }
  ? FileAnswer
  : InferOutput<E['response']>
