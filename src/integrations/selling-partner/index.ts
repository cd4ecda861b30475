import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { AccessTokens } from '#server/http-client/tokens/access-tokens.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import type { Rate } from '#server/http-client/token-buckets.ts'
import { bindSeller, type SellerAccount, type SellerDoor } from './client.ts'
import { buildConsentUrl, type ConsentRequest } from './consent.ts'
import type { Operation } from './rates.ts'
import { createSellerReports, type SellerReports } from './reports/reports.ts'
import { createSellerData, type SellerData } from './seller-data.ts'

export type { SellerAccount } from './client.ts'
export type { ConsentRequest } from './consent.ts'
export type { SellerReports } from './reports/reports.ts'
export type * from './reports/vocabulary.ts'
export type { SellerData } from './seller-data.ts'
export type * from './vocabulary.ts'

export interface SellingPartnerOptions {
  baseUrls: Record<RegionKey, string>
  applicationId: string
  /** True while the application is not published. */
  draft?: boolean
  /** One consent host for all marketplaces instead of their own. */
  sellerCentralUrl?: string
  tokens: AccessTokens
  clock: Clock
  log: HttpLog
  fetch?: typeof fetch
  policy?: Partial<HttpPolicy>
  /** Another usage plan than the published one, where the marketplace granted it. */
  rateOf?: (operation: Operation) => Rate
  userAgent?: string
}

/** Everything of one seller in one region. */
export interface Seller extends SellerData {
  reports: SellerReports
}

export interface SellingPartner {
  /** Where to send the browser for the seller's consent. Throws RangeError where no seller pages are known. */
  consentUrl(request: ConsentRequest): string
  forSeller(account: SellerAccount): Seller
}

/**
 * The door to the Selling Partner API. Every promise rejects with one of the upstream errors of
 * `#server/http-client/upstream-errors.ts` and nothing else, besides what `tokens` throws. Each seller and operation has
 * a bucket of its own; a call that would have to wait longer than half a minute for it is UpstreamThrottled at once.
 */
export const createSellingPartner = (options: SellingPartnerOptions): SellingPartner => {
  const { baseUrls, applicationId, draft = false, sellerCentralUrl, tokens, clock, log } = options
  const http = createHttpClient({
    upstream: 'selling-partner',
    log,
    clock,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.policy && { policy: options.policy }),
  })
  const door: SellerDoor = {
    http,
    baseUrls,
    tokens,
    clock,
    userAgent: options.userAgent ?? 'Tideline/1 (Language=TypeScript)',
    ...(options.rateOf && { rateOf: options.rateOf }),
  }
  return {
    consentUrl: request => buildConsentUrl(request, { applicationId, draft, sellerCentralUrl }),
    forSeller: account => {
      const call = bindSeller(door, account)
      return {
        ...createSellerData(call, account),
        reports: createSellerReports(call, http, baseUrls[account.region], () => clock.now()),
      }
    },
  }
}
