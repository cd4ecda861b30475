import { type RegionKey, marketplaceByKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { AccessTokens } from '#server/http-client/tokens/access-tokens.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import type { Rate } from '#server/http-client/token-buckets.ts'
import { bindSeller, type SellerAccount, type SellerDoor } from './client.ts'
import type { Operation } from './rates.ts'
import { createSellerReports, type SellerReports } from './reports/reports.ts'
import { createSellerData, type SellerData } from './seller-data.ts'

export type { SellerAccount } from './client.ts'
export type { SellerReports } from './reports/reports.ts'
export type * from './reports/vocabulary.ts'
export type { SellerData } from './seller-data.ts'
export type * from './vocabulary.ts'

export interface SellingPartnerOptions {
  baseUrls: Record<RegionKey, string>
  applicationId: string
  /** True while the application is not published. */
  draft?: boolean
  /** One consent host for all marketplaces instead of one each. */
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
  /** Where to send the browser for the seller's consent. Throws RangeError for a marketplace without seller pages. */
  consentUrl(request: ConsentRequest): string
  forSeller(account: SellerAccount): Seller
}

/**
 * The Selling Partner API. Every promise rejects with one of the upstream errors of
 * `#server/http-client/upstream-errors.ts` and nothing else, besides what `tokens` throws. Each seller and operation has
 * a bucket of its own; a call that would have to wait longer than half a minute for it is UpstreamThrottled at once.
 */
export function createSellingPartner(options: SellingPartnerOptions): SellingPartner {
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

interface ConsentRequest {
  /** The marketplace to sign in to. */
  marketplaceKey: string
  state: string
  redirectUri?: string
}

/**
 * The address of the consent page. Throws RangeError for a marketplace without seller pages (Ireland).
 * A draft application needs `version=beta`, or the page answers MD1000.
 */
function buildConsentUrl(
  { marketplaceKey, state, redirectUri }: ConsentRequest,
  app: { applicationId: string; draft: boolean; sellerCentralUrl?: string | undefined },
): string {
  const base = app.sellerCentralUrl ?? marketplaceByKey(marketplaceKey)?.sellerCentralUrl
  if (!base) throw new RangeError(`no seller pages are known for ${marketplaceKey}`)
  const url = new URL(`${base.replace(/\/$/, '')}/apps/authorize/consent`)
  url.searchParams.set('application_id', app.applicationId)
  url.searchParams.set('state', state)
  if (redirectUri) url.searchParams.set('redirect_uri', redirectUri)
  if (app.draft) url.searchParams.set('version', 'beta')
  return url.href
}
