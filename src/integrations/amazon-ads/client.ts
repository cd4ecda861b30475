import type { z } from 'zod'
import type { RegionKey } from '#shared/marketplaces.ts'
import { type AccessTokens, withAccessToken } from '#server/http-client/access-tokens.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import type { HttpClient, HttpRequest } from '#server/http-client/http-client.ts'
import type { Rate } from '#server/http-client/token-buckets.ts'

export interface AdsRequest<S extends z.ZodType> {
  operation: string
  method: HttpRequest['method']
  path: string
  body?: object
  /** Sent as content type, and as Accept unless `accept` differs. */
  mediaType?: string
  acceptType?: string
  headers?: Record<string, string>
  effect: HttpRequest['effect']
  /** Statuses beside 2xx whose body the schema also covers. */
  accept?: readonly number[]
  schema: S
}

/** One call on behalf of a connection (and, where bound, a profile); answers the parsed body. */
export type AdsCall = <S extends z.ZodType>(request: AdsRequest<S>) => Promise<z.output<S>>

/** One call and its outcome, for a journal; without headers, and so without tokens. */
export interface AdsCallNote {
  operation: string
  method: HttpRequest['method']
  path: string
  /** Null where nothing was sent. */
  sent: object | null
  /** The parsed answer; null where none came. */
  received: unknown
  failure: UpstreamError | null
  tookMs: number
}

export interface AdsAccount {
  connectionId: number
  region: RegionKey
  /** Absent only where the vendor takes none: the list of profiles. */
  profileId?: string
  /** Called after every call. */
  onCall?: (note: AdsCallNote) => void
  /** Waited for right before a call that may change something; what it rejects with is thrown instead of sending. */
  beforeWrite?: () => Promise<void>
}

export interface AdsDoor {
  http: HttpClient
  baseUrls: Record<RegionKey, string>
  clientId: string
  tokens: AccessTokens
  /** Calls a second and at once, per profile; the marketplace publishes none, so this is our own restraint. */
  rate: Rate
}

/** Binds an account: its region's host, its scope header, its bucket, its token (renewed once on 401). */
export function bindAccount(door: AdsDoor, account: AdsAccount): AdsCall {
  return request =>
    withAccessToken(door.tokens, account.connectionId, accessToken =>
      noted(account, request, () => send(door, account, request, accessToken)),
    )
}

async function noted<T>({ onCall }: AdsAccount, request: AdsRequest<z.ZodType>, run: () => Promise<T>): Promise<T> {
  if (!onCall) return run()
  const { operation, method, path, body = null } = request
  const began = performance.now()
  const note = (received: unknown, failure: UpstreamError | null) =>
    onCall({ operation, method, path, sent: body, received, failure, tookMs: Math.round(performance.now() - began) })
  try {
    const received = await run()
    note(received, null)
    return received
  } catch (error) {
    if (error instanceof UpstreamError) note(null, error)
    throw error
  }
}

async function send<S extends z.ZodType>(
  door: AdsDoor,
  account: AdsAccount,
  request: AdsRequest<S>,
  accessToken: string,
): Promise<z.output<S>> {
  const { mediaType = 'application/json', acceptType = mediaType } = request
  const reply = await door.http.sendJson(
    {
      operation: request.operation,
      method: request.method,
      url: door.baseUrls[account.region] + request.path,
      headers: {
        authorization: `Bearer ${accessToken}`,
        'amazon-advertising-api-clientid': door.clientId,
        ...(account.profileId && { 'amazon-advertising-api-scope': account.profileId }),
        ...(request.body && { 'content-type': mediaType }),
        accept: acceptType,
        ...request.headers,
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
      effect: request.effect,
      ...(request.effect === 'write' && account.beforeWrite && { beforeSend: account.beforeWrite }),
      bucket: { key: `${account.region}/${account.profileId ?? account.connectionId}`, rate: door.rate },
      ...(request.accept && { accept: request.accept }),
    },
    request.schema,
  )
  return reply.body
}
