import type { z } from 'zod'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import { type AccessTokens, withAccessToken } from '#server/http-client/tokens/access-tokens.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import type { HttpClient, HttpRequest } from '#server/http-client/http-client.ts'
import type { Rate } from '#server/http-client/token-buckets.ts'
import { type Operation, rates } from './rates.ts'

export interface SellerAccount {
  connectionId: number
  region: RegionKey
  /** The selling partner's id, as the consent's callback gave it. */
  sellerId: string
}

export interface SellerRequest<S extends z.ZodType> {
  operation: Operation
  method?: HttpRequest['method']
  path: string
  query?: Record<string, string | readonly string[] | undefined>
  body?: object
  effect?: HttpRequest['effect']
  schema: S
}

export type SellerCall = <S extends z.ZodType>(request: SellerRequest<S>) => Promise<z.output<S>>

export interface SellerDoor {
  http: HttpClient
  baseUrls: Record<RegionKey, string>
  tokens: AccessTokens
  clock: Clock
  userAgent: string
  rateOf?: (operation: Operation) => Rate
}

/** Binds a seller: its region's host, its own bucket an operation, its token (renewed once when it is rejected). */
export function bindSeller(door: SellerDoor, account: SellerAccount): SellerCall {
  return request =>
    withAccessToken(door.tokens, account.connectionId, async accessToken => {
      const send = door.http.sendJson(
        {
          operation: request.operation,
          method: request.method ?? 'GET',
          url: door.baseUrls[account.region] + request.path + queryText(request.query ?? {}),
          headers: {
            'x-amz-access-token': accessToken,
            'x-amz-date': door.clock
              .now()
              .toISOString()
              .replaceAll(/[-:]|\.\d+/g, ''),
            'user-agent': door.userAgent,
            accept: 'application/json',
            ...(request.body && { 'content-type': 'application/json' }),
          },
          ...(request.body && { body: JSON.stringify(request.body) }),
          effect: request.effect ?? 'read',
          bucket: {
            key: `${account.sellerId}/${request.operation}`,
            rate: door.rateOf?.(request.operation) ?? rates[request.operation],
          },
        },
        request.schema,
      )
      return (await send.catch(recogniseDeadToken)).body
    })
}

// An invalid token gets the same 403 and message as a missing permission. Only the details differ: they name the token.
function recogniseDeadToken(error: unknown): never {
  if (error instanceof UpstreamForbidden && /\btoken\b/i.test(`${error.details ?? ''} ${error.message}`))
    throw new UpstreamUnauthorized(error.message, error)
  throw error
}

// Lists are comma-separated; undefined values are left out.
function queryText(query: NonNullable<SellerRequest<z.ZodType>['query']>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) params.set(name, typeof value === 'string' ? value : value.join(','))
  return params.size ? `?${params}` : ''
}
