import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publishedExamples } from '#sandbox/selling-partner/published/published-examples.ts'
import { checkOf, checkOfFile, modelsFolder, operations, routeOf, unlessAbsent } from './models.ts'
import { openSellingPartner, type SellingPartnerWorld } from './selling-partner-world.ts'

const US = 'ATVPDKIKX0DER'
const accounts = [
  { host: '/sp/na', sellerId: 'A1HARBORLANEUS', marketplaceId: US },
  { host: '/sp/eu', sellerId: 'A2NORDHAFENDE1', marketplaceId: 'A1PA6795UKMFR9' },
  { host: '/sp/fe', sellerId: 'A3MINATOSHOJI1', marketplaceId: 'A1VC38T7YXB528' },
]

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
// An hour fills every bucket of the usage plans again.
beforeEach(() => sp.world.clock.advance(3_600_000))
afterAll(() => sp.close())

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'any')

const expectValid = (operationId: string, { status, body }: { status: number; body: unknown }): void => {
  const check = checkOf(operationId, status)
  check(body)
  expect(check.errors ?? [], `${operationId} ${status}`).toEqual([])
}

describe.skipIf(!modelsFolder).each(accounts)(
  `answers to $sellerId are what the models describe${unlessAbsent}`,
  ({ host, sellerId, marketplaceId }) => {
    const token = (): string => sp.tokenFor('agency@sandbox.test', sellerId)
    const product = (): { sku: string; asin: string } =>
      [...sp.world.books.products.values()].find(
        one => one.sellerId === sellerId && one.marketplaceId === marketplaceId,
      ) ?? expect.unreachable()
    const everything = 'summaries,attributes,issues,offers,fulfillmentAvailability,relationships,productTypes'
    const gets: Record<string, () => string> = {
      getMarketplaceParticipations: () => '/sellers/v1/marketplaceParticipations',
      getInventorySummaries: () =>
        `/fba/inventory/v1/summaries?details=true&granularityType=Marketplace&granularityId=${marketplaceId}&marketplaceIds=${marketplaceId}`,
      searchListingsItems: () =>
        `/listings/2021-08-01/items/${sellerId}?marketplaceIds=${marketplaceId}&includedData=${everything}`,
      getListingsItem: () =>
        `/listings/2021-08-01/items/${sellerId}/${encodeURIComponent(product().sku)}?marketplaceIds=${marketplaceId}&includedData=${everything}`,
      searchCatalogItems: () =>
        `/catalog/2022-04-01/items?marketplaceIds=${marketplaceId}&identifiersType=ASIN&identifiers=${product().asin}&includedData=summaries,images,classifications,salesRanks,identifiers,relationships`,
      getCatalogItem: () =>
        `/catalog/2022-04-01/items/${product().asin}?marketplaceIds=${marketplaceId}&includedData=summaries,images,salesRanks`,
      getOrderMetrics: () =>
        `/sales/v1/orderMetrics?marketplaceIds=${marketplaceId}&interval=2026-11-01T00:00-07:00--2026-11-08T00:00-08:00&granularity=Day`,
      getReports: () => '/reports/2021-06-30/reports?reportTypes=GET_SALES_AND_TRAFFIC_REPORT',
    }

    test.each(Object.keys(gets))('%s', async operationId => {
      const answer = await sp.call('GET', host + gets[operationId]?.(), token())
      expect(answer.status).toBe(200)
      expectValid(operationId, answer)
    })

    test.each(Object.keys(gets))('%s, refused without a token', async operationId => {
      const answer = await sp.call('GET', host + gets[operationId]?.(), 'nonsense')
      expect(answer.status).toBe(403)
      expectValid(operationId, answer)
    })

    test('fees of a product', async () => {
      const wanted = {
        MarketplaceId: marketplaceId,
        IsAmazonFulfilled: true,
        PriceToEstimateFees: { ListingPrice: { CurrencyCode: 'USD', Amount: 20 } },
        Identifier: 'one',
      }
      const single = await sp.call('POST', `${host}/products/fees/v0/items/${product().asin}/feesEstimate`, token(), {
        FeesEstimateRequest: wanted,
      })
      const many = await sp.call('POST', `${host}/products/fees/v0/feesEstimate`, token(), [
        { FeesEstimateRequest: wanted, IdType: 'ASIN', IdValue: product().asin },
      ])
      const bad = await sp.call('POST', `${host}/products/fees/v0/listings/x/feesEstimate`, token(), {})
      expect([single.status, many.status, bad.status]).toEqual([200, 200, 400])
      expectValid('getMyFeesEstimateForASIN', single)
      expectValid('getMyFeesEstimates', many)
      expectValid('getMyFeesEstimateForSKU', bad)
    })

    test('a report from its order to its file', async () => {
      const key = token()
      const order = {
        reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
        marketplaceIds: [marketplaceId],
        dataStartTime: '2026-11-01T12:00:00Z',
        dataEndTime: '2026-11-07T12:00:00Z',
        reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      }
      const created = await sp.call('POST', `${host}/reports/2021-06-30/reports`, key, order)
      expectValid('createReport', created)
      const { reportId } = created.body as { reportId: string }
      const waiting = await sp.call('GET', `${host}/reports/2021-06-30/reports/${reportId}`, key)
      expectValid('getReport', waiting)
      expect(waiting.body).toMatchObject({ processingStatus: 'IN_QUEUE' })
      sp.world.clock.advance(10_000)
      const done = await sp.call('GET', `${host}/reports/2021-06-30/reports/${reportId}`, key)
      expectValid('getReport', done)
      const { reportDocumentId } = done.body as { reportDocumentId: string }
      const document = await sp.call('GET', `${host}/reports/2021-06-30/documents/${reportDocumentId}`, key)
      expectValid('getReportDocument', document)
      const { url, compressionAlgorithm } = document.body as { url: string; compressionAlgorithm: string }
      expect(compressionAlgorithm).toBe('GZIP')
      const file = await sp.app.inject(url.replace('http://sandbox.test', ''))
      const rows = JSON.parse(gunzipSync(file.rawPayload).toString()) as { salesAndTrafficByDate: unknown[] }
      expect(rows.salesAndTrafficByDate).toHaveLength(7)
      const check = checkOfFile('sellerSalesAndTrafficReport.json')
      check?.(rows)
      expect(check?.errors ?? []).toEqual([])
    })
  },
)

describe.skipIf(!modelsFolder)(`the account of the published examples${unlessAbsent}`, () => {
  const examples = (publishedExamples() ?? []).filter(example => operations.includes(example.operationId))

  test('each published request gets its published answer, unchanged', async () => {
    let asked = 0
    for (const { operationId, parameters, response, status } of examples) {
      sp.world.clock.advance(3_600_000)
      const token = sp.tokenFor('published@sandbox.test', 'A0PUBLISHEDEX1')
      const { method, path } = routeOf(operationId)
      const values = Object.entries(parameters).flatMap(([name, { value }]): [string, unknown][] =>
        value === undefined ? [] : [[name, value]],
      )
      const inPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(textOf(parameters[name]?.value)),
      )
      const query = values
        .filter(([name]) => name !== 'body' && !path.includes(`{${name}}`))
        .map(([name, value]) => [name, [value].flat().join(',')])
      // An empty path parameter, and answers that no parameter tells apart, cannot be asked for.
      if (inPath.includes('//') || inPath.endsWith('/')) continue
      const url = `/sp/na${inPath}?${new URLSearchParams(Object.fromEntries(query) as Record<string, string>)}`
      const answer = await sp.call(method, url, token, values.find(([name]) => name === 'body')?.[1])
      expect({ operationId, status: answer.status, body: answer.body }).toEqual({ operationId, status, body: response })
      asked++
    }
    expect(asked).toBeGreaterThan(20)
  })

  test('a usual import finds what they hold, and no request goes round in circles', async () => {
    const token = sp.tokenFor('published@sandbox.test', 'A0PUBLISHEDEX1')
    const listings = `/sp/na/listings/2021-08-01/items/A0PUBLISHEDEX1?marketplaceIds=${US}&includedData=summaries,offers&pageSize=20`
    const first = await sp.call('GET', listings, token)
    const published = examples.find(example => example.operationId === 'searchListingsItems' && example.status === 200)
    expect(first.body).toEqual(published?.response)
    const { nextToken } = (first.body as { pagination: { nextToken: string } }).pagination
    const second = await sp.call('GET', `${listings}&pageToken=${nextToken}`, token)
    expect(second.body).toEqual({ numberOfResults: 3, items: [] })
    const stock = await sp.call(
      'GET',
      `/sp/na/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}`,
      token,
    )
    expect(stock.body).toMatchObject({ payload: { inventorySummaries: [] } })
    const report = await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, {
      reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
      marketplaceIds: [US],
    })
    expect(report).toMatchObject({ status: 202, body: { reportId: 'ID323' } })
    const unknown = await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
    })
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ message: 'Could not match input arguments' }] } })
  })
})
