import type { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import { type AccessTokens, withAccessToken } from '#server/http-client/access-tokens.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import type { HttpClient, HttpRequest } from '#server/http-client/http-client.ts'

/**
 * Calls a second and at once, per seller and operation, as the models' usage plans say. A seller may have another rate:
 * answers state it, though not all of them and never a 429, so until then these are kept. Source: selling-partner-api-models.
 */
const rates = {
  getMarketplaceParticipations: { rate: 0.016, burst: 15 },
  getInventorySummaries: { rate: 2, burst: 2 },
  searchListingsItems: { rate: 5, burst: 5 },
  getListingsItem: { rate: 5, burst: 10 },
  searchCatalogItems: { rate: 2, burst: 2 },
  createReport: { rate: 0.0167, burst: 15 },
  getReports: { rate: 0.0222, burst: 10 },
  getReport: { rate: 2, burst: 15 },
  getReportDocument: { rate: 0.0167, burst: 15 },
  cancelReport: { rate: 0.0222, burst: 10 },
  getOrderMetrics: { rate: 0.5, burst: 15 },
  getMyFeesEstimates: { rate: 0.5, burst: 1 },
}

export interface SellerAccount {
  connectionId: number
  region: RegionKey
  /** The selling partner's id, as the consent's callback gave it. */
  sellerId: string
}

interface SellerRequest<S extends z.ZodType> {
  operation: keyof typeof rates
  method?: HttpRequest['method']
  path: string
  /** Lists are comma-separated; undefined values are left out. */
  query?: Record<string, string | readonly string[] | undefined>
  body?: object
  effect?: HttpRequest['effect']
  schema: S
}

export type SellerCall = <S extends z.ZodType>(request: SellerRequest<S>) => Promise<z.output<S>>

interface SellerDoor {
  http: HttpClient
  baseUrls: Record<RegionKey, string>
  tokens: AccessTokens
  clock: Clock
  /** The rates that answers stated, by bucket. */
  statedRates: LRUCache<string, number>
}

/** Binds a seller: its region's host, its own bucket an operation, its token (renewed once when it is rejected). */
export function bindSeller(
  { http, baseUrls, tokens, clock, statedRates }: SellerDoor,
  account: SellerAccount,
): SellerCall {
  return ({ operation, method = 'GET', path, query = {}, body, effect = 'read', schema }) => {
    const params = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value))
    const url = `${baseUrls[account.region]}${path}${params.size ? `?${params}` : ''}`
    const key = `${account.sellerId}/${operation}`
    const plan = rates[operation]
    const bucket = { key, rate: { ...plan, rate: statedRates.get(key) ?? plan.rate } }
    return withAccessToken(tokens, account.connectionId, async accessToken => {
      const date = clock.now().toISOString()
      const headers = {
        'x-amz-access-token': accessToken,
        'x-amz-date': date.replaceAll(/[-:]|\.\d+/g, ''),
        'user-agent': 'Tideline/1 (Language=TypeScript)',
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      }
      const request = { operation, method, url, headers, ...(body && { body: JSON.stringify(body) }), effect, bucket }
      const reply = await http.sendJson(request, schema).catch(recogniseDeadToken)
      const rate = Number(reply.headers.get('x-amzn-ratelimit-limit'))
      if (rate > 0 && Number.isFinite(rate)) statedRates.set(key, rate)
      return reply.body
    })
  }
}

// An invalid token gets the same 403 and message as a missing permission. Only the details differ: they name the token.
function recogniseDeadToken(error: unknown): never {
  if (error instanceof UpstreamForbidden && /\btoken\b/i.test(`${error.details ?? ''} ${error.message}`))
    throw new UpstreamUnauthorized(error.message, error)
  throw error
}
