import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { AccessTokens } from '#server/http-client/tokens/access-tokens.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import type { Rate } from '#server/http-client/token-buckets.ts'
import { type Advice, createAdvice } from './advice/advice.ts'
import { type AdsAccount, type AdsCallNote, type AdsDoor, bindAccount } from './client.ts'
import { type Brands, createBrands } from './brands/brands.ts'
import { createDisplay, type Display } from './display/display.ts'
import { createExports, type Exports } from './exports/exports.ts'
import { createHistory, type History } from './history/history.ts'
import { createPortfolios, type Portfolios } from './portfolios/portfolios.ts'
import { listProfiles, type Profile } from './profiles.ts'
import { createReports, type Reports } from './reports/reports.ts'
import {
  createStreamQueue,
  createSubscriptions,
  type QueueOptions,
  type StreamQueue,
  type Subscriptions,
} from './stream/stream.ts'
import { createCollection, type Collection } from './structure/collection.ts'
import type * as entity from './structure/entities.ts'
import * as resource from './structure/resources.ts'

export type { Advice } from './advice/advice.ts'
export type * from './advice/vocabulary.ts'
export type { Brands } from './brands/brands.ts'
export type * from './brands/entities.ts'
export type { Display } from './display/display.ts'
export type * from './display/entities.ts'
export type { ExportedRow } from './exports/exported-row.ts'
export type { ExportKind, Exports, ExportState } from './exports/exports.ts'
export type { ChangedEntity, ChangeEvent, History } from './history/history.ts'
export type { NewPortfolio, Portfolio, PortfolioBudget, PortfolioChange, Portfolios } from './portfolios/portfolios.ts'
export type { AdsCallNote } from './client.ts'
export type { Profile } from './profiles.ts'
export type { ReportKind } from './reports/kinds.ts'
export type { Reports } from './reports/reports.ts'
export type * from './reports/vocabulary.ts'
export type { StreamQueue, Subscriptions } from './stream/stream.ts'
export type * from './stream/vocabulary.ts'
export { MAX_BATCH } from './structure/outcome.ts'
export type { Collection, ListFilter } from './structure/collection.ts'
export type * from './structure/entities.ts'
export type { ItemOutcome } from './structure/outcome.ts'

export interface AmazonAdsOptions {
  baseUrls: Record<RegionKey, string>
  /** The Login with Amazon client of the advertising application. */
  clientId: string
  tokens: AccessTokens
  clock: Clock
  log: HttpLog
  fetch?: typeof fetch
  /** Calls per profile; the marketplace publishes no figure. Default 10 a second, 20 at once. */
  rate?: Rate
  policy?: Partial<HttpPolicy>
  /** Absent: the stream is not used. */
  queue?: QueueOptions
}

/** Everything of one advertising account. Amounts are micro-units of its currency, ids are text. */
export interface ProfileAds {
  campaigns: Collection<entity.Campaign, entity.NewCampaign, entity.CampaignChange>
  adGroups: Collection<entity.AdGroup, entity.NewAdGroup, entity.AdGroupChange>
  productAds: Collection<entity.ProductAd, entity.NewProductAd, entity.ProductAdChange>
  keywords: Collection<entity.Keyword, entity.NewKeyword, entity.KeywordChange>
  negativeKeywords: Collection<entity.NegativeKeyword, entity.NewNegativeKeyword, entity.NegativeKeywordChange>
  campaignNegativeKeywords: Collection<
    entity.NegativeKeyword,
    entity.NewCampaignNegativeKeyword,
    entity.NegativeKeywordChange
  >
  /** The four automatic targets of an AUTO ad group appear by themselves; they can be changed, not made or archived. */
  targets: Collection<entity.Target, entity.NewTarget, entity.TargetChange>
  negativeTargets: Collection<entity.NegativeTarget, entity.NewNegativeTarget, entity.NegativeTargetChange>
  campaignNegativeTargets: Collection<
    entity.NegativeTarget,
    entity.NewCampaignNegativeTarget,
    entity.NegativeTargetChange
  >
  /**
   * Campaigns with exactly this name, the archived too: the look-up after an unknown outcome. A campaign just made may
   * be missing from lists for a while, so an empty answer proves nothing before two minutes have passed.
   */
  findCampaigns(name: string): Promise<entity.Campaign[]>
  brands: Brands
  display: Display
  portfolios: Portfolios
  advice: Advice
  reports: Reports
  exports: Exports
  history: History
  subscriptions: Subscriptions
}

export interface AmazonAds {
  /** The advertising accounts of a connection in one region; ask all three. Empty when there are none. */
  listProfiles(connectionId: number, region: RegionKey): Promise<Profile[]>
  forProfile(account: {
    connectionId: number
    region: RegionKey
    profileId: string
    /** Called after every call, for a journal. */
    onCall?: (note: AdsCallNote) => void
    /** Waited for right before a call that may change something; what it rejects with is thrown instead of sending. */
    beforeWrite?: () => Promise<void>
  }): ProfileAds
  /** Null when no queue was given. */
  stream: StreamQueue | null
}

/**
 * The door to the marketplace's advertising API. Every promise rejects with one of the upstream errors of
 * `#server/http-client/upstream-errors.ts` and nothing else, besides what `tokens` throws.
 */
export function createAmazonAds(options: AmazonAdsOptions): AmazonAds {
  const { baseUrls, clientId, tokens, clock, log, queue } = options
  const http = createHttpClient({
    upstream: 'amazon-ads',
    log,
    clock,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.policy && { policy: options.policy }),
  })
  const door: AdsDoor = { http, baseUrls, clientId, tokens, rate: options.rate ?? { rate: 10, burst: 20 } }
  const open = (account: AdsAccount): ProfileAds => {
    const call = bindAccount(door, account)
    const campaigns = createCollection(call, resource.campaigns)
    return {
      campaigns,
      adGroups: createCollection(call, resource.adGroups),
      productAds: createCollection(call, resource.productAds),
      keywords: createCollection(call, resource.keywords),
      negativeKeywords: createCollection(call, resource.negativeKeywords),
      campaignNegativeKeywords: createCollection(call, resource.campaignNegativeKeywords),
      targets: createCollection(call, resource.targets),
      negativeTargets: createCollection(call, resource.negativeTargets),
      campaignNegativeTargets: createCollection(call, resource.campaignNegativeTargets),
      findCampaigns: async name => {
        const found = await campaigns.all({ name, states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
        // The marketplace's filter ignores case.
        return found.filter(campaign => campaign.name === name)
      },
      brands: createBrands(call),
      display: createDisplay(call),
      portfolios: createPortfolios(call),
      advice: createAdvice(call),
      reports: createReports(call, http, baseUrls[account.region]),
      exports: createExports(call, http, baseUrls[account.region]),
      history: createHistory(call),
      subscriptions: createSubscriptions(call),
    }
  }
  return {
    listProfiles: (connectionId, region) => listProfiles(bindAccount(door, { connectionId, region }), region),
    forProfile: open,
    stream: queue ? createStreamQueue(http, queue) : null,
  }
}
