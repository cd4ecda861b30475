import type { z } from 'zod'
import { fromMicros, type Micros } from '#shared/money.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { SellerAccount, SellerCall } from './client.ts'
import * as wire from './wire.ts'

/** What a fee depends on; the price is in micros of the currency. */
interface FeesQuestion {
  id: { sku: string } | { asin: string }
  marketplaceId: string
  priceMicros: Micros
  currency: string
  fulfilledByAmazon: boolean
}

const LISTING_PARTS = ['summaries', 'offers', 'fulfillmentAvailability', 'issues']

/** The items of each page until one names no next. */
async function* pages<T>(
  read: (token: string | undefined) => Promise<{ items: T[]; nextToken: string | undefined }>,
): AsyncGenerator<T[], void, undefined> {
  let token: string | undefined
  do {
    const { items, nextToken } = await read(token)
    yield items
    token = nextToken
  } while (token)
}

export function createSellerData(call: SellerCall, account: SellerAccount) {
  const listings = `/listings/2021-08-01/items/${encodeURIComponent(account.sellerId)}`
  return {
    /** The marketplaces that the seller sells in, in this region. */
    participations: () =>
      call({
        operation: 'getMarketplaceParticipations',
        path: '/sellers/v1/marketplaceParticipations',
        schema: wire.participations,
      }),

    /** Stock in the marketplace's warehouses, page by page; only what changed since then, if set. */
    inventory: (marketplaceId: string, changedSince?: Date) =>
      pages(nextToken =>
        call({
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
          schema: wire.inventory,
        }),
      ),

    /** Listings of one marketplace, page by page (20). The vendor ends such a list after 1000: use the report for more. */
    listings: (marketplaceId: string) =>
      pages(pageToken =>
        call({
          operation: 'searchListingsItems',
          path: listings,
          query: { marketplaceIds: marketplaceId, includedData: LISTING_PARTS, pageSize: '20', pageToken },
          schema: wire.listingsIn(marketplaceId),
        }),
      ),

    /** One listing; null when the sku is not listed in that marketplace. */
    listing: (sku: string, marketplaceId: string) =>
      call({
        operation: 'getListingsItem',
        path: `${listings}/${encodeURIComponent(sku)}`,
        query: { marketplaceIds: marketplaceId, includedData: LISTING_PARTS },
        schema: wire.listingIn(marketplaceId),
      }).catch((error: unknown) => {
        if (error instanceof UpstreamRejected && error.status === 404) return null
        throw error
      }),

    /** The catalogue's facts about products, by asin; unknown ones are missing. */
    async catalogItems(asins: readonly string[], marketplaceId: string) {
      const items: wire.CatalogItem[] = []
      for (let at = 0; at < asins.length; at += 20)
        items.push(
          ...(await call({
            operation: 'searchCatalogItems',
            path: '/catalog/2022-04-01/items',
            query: {
              identifiers: asins.slice(at, at + 20),
              identifiersType: 'ASIN',
              marketplaceIds: marketplaceId,
              includedData: ['summaries', 'images', 'salesRanks'],
              pageSize: '20',
            },
            schema: wire.catalogIn(marketplaceId),
          })),
        )
      return items
    },

    /** All sales, advertised or not. The interval is two ISO moments with offset; days and longer need their time zone. */
    orderMetrics: (question: {
      marketplaceId: string
      from: string
      to: string
      granularity: 'Hour' | 'Day' | 'Week' | 'Month' | 'Year' | 'Total'
      timezone?: string
    }) =>
      call({
        operation: 'getOrderMetrics',
        path: '/sales/v1/orderMetrics',
        query: {
          marketplaceIds: question.marketplaceId,
          interval: `${question.from}--${question.to}`,
          granularity: question.granularity,
          granularityTimeZone: question.timezone,
        },
        schema: wire.orderMetrics,
      }),

    /** Fees of a sale at a price, in the order of the questions. */
    async feesEstimates(questions: readonly FeesQuestion[]) {
      const estimates: z.output<ReturnType<typeof wire.feesFor>> = []
      for (let at = 0; at < questions.length; at += 20) {
        const batch = questions.slice(at, at + 20)
        estimates.push(
          ...(await call({
            operation: 'getMyFeesEstimates',
            method: 'POST',
            path: '/products/fees/v0/feesEstimate',
            body: batch.map(toFeesRequest),
            schema: wire.feesFor(batch.length),
          })),
        )
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
