import * as v from 'valibot'
import type { Endpoint, EndpointInput, EndpointOutput } from '#shared/define-endpoint.ts'
import { buildHeader, changedHeader, newestBuildHeader } from '#shared/contract-revision.ts'
import { managingHeader } from '#shared/managing-context.ts'
import { ApiError, NetworkError, ShapeError } from './api-error.ts'
import { noteNewestBuild, noteUpdateRequired, ownBuild } from './build-version.ts'
import { buildUrl, type LooseInput, newIdempotencyKey } from './build-request.ts'
import { takeEarly } from '../early/early-answers.ts'
import { noteReached, noteUnreached } from './reachability.ts'
import { noteServerTime } from './server-clock.ts'
import { freshAccessToken, getSession, noteManagingChanged, sessionUser, signOut } from './session/session.ts'
import { parseJson } from './session/token-claims.ts'
import { storedContext } from './storage-keys.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** One key per intent of the user; created when the endpoint requires one and none is passed. */
  idempotencyKey?: string
  /** Version of the row that is being edited. */
  ifMatch?: number | string
  /** The shop this is for (`merchant/marketplace`): the server rejects it when another is current by now. */
  shop?: string
  /** The name of this browser, for calls where the server must recognize it. */
  client?: string | undefined
  /** The user who makes this call: it fails as unauthenticated once someone else is signed in. */
  onlyAs?: string
  shapeError?: string
}

const problemSchema = v.looseObject({
  errorCode: v.string(),
  message: v.string(),
  details: v.optional(v.array(v.string()), []),
  requestId: v.optional(v.string(), ''),
})

/**
 * Calls one endpoint of the contract under /api with the session's token and returns its parsed response.
 * Throws ApiError when the server refuses, ShapeError when its answer breaks the contract, NetworkError when none
 * comes, and the signal's own reason when aborted. A 401 ends the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: CallOptions = {},
): Promise<EndpointOutput<E>> {
  const { status, content } = await send(endpoint, input, options, response => response.text())
  const parsed = v.safeParse(endpoint.response, status === 204 ? null : readJson(content, options))
  if (parsed.success) return parsed.output as EndpointOutput<E>
  throw new ShapeError(options.shapeError ?? `Invalid response: ${endpoint.summary}`, parsed.issues)
}

const changeCountsMs = 10_000
let changedAt = -Infinity
/** Something has changed at the server: what is read next must not be older. */
export function noteChange(): void {
  changedAt = performance.now()
}

function headersOf(endpoint: Endpoint, input: LooseInput, options: CallOptions, token: string | undefined): Headers {
  const headers = new Headers({ accept: 'application/json', [buildHeader]: ownBuild })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (token) headers.set(managingHeader, storedContext())
  if (performance.now() - changedAt < changeCountsMs) headers.set(changedHeader, '1')
  // Of a form the browser writes it, with its boundary.
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  if (options.idempotencyKey ?? endpoint.idempotencyKey === true)
    headers.set('idempotency-key', options.idempotencyKey ?? newIdempotencyKey())
  if (options.shop !== undefined) headers.set('x-shop', options.shop)
  if (options.client !== undefined) headers.set('x-client', options.client)
  if (options.ifMatch !== undefined) headers.set('if-match', `"${options.ifMatch}"`)
  return headers
}

function bodyOf({ upload }: Endpoint, input: LooseInput): BodyInit | null {
  if (upload && input.upload) {
    const form = new FormData()
    form.append(upload.field, input.upload as Blob)
    return form
  }
  return input.body === undefined ? null : JSON.stringify(input.body)
}

/** Sends a call as `call` does and returns its answer as `read` makes it. */
export async function send<T>(
  endpoint: Endpoint,
  input: LooseInput,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<{ status: number; content: T }> {
  const token = endpoint.access === 'public' ? undefined : await freshAccessToken()
  if (options.onlyAs !== undefined && (token === undefined || sessionUser() !== options.onlyAs)) {
    const message = 'Somebody else is logged in.'
    throw new ApiError(401, { errorCode: 'UNAUTHENTICATED', message, details: [], requestId: '' })
  }
  const url = buildUrl(endpoint, input)
  const early = endpoint.method === 'GET' ? await takeEarly(url, token) : undefined
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 20_000)
  const slow = setTimeout(noteUnreached, slowMs)
  let refused: Refused
  try {
    const response =
      early ??
      (await fetch(url, {
        method: endpoint.method,
        headers: headersOf(endpoint, input, options, token),
        body: bodyOf(endpoint, input),
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      }))
    clearTimeout(slow)
    const { status, ok } = response
    if (status < 500) noteReached()
    noteServerTime(response.headers.get('date'))
    noteNewestBuild(response.headers.get(newestBuildHeader))
    // The line may also break, or the time be up, in the middle of the answer.
    if (ok && endpoint.method !== 'GET') noteChange()
    if (ok) return { status, content: await read(response) }
    refused = { status, text: await response.text() }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    noteUnreached()
    throw new NetworkError(timeout.aborted, cause)
  } finally {
    clearTimeout(slow)
  }
  const error = await refusal(endpoint, refused)
  if (error instanceof NetworkError) noteUnreached()
  throw error
}

// A request without an answer by then raises the question whether the server can be reached at all.
const slowMs = 4000

interface Refused {
  status: number
  text: string
}

function readJson(text: string, options: CallOptions): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ShapeError(options.shapeError ?? `API returned error: ${text.slice(0, 200)}`, cause)
  }
}

async function refusal(endpoint: Endpoint, { status, text }: Refused): Promise<Error> {
  // A refused log-in has no session to end.
  if (status === 401 && (getSession() || endpoint.access !== 'public')) await signOut()
  const parsed = v.safeParse(problemSchema, parseJson(text))
  // Something between us and the server may answer with a page of its own.
  if (!parsed.success)
    return status >= 500 ? new NetworkError(false, undefined, status) : new ShapeError(`Unexpected answer ${status}`)
  const { errorCode, message, details, requestId, ...extra } = parsed.output
  if (errorCode === 'CLIENT_OUTDATED') noteUpdateRequired()
  if (errorCode === 'MANAGING_CHANGED') noteManagingChanged()
  // A newer server may know codes that this build does not; they are shown like any other.
  return new ApiError(status, { errorCode: errorCode as ApiError['code'], message, details, requestId }, extra)
}
