import { fromMicros } from '#shared/money.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { SellerAccount, SellerCall } from './client.ts'
import {
  fromCatalogItem,
  fromFees,
  fromInventory,
  fromListing,
  fromOrderMetrics,
  fromParticipations,
} from './mapper.ts'
import type {
  CatalogItem,
  FeesEstimate,
  FeesQuestion,
  InventorySummary,
  Listing,
  OrderMetrics,
  Participation,
} from './vocabulary.ts'
import * as wire from './wire.ts'

export interface SellerData {
  /** The marketplaces that the seller sells in, in this region. */
  participations(): Promise<Participation[]>
  /** Stock in the marketplace's warehouses, page by page; only what changed since then, if set. */
  inventory(marketplaceId: string, changedSince?: Date): AsyncGenerator<InventorySummary[], void, undefined>
  /** Listings of one marketplace, page by page (20). The vendor ends such a list after 1000: use the report for more. */
  listings(marketplaceId: string): AsyncGenerator<Listing[], void, undefined>
  /** One listing; null when the sku is not listed in that marketplace. */
  listing(sku: string, marketplaceId: string): Promise<Listing | null>
  /** The catalogue's facts about products, by asin; unknown ones are missing. */
  catalogItems(asins: readonly string[], marketplaceId: string): Promise<CatalogItem[]>
  /** All sales, advertised or not. The interval is two ISO moments with offset. */
  orderMetrics(question: {
    marketplaceId: string
    from: string
    to: string
    granularity: 'Hour' | 'Day' | 'Week' | 'Month' | 'Year' | 'Total'
    /** Required for days and longer periods: the time zone of their midnight. */
    timezone?: string
  }): Promise<OrderMetrics[]>
  /** Fees of a sale at a price, in the order of the questions. */
  feesEstimates(questions: readonly FeesQuestion[]): Promise<FeesEstimate[]>
}

const LISTING_PARTS = ['summaries', 'offers', 'fulfillmentAvailability', 'issues']

export function createSellerData(call: SellerCall, { sellerId }: SellerAccount): SellerData {
  return {
    participations: async () =>
      fromParticipations(
        await call({
          operation: 'getMarketplaceParticipations',
          path: '/sellers/v1/marketplaceParticipations',
          schema: wire.participationsWire,
        }),
      ),

    async *inventory(marketplaceId, changedSince) {
      let nextToken: string | undefined
      do {
        const reply = await call({
          operation: 'getInventorySummaries',
          path: '/fba/inventory/v1/summaries',
          query: {
            details: 'true',
            granularityType: 'Marketplace',
            granularityId: marketplaceId,
            marketplaceIds: marketplaceId,
            startDateTime: changedSince?.toISOString(),
            nextToken,
          },
          schema: wire.inventoryWire,
        })
        yield fromInventory(reply)
        nextToken = reply.pagination?.nextToken || undefined
      } while (nextToken)
    },

    async *listings(marketplaceId) {
      let pageToken: string | undefined
      do {
        const reply = await call({
          operation: 'searchListingsItems',
          path: `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}`,
          query: { marketplaceIds: marketplaceId, includedData: LISTING_PARTS, pageSize: '20', pageToken },
          schema: wire.listingsWire,
        })
        yield reply.items.map(item => fromListing(item, marketplaceId)).filter(item => item !== null)
        pageToken = reply.pagination?.nextToken || undefined
      } while (pageToken)
    },

    listing: async (sku, marketplaceId) => {
      try {
        const reply = await call({
          operation: 'getListingsItem',
          path: `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}`,
          query: { marketplaceIds: marketplaceId, includedData: LISTING_PARTS },
          schema: wire.listingWire,
        })
        return fromListing(reply, marketplaceId)
      } catch (error) {
        if (error instanceof UpstreamRejected && error.status === 404) return null
        throw error
      }
    },

    catalogItems: async (asins, marketplaceId) => {
      const items: CatalogItem[] = []
      for (let at = 0; at < asins.length; at += 20) {
        const reply = await call({
          operation: 'searchCatalogItems',
          path: '/catalog/2022-04-01/items',
          query: {
            identifiers: asins.slice(at, at + 20),
            identifiersType: 'ASIN',
            marketplaceIds: marketplaceId,
            includedData: ['summaries', 'images', 'salesRanks'],
            pageSize: '20',
          },
          schema: wire.catalogWire,
        })
        items.push(...reply.items.map(item => fromCatalogItem(item, marketplaceId)))
      }
      return items
    },

    orderMetrics: async ({ marketplaceId, from, to, granularity, timezone }) =>
      fromOrderMetrics(
        await call({
          operation: 'getOrderMetrics',
          path: '/sales/v1/orderMetrics',
          query: {
            marketplaceIds: marketplaceId,
            interval: `${from}--${to}`,
            granularity,
            granularityTimeZone: timezone,
          },
          schema: wire.orderMetricsWire,
        }),
      ),

    feesEstimates: async questions => {
      const estimates: FeesEstimate[] = []
      for (let at = 0; at < questions.length; at += 20) {
        const batch = questions.slice(at, at + 20)
        const reply = await call({
          operation: 'getMyFeesEstimates',
          method: 'POST',
          path: '/products/fees/v0/feesEstimate',
          body: batch.map(toFeesRequest),
          schema: wire.feesWire,
        })
        estimates.push(...fromFees(reply, batch.length))
      }
      return estimates
    },
  }
}

function toFeesRequest(question: FeesQuestion, index: number) {
  return {
    FeesEstimateRequest: {
      MarketplaceId: question.marketplaceId,
      IsAmazonFulfilled: question.fulfilledByAmazon,
      PriceToEstimateFees: {
        ListingPrice: { CurrencyCode: question.currency, Amount: fromMicros(question.priceMicros) },
      },
      Identifier: String(index),
    },
    IdType: 'sku' in question.id ? 'SellerSKU' : 'ASIN',
    IdValue: 'sku' in question.id ? question.id.sku : question.id.asin,
  }
}
