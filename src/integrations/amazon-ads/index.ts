import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { AccessTokens } from '#server/http-client/access-tokens.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import type { Rate, TokenBuckets } from '#server/http-client/token-buckets.ts'
import { type Advice, createAdvice } from './advice/advice.ts'
import { type AdsAccount, type AdsCallNote, type AdsDoor, bindAccount } from './client.ts'
import { createCollection, type Collection } from './entities/collection.ts'
import {
  type BrandClauseFilter,
  createBrandTargets,
  createListedCollection,
  type ManagedCollection,
  type OlderFilter,
} from './entities/older-collections.ts'
import { portfolios } from './entities/portfolios.ts'
import type { EntityOf, NewOf, WireEntity } from './entities/wire-fields.ts'
import { brandKeywords, brandTargets, sponsoredDisplay } from './entities/older-wire-table.ts'
import { sponsoredBrands, sponsoredProducts } from './entities/wire-table.ts'
import { createExports, type Exports } from './exports/exports.ts'
import { createHistory, type History } from './history/history.ts'
import { listProfiles, type Profile } from './profiles.ts'
import { createReports, type Reports } from './reports/reports.ts'
import { createRules, type Rules } from './rules.ts'
import { createStreamQueue, type QueueOptions, type StreamQueue } from './stream/queue.ts'
import { createSubscriptions, type Subscriptions } from './stream/subscriptions.ts'

export type { BidAdvice, BidSubject, Eligibility, KeywordAdvice, ProductFacts } from './advice/answers.ts'
export type { AdsCallNote } from './client.ts'
export type { Bidding } from './entities/bidding.ts'
export type { DisplayPredicate, Predicate } from './entities/clauses.ts'
export { type ItemOutcome, MAX_BATCH } from './entities/outcome.ts'
export type { EntityState } from './entities/wire-fields.ts'
export type { ExportedRow } from './exports/exports.ts'
export type { Profile } from './profiles.ts'
export { keptDays, type ReportKind } from './reports/kinds.ts'
export type { Reports } from './reports/reports.ts'
export type { PerformanceRow } from './reports/report-file.ts'
export type { CampaignRule } from './rules.ts'
export type { StreamDataset, StreamRecord } from './stream/records.ts'

type Products = typeof sponsoredProducts
export type Campaign = EntityOf<Products['campaigns']>
export type NewCampaign = NewOf<Products['campaigns']>
export type AdGroup = EntityOf<Products['adGroups']>
export type ProductAd = EntityOf<Products['productAds']>
export type Keyword = EntityOf<Products['keywords']>
export type NewKeyword = NewOf<Products['keywords']>
export type NegativeKeyword = EntityOf<Products['negativeKeywords']>
export type Target = EntityOf<Products['targets']>
export type NegativeTarget = EntityOf<Products['negativeTargets']>
export type BrandAd = EntityOf<(typeof sponsoredBrands)['ads']>

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
  /** Where its quotas are counted; by default here. */
  buckets?: TokenBuckets
  /** Absent: the stream is not used. */
  queue?: QueueOptions
}

type ProductCollections = { [N in keyof Products]: Collection<Products[N]> }
type Managed<T extends Record<string, WireEntity>, Filter = OlderFilter> = {
  [N in keyof T]: ManagedCollection<T[N], Filter>
}

/** Everything of one advertising account. Amounts are micro-units of its currency, ids are text, days are yyyy-MM-dd. */
export type ProfileAds = ProductCollections & {
  /**
   * Campaigns with exactly this name, the archived too: the look-up after an unknown outcome. A campaign just made may
   * be missing from lists for a while, so an empty answer proves nothing before two minutes have passed.
   */
  findCampaigns(name: string): Promise<Campaign[]>
  brands: { [N in keyof typeof sponsoredBrands]: Omit<Collection<(typeof sponsoredBrands)[N]>, 'create'> } & Managed<
    typeof brandKeywords & typeof brandTargets,
    BrandClauseFilter
  >
  display: Managed<typeof sponsoredDisplay>
  portfolios: Omit<Collection<typeof portfolios>, 'archive'>
  advice: Advice
  reports: Reports
  exports: Exports
  history: History
  rules: Rules
  subscriptions: Subscriptions
}

// The types by name are the caller's to say: a mapped function would need a type function as its argument.
function openEach<E>(table: Readonly<Record<string, E>>, open: (entity: E) => unknown): object {
  return Object.fromEntries(Object.entries(table).map(([name, entity]) => [name, open(entity)]))
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
    ...(options.buckets && { buckets: options.buckets }),
  })
  const door: AdsDoor = { http, baseUrls, clientId, tokens, rate: options.rate ?? { rate: 10, burst: 20 } }
  const open = (account: AdsAccount): ProfileAds => {
    const call = bindAccount(door, account)
    const products = openEach(sponsoredProducts, entity => createCollection(call, entity)) as ProductCollections
    return {
      ...products,
      findCampaigns: async name => {
        const found = await products.campaigns.all({ name, states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
        // The marketplace's filter ignores case.
        return found.filter(campaign => campaign.name === name)
      },
      brands: {
        ...openEach(sponsoredBrands, entity => createCollection(call, entity)),
        ...openEach(brandKeywords, entity => createListedCollection(call, entity)),
        ...openEach(brandTargets, entity => createBrandTargets(call, entity)),
      } as ProfileAds['brands'],
      display: openEach(sponsoredDisplay, entity => createListedCollection(call, entity)) as ProfileAds['display'],
      portfolios: createCollection(call, portfolios),
      advice: createAdvice(call),
      reports: createReports(call, http, baseUrls[account.region]),
      exports: createExports(call, http, baseUrls[account.region]),
      history: createHistory(call),
      rules: createRules(call),
      subscriptions: createSubscriptions(call),
    }
  }
  return {
    listProfiles: (connectionId, region) => listProfiles(bindAccount(door, { connectionId, region }), region),
    forProfile: open,
    stream: queue ? createStreamQueue(http, queue) : null,
  }
}
