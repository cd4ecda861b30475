import { LRUCache } from 'lru-cache'
import { type RegionKey, marketplaceByKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { AccessTokens } from '#server/http-client/access-tokens.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import type { TokenBuckets } from '#server/http-client/token-buckets.ts'
import { bindSeller, type SellerAccount } from './client.ts'
import { createSellerReports, type SellerReports } from './reports/reports.ts'
import { createSellerData } from './seller-data.ts'

export type { SellerReports } from './reports/reports.ts'
export type { SalesAndTraffic } from './reports/wire.ts'
export type { CatalogItem, InventorySummary, Listing, Participation } from './wire.ts'

interface SellingPartnerOptions {
  baseUrls: Record<RegionKey, string>
  applicationId: string
  /** True while the application is not published. */
  draft?: boolean
  /** One consent host for all marketplaces instead of one each. */
  sellerCentralUrl?: string
  tokens: AccessTokens
  clock: Clock
  log: HttpLog
  policy?: Partial<HttpPolicy>
  /** Where its quotas are counted; by default here. */
  buckets?: TokenBuckets
}

/** Everything of one seller in one region. */
export interface Seller extends ReturnType<typeof createSellerData> {
  reports: SellerReports
}

export interface SellingPartner {
  /** Where to send the browser for the seller's consent. Throws RangeError for a marketplace without seller pages. */
  consentUrl(request: ConsentRequest): string
  forSeller(account: SellerAccount): Seller
}

// A dozen for each seller. What is dropped here is stated by the next answer again.
const maxStatedRates = 20_000

/**
 * The Selling Partner API. Every promise rejects with one of the upstream errors of
 * `#server/http-client/upstream-errors.ts` and nothing else, besides what `tokens` throws. Each seller and operation has
 * a bucket of its own; a call that would have to wait longer than half a minute for it is UpstreamThrottled at once.
 */
export function createSellingPartner(options: SellingPartnerOptions): SellingPartner {
  const { baseUrls, log, clock, policy = {}, buckets } = options
  const http = createHttpClient({ upstream: 'selling-partner', log, clock, policy, ...(buckets && { buckets }) })
  const statedRates = new LRUCache<string, number>({ max: maxStatedRates })
  return {
    consentUrl: request => buildConsentUrl(request, options),
    forSeller(account) {
      const call = bindSeller({ http, statedRates, ...options }, account)
      return {
        ...createSellerData(call, account),
        reports: createSellerReports(call, http, baseUrls[account.region], clock),
      }
    },
  }
}

interface ConsentRequest {
  /** The marketplace to sign in to. */
  marketplaceKey: string
  state: string
  redirectUri?: string
}

function buildConsentUrl(
  { marketplaceKey, state, redirectUri }: ConsentRequest,
  app: Pick<SellingPartnerOptions, 'applicationId' | 'draft' | 'sellerCentralUrl'>,
): string {
  const base = app.sellerCentralUrl ?? marketplaceByKey(marketplaceKey)?.sellerCentralUrl
  if (!base) throw new RangeError(`no seller pages are known for ${marketplaceKey}`)
  const url = new URL(`${base.replace(/\/$/, '')}/apps/authorize/consent`)
  url.searchParams.set('application_id', app.applicationId)
  url.searchParams.set('state', state)
  if (redirectUri) url.searchParams.set('redirect_uri', redirectUri)
  // Otherwise the page answers MD1000.
  if (app.draft) url.searchParams.set('version', 'beta')
  return url.href
}
