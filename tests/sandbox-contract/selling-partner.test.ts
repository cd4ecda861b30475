import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Product } from '#sandbox/core/model.ts'
import { checkOf, checkOfFile, describedBy, emulated, modelsFolder, unlessAbsent } from './models.ts'
import { at, listAt, openSellingPartner, type SellingPartnerWorld, textAt } from './selling-partner-world.ts'

const accounts = [
  { host: '/sp/na', sellerId: 'A1HARBORLANEUS', marketplaceId: 'ATVPDKIKX0DER', timezone: 'America/Los_Angeles' },
  { host: '/sp/eu', sellerId: 'A2NORDHAFENDE1', marketplaceId: 'A1PA6795UKMFR9', timezone: 'Europe/Paris' },
  { host: '/sp/fe', sellerId: 'A3MINATOSHOJI1', marketplaceId: 'A1VC38T7YXB528', timezone: 'Asia/Tokyo' },
]
const HOUR = 3_600_000

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
// An hour fills every bucket of the usage plans again.
beforeEach(() => sp.world.clock.advance(HOUR))
afterAll(() => sp.close())

interface Question {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
interface Answer {
  status: number
  body: unknown
}
const judged = new Set<string>()

describe.skipIf(!modelsFolder).each(accounts)(
  `every answer to $sellerId is what the models describe${unlessAbsent}`,
  ({ host, sellerId, marketplaceId, timezone }) => {
    const token = (): string => sp.tokenFor('agency@sandbox.test', sellerId)
    const product = (): Product =>
      [...sp.world.books.products.values()].find(
        one => one.sellerId === sellerId && one.marketplaceId === marketplaceId,
      ) ?? expect.unreachable()
    /** Asks as the model writes the operation, and holds the answer against it. */
    const ask = async (operationId: string, question: Question = {}, key = token()): Promise<Answer> => {
      const { method, path } = describedBy(operationId)
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(question.path?.[name] ?? ''))
      const answer = await sp.call(
        method,
        `${host}${filled}?${new URLSearchParams(question.query)}`,
        key,
        question.body,
      )
      const check = checkOf(operationId, answer.status)
      if (check) check(answer.body)
      else expect(answer.body).toBeNull()
      expect(check?.errors ?? [], `${operationId} ${answer.status}`).toEqual([])
      judged.add(operationId)
      return answer
    }
    const marketplaceIds = marketplaceId

    test('who sells where', async () => {
      expect(await ask('getMarketplaceParticipations')).toMatchObject({ status: 200 })
      const { body } = await ask('getAccount')
      expect(textAt(body, 'payload', 'marketplaceParticipationList', 0, 'marketplace', 'id')).toBe(marketplaceId)
    })

    test('stock', async () => {
      const query = { granularityType: 'Marketplace', granularityId: marketplaceId, marketplaceIds, details: 'true' }
      const all = await ask('getInventorySummaries', { query })
      expect(listAt(all.body, 'payload', 'inventorySummaries').length).toBeGreaterThan(5)
      const wrong = await ask('getInventorySummaries', { query: { ...query, granularityType: 'Country' } })
      expect(wrong.status).toBe(400)
    })

    test('listings, read', async () => {
      const includedData = 'summaries,attributes,issues,offers,fulfillmentAvailability,relationships,productTypes'
      const query = { marketplaceIds, includedData }
      const all = await ask('searchListingsItems', { path: { sellerId }, query: { ...query, pageSize: '20' } })
      expect(at(all.body, 'items')).toHaveLength(20)
      const one = await ask('getListingsItem', { path: { sellerId, sku: product().sku }, query })
      expect(textAt(one.body, 'summaries', 0, 'asin')).toBe(product().asin)
      expect((await ask('getListingsItem', { path: { sellerId, sku: 'none' }, query })).status).toBe(404)
      const nonsense = { ...query, includedData: 'everything' }
      expect((await ask('searchListingsItems', { path: { sellerId }, query: nonsense })).status).toBe(400)
    })

    test('listings, changed', async () => {
      const place = { path: { sellerId, sku: product().sku }, query: { marketplaceIds } }
      const preview = {
        path: place.path,
        query: { marketplaceIds, mode: 'VALIDATION_PREVIEW', includedData: 'identifiers,issues' },
      }
      const value = [{ value: 'A new name', marketplace_id: marketplaceId }]
      const patches = [{ op: 'replace', path: '/attributes/item_name', value }]
      const body = { productType: 'PRODUCT', patches }
      const asked = await ask('patchListingsItem', { ...preview, body })
      expect(asked.body).toMatchObject({ status: 'VALID', identifiers: [{ asin: product().asin }] })
      expect(at((await ask('patchListingsItem', { ...place, body })).body, 'status')).toBe('ACCEPTED')
      expect((await ask('patchListingsItem', { ...place, body: { patches } })).status).toBe(400)
      const put = { productType: 'PRODUCT', attributes: { fake_attribute: [{ value: 1 }] } }
      expect((await ask('putListingsItem', { ...preview, body: put })).body).toMatchObject({ status: 'INVALID' })
      expect((await ask('putListingsItem', { ...place, body: [] })).status).toBe(400)
      const doomed = [...sp.world.books.products.values()].filter(one => one.sellerId === sellerId).at(-1)
      const gone = { sellerId, sku: doomed?.sku ?? '' }
      const deleted = await ask('deleteListingsItem', {
        path: gone,
        query: { marketplaceIds: doomed?.marketplaceId ?? '' },
      })
      expect(at(deleted.body, 'status')).toBe('ACCEPTED')
    })

    test('the catalogue', async () => {
      const includedData =
        'attributes,classifications,dimensions,identifiers,images,productTypes,relationships,salesRanks,summaries'
      const query = { marketplaceIds, includedData }
      const search = { ...query, identifiersType: 'ASIN', identifiers: product().asin }
      expect(at((await ask('searchCatalogItems', { query: search })).body, 'numberOfResults')).toBe(1)
      expect((await ask('searchCatalogItems', { query })).status).toBe(400)
      expect((await ask('getCatalogItem', { path: { asin: product().asin }, query })).status).toBe(200)
      sp.world.clock.advance(HOUR)
      expect((await ask('getCatalogItem', { path: { asin: 'B000000000' }, query })).status).toBe(404)
    })

    test('what the marketplace would keep', async () => {
      const FeesEstimateRequest = {
        MarketplaceId: marketplaceId,
        IsAmazonFulfilled: true,
        PriceToEstimateFees: { ListingPrice: { CurrencyCode: 'USD', Amount: 20 } },
        Identifier: 'one',
      }
      const { asin: Asin, sku: SellerSKU } = product()
      const single = { path: { Asin, SellerSKU }, body: { FeesEstimateRequest } }
      expect((await ask('getMyFeesEstimateForASIN', single)).status).toBe(200)
      expect((await ask('getMyFeesEstimateForSKU', single)).status).toBe(200)
      expect((await ask('getMyFeesEstimateForSKU', { path: { SellerSKU }, body: {} })).status).toBe(400)
      const many = [Asin, 'B000000000'].map(IdValue => ({ FeesEstimateRequest, IdType: 'ASIN', IdValue }))
      const { body } = await ask('getMyFeesEstimates', { body: many })
      expect(listAt(body).map(one => at(one, 'Status'))).toEqual(['Success', 'ClientError'])
    })

    test('prices beside rivals’', async () => {
      const uri = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'
      const wanted = [product().sku, 'none'].map(sku => ({ marketplaceId, sku, method: 'GET', uri }))
      const { body } = await ask('getFeaturedOfferExpectedPriceBatch', { body: { requests: wanted } })
      expect(listAt(body, 'responses').map(one => at(one, 'status', 'statusCode'))).toEqual([200, 400])
      const summary = '/products/pricing/2022-05-01/items/competitiveSummary'
      const request = {
        asin: product().asin,
        marketplaceId,
        includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'],
        lowestPricedOffersInputs: [{ itemCondition: 'New', offerType: 'Consumer' }],
        uri: summary,
        method: 'GET',
      }
      expect((await ask('getCompetitiveSummary', { body: { requests: [request] } })).status).toBe(200)
      sp.world.clock.advance(HOUR)
      const unknown = { ...request, asin: 'B000000000' }
      expect((await ask('getCompetitiveSummary', { body: { requests: [unknown] } })).status).toBe(400)
    })

    test('sales and single orders', async () => {
      const offset = { 'America/Los_Angeles': '-08:00', 'Europe/Paris': '+01:00', 'Asia/Tokyo': '+09:00' }[timezone]
      const interval = `2026-11-10T00:00:00${offset}--2026-11-13T00:00:00${offset}`
      const query = { marketplaceIds, interval, granularity: 'Day', granularityTimeZone: timezone }
      const metrics = await ask('getOrderMetrics', { query })
      expect(at(metrics.body, 'payload')).toHaveLength(3)
      expect((await ask('getOrderMetrics', { query: { ...query, granularity: 'Fortnight' } })).status).toBe(400)
      const includedData =
        'BUYER,RECIPIENT,PROCEEDS,EXPENSE,PROMOTION,CANCELLATION,FULFILLMENT,PACKAGES,TAX,PAYMENT,FULFILLMENT_ORDERS'
      const window = {
        createdAfter: `2026-11-10T00:00:00${offset}`,
        createdBefore: `2026-11-12T23:59:59${offset}`,
        marketplaceIds,
      }
      const { body } = await ask('searchOrders', { query: { ...window, includedData } })
      expect(listAt(body, 'orders').length).toBeGreaterThan(0)
      const orderId = textAt(body, 'orders', 0, 'orderId')
      expect(
        textAt((await ask('getOrder', { path: { orderId }, query: { includedData } })).body, 'order', 'orderId'),
      ).toBe(orderId)
      expect((await ask('getOrder', { path: { orderId: '111-0000000-0000000' } })).status).toBe(404)
      expect((await ask('searchOrders', {})).status).toBe(400)
      const resource = { method: 'GET', path: '/orders/2026-01-01/orders' }
      const rdt = await ask('createRestrictedDataToken', { body: { restrictedResources: [resource] } })
      expect(rdt.body).toMatchObject({ expiresIn: 3600 })
      const shown = await ask(
        'searchOrders',
        { query: { ...window, includedData } },
        textAt(rdt.body, 'restrictedDataToken'),
      )
      expect(at(shown.body, 'orders', 0, 'buyer', 'buyerName')).toBeTruthy()
      expect((await ask('createRestrictedDataToken', { body: {} })).status).toBe(400)
    })

    test('a report from its order to its file', async () => {
      const reportType = 'GET_SALES_AND_TRAFFIC_REPORT'
      const order = {
        reportType,
        marketplaceIds: [marketplaceId],
        dataStartTime: '2026-11-01T12:00:00Z',
        dataEndTime: '2026-11-07T12:00:00Z',
        reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      }
      const created = await ask('createReport', { body: order })
      expect(created.status).toBe(202)
      const reportId = textAt(created.body, 'reportId')
      expect(at((await ask('getReport', { path: { reportId } })).body, 'processingStatus')).toBe('IN_QUEUE')
      sp.world.clock.advance(10_000)
      expect(
        listAt((await ask('getReports', { query: { reportTypes: reportType } })).body, 'reports').length,
      ).toBeGreaterThan(0)
      expect((await ask('getReports')).status).toBe(400)
      const done = await ask('getReport', { path: { reportId } })
      const reportDocumentId = textAt(done.body, 'reportDocumentId')
      const document = await ask('getReportDocument', { path: { reportDocumentId } })
      expect(at(document.body, 'compressionAlgorithm')).toBe('GZIP')
      const file = await sp.app.inject(textAt(document.body, 'url').replace('http://sandbox.test', ''))
      const rows = JSON.parse(gunzipSync(file.rawPayload).toString()) as { salesAndTrafficByDate: unknown[] }
      expect(rows.salesAndTrafficByDate).toHaveLength(7)
      const check = checkOfFile('reports/sellerSalesAndTrafficReport.json')
      check?.(rows)
      expect(check?.errors ?? []).toEqual([])
      expect((await ask('cancelReport', { path: { reportId } })).status).toBe(400)
      expect(
        (await ask('createReport', { body: { ...order, reportOptions: { dateGranularity: 'HOUR' } } })).status,
      ).toBe(400)
    })

    test('a schedule and its reports', async () => {
      const reportType = 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'
      const body = { reportType, marketplaceIds: [marketplaceId], period: 'PT8H' }
      const created = await ask('createReportSchedule', { body })
      expect(created.status).toBe(201)
      const reportScheduleId = textAt(created.body, 'reportScheduleId')
      sp.world.clock.advance(17 * HOUR)
      const { body: listed } = await ask('getReports', { query: { reportTypes: reportType } })
      expect(at(listed, 'reports')).toHaveLength(3)
      expect(at(listed, 'reports', 0, 'reportScheduleId')).toBe(reportScheduleId)
      expect(
        at((await ask('getReportSchedules', { query: { reportTypes: reportType } })).body, 'reportSchedules'),
      ).toHaveLength(1)
      expect(at((await ask('getReportSchedule', { path: { reportScheduleId } })).body, 'period')).toBe('PT8H')
      expect((await ask('cancelReportSchedule', { path: { reportScheduleId } })).status).toBe(200)
      expect((await ask('getReportSchedule', { path: { reportScheduleId } })).status).toBe(404)
      expect((await ask('createReportSchedule', { body: { ...body, period: 'P4D' } })).status).toBe(400)
    })

    test('a feed from its file to what came of it', async () => {
      const place = await ask('createFeedDocument', { body: { contentType: 'application/json; charset=UTF-8' } })
      expect((await ask('createFeedDocument', { body: {} })).status).toBe(400)
      const value = [{ value: 'Fed', marketplace_id: marketplaceId }]
      const file = {
        header: {
          sellerId,
          version: '2.0',
          report: { includedData: ['summaries', 'issues'], apiVersion: '2021-08-01' },
        },
        messages: [
          {
            messageId: 1,
            sku: product().sku,
            operationType: 'PARTIAL_UPDATE',
            productType: 'PRODUCT',
            attributes: { item_name: value },
          },
          { messageId: 2, sku: 'none', operationType: 'DELETE' },
        ],
      }
      const uploaded = await sp.app.inject({
        method: 'PUT',
        url: textAt(place.body, 'url').replace('http://sandbox.test', ''),
        headers: { 'content-type': 'application/json; charset=UTF-8' },
        payload: gzipSync(JSON.stringify(file)),
      })
      expect(uploaded.statusCode).toBe(200)
      const inputFeedDocumentId = textAt(place.body, 'feedDocumentId')
      const order = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [marketplaceId], inputFeedDocumentId }
      const created = await ask('createFeed', { body: order })
      expect((await ask('createFeed', { body: { ...order, inputFeedDocumentId: 'none' } })).status).toBe(400)
      const feedId = textAt(created.body, 'feedId')
      sp.world.clock.advance(10_000)
      expect(at((await ask('getFeeds', { query: { feedTypes: order.feedType } })).body, 'feeds')).toHaveLength(1)
      const done = await ask('getFeed', { path: { feedId } })
      expect(at(done.body, 'processingStatus')).toBe('DONE')
      const document = await ask('getFeedDocument', {
        path: { feedDocumentId: textAt(done.body, 'resultFeedDocumentId') },
      })
      const result = await sp.app.inject(textAt(document.body, 'url').replace('http://sandbox.test', ''))
      const report = JSON.parse(gunzipSync(result.rawPayload).toString()) as Record<string, unknown>
      expect(report).toMatchObject({ summary: { messagesAccepted: 1, messagesInvalid: 1 } })
      const check = checkOfFile('feeds/listings-feed-processing-report-schema-v2.json')
      check?.(report)
      expect(check?.errors ?? []).toEqual([])
      expect(product().title).toBe('Fed')
      expect((await ask('cancelFeed', { path: { feedId } })).status).toBe(400)
    })

    test('refused without a token, whatever is asked', async () => {
      for (const operationId of emulated) {
        const path = Object.fromEntries(
          [...describedBy(operationId).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'any']),
        )
        const answer = await ask(operationId, { path }, 'nonsense')
        expect({ operationId, status: answer.status }).toEqual({ operationId, status: 403 })
      }
    })

    test('and every operation was judged', () => {
      expect([...judged].sort()).toEqual([...emulated].sort())
    })
  },
)
