import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Product } from '#sandbox/core/model/store.ts'
import { at, listAt, openSellingPartner, type SellingPartnerWorld, textAt } from './selling-partner-world.ts'

const US = 'ATVPDKIKX0DER'
const SELLER = 'A1HARBORLANEUS'

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
beforeEach(() => sp.world.clock.advance(3_600_000))
afterAll(() => sp.close())

const token = (): string => sp.tokenFor('agency@sandbox.test', SELLER)
async function get(path: string): Promise<unknown> {
  const { status, body } = await sp.call('GET', `/sp/na${path}`, token())
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const products = (): Product[] =>
  [...sp.world.store.products.values()].filter(one => one.sellerId === SELLER && one.marketplaceId === US)

describe('order metrics', () => {
  const metrics = async (granularity: string, more = ''): Promise<unknown[]> =>
    listAt(
      await get(
        `/sales/v1/orderMetrics?marketplaceIds=${US}&interval=2026-10-30T00:00:00-07:00--2026-11-06T00:00:00-08:00&granularity=${granularity}&granularityTimeZone=America/Los_Angeles${more}`,
      ),
      'payload',
    )
  const sumOf = (rows: unknown[], ...path: string[]): number =>
    Math.round(rows.reduce<number>((sum, row) => sum + Number(at(row, ...path)), 0) * 100)

  test('of hours, days, weeks and months add up to the whole, over the night when clocks go back', async () => {
    const [total, hours, days, weeks, sundays, months] = [
      await metrics('Total'),
      await metrics('Hour'),
      await metrics('Day'),
      await metrics('Week'),
      await metrics('Week', '&firstDayOfWeek=Sunday'),
      await metrics('Month'),
    ]
    expect([total, hours, days, weeks, sundays, months].map(rows => rows?.length)).toEqual([1, 169, 7, 2, 2, 2])
    expect(at(days[2], 'interval')).toBe('2026-11-01T00:00-07:00--2026-11-02T00:00-08:00')
    expect(at(weeks[1], 'interval')).toBe('2026-11-02T00:00-08:00--2026-11-06T00:00-08:00')
    expect(at(sundays[1], 'interval')).toBe('2026-11-01T00:00-07:00--2026-11-06T00:00-08:00')
    for (const path of [['unitCount'], ['orderCount'], ['totalSales', 'amount']]) {
      expect(sumOf(total, ...path)).toBeGreaterThan(0)
      for (const rows of [hours, days, weeks, sundays, months]) expect(sumOf(rows, ...path)).toBe(sumOf(total, ...path))
    }
  })

  test('are what the market counted, and what buyers of both types bought', async () => {
    const trade = sp.world.market().salesByDay(SELLER, US, '2026-10-30', '2026-11-05')
    expect(sumOf(await metrics('Total'), 'unitCount')).toBe(100 * trade.reduce((sum, day) => sum + day.units, 0))
    const [all, business, private_] = [
      await metrics('Total'),
      await metrics('Total', '&buyerType=B2B'),
      await metrics('Total', '&buyerType=B2C'),
    ]
    expect(sumOf(business, 'orderCount')).toBeGreaterThan(0)
    expect(sumOf(business, 'orderCount') + sumOf(private_, 'orderCount')).toBe(sumOf(all, 'orderCount'))
    expect(sumOf(await metrics('Total', '&fulfillmentNetwork=MFN'), 'orderCount')).toBe(0)
  })

  test.each([
    ['a day without its zone', '&granularity=Day'],
    ['a zone that is not the interval’s', '&granularity=Day&granularityTimeZone=Asia/Tokyo'],
    ['hours of long ago', '&granularity=Hour', '2026-08-01T00:00:00Z--2026-08-02T00:00:00Z'],
    ['a product named twice', '&granularity=Total&asin=B000000000&sku=x'],
  ])('are refused for %s', async (_, more, interval = '2026-11-01T00:00:00Z--2026-11-02T00:00:00Z') => {
    const url = `/sp/na/sales/v1/orderMetrics?marketplaceIds=${US}&interval=${interval}${more}`
    expect((await sp.call('GET', url, token())).status).toBe(400)
  })
})

describe('single orders', () => {
  test('are as many as the metrics count, page by page, each once, and always the same', async () => {
    const window = `createdAfter=2026-11-17T08:00:00Z&createdBefore=2026-11-18T07:59:59Z&marketplaceIds=${US}`
    const read = async (): Promise<unknown[]> => {
      const orders: unknown[] = []
      for (let next = ''; ; ) {
        const paging = next && `&paginationToken=${next}`
        const page = await get(`/orders/2026-01-01/orders?${window}&maxResultsPerPage=7&includedData=PROCEEDS${paging}`)
        orders.push(...listAt(page, 'orders'))
        if (at(page, 'pagination', 'nextToken') === undefined) return orders
        next = textAt(page, 'pagination', 'nextToken')
        sp.world.clock.advance(180_000)
      }
    }
    const first = await read()
    const [day] = listAt(
      await get(
        `/sales/v1/orderMetrics?marketplaceIds=${US}&interval=2026-11-17T08:00:00Z--2026-11-18T08:00:00Z&granularity=Total`,
      ),
      'payload',
    )
    expect(first).toHaveLength(at(day, 'orderCount') as number)
    const ids = first.map(order => textAt(order, 'orderId'))
    expect(new Set(ids).size).toBe(ids.length)
    const sales = first.reduce<number>((sum, order) => sum + Number(at(order, 'proceeds', 'grandTotal', 'amount')), 0)
    expect(sales).toBeCloseTo(Number(at(day, 'totalSales', 'amount')), 2)
    sp.world.clock.advance(86_400_000)
    expect((await read()).map(order => textAt(order, 'orderId'))).toEqual(ids)
  })

  test('get on with time: waiting, then packed, then sent', async () => {
    const now = sp.world.clock.now().getTime()
    const since = new Date(now - 3 * 86_400_000).toISOString()
    const orders = listAt(
      await get(`/orders/2026-01-01/orders?createdAfter=${since}&includedData=FULFILLMENT`),
      'orders',
    )
    const ages = orders.map(order => [
      at(order, 'fulfillment', 'fulfillmentStatus'),
      (now - Date.parse(textAt(order, 'createdTime'))) / 3_600_000,
    ])
    for (const [status, hours] of ages)
      expect(status).toBe(Number(hours) < 0.5 ? 'PENDING' : Number(hours) < 20 ? 'UNSHIPPED' : 'SHIPPED')
    const shipped = await get(`/orders/2026-01-01/orders?createdAfter=${since}&fulfillmentStatuses=SHIPPED`)
    expect(listAt(shipped, 'orders').length).toBeGreaterThan(0)
  })
})

describe('listings', () => {
  const write = (method: string, sku: string, body: unknown, more = ''): ReturnType<SellingPartnerWorld['call']> =>
    sp.call(method, `/sp/na/listings/2021-08-01/items/${SELLER}/${sku}?marketplaceIds=${US}${more}`, token(), body)
  const price = (value: unknown): object => ({
    purchasable_offer: [
      { marketplace_id: US, currency: 'USD', our_price: [{ schedule: [{ value_with_tax: value }] }] },
    ],
  })
  const patch = (attributes: object): object => ({
    productType: 'PRODUCT',
    patches: Object.entries(attributes).map(([name, value]) => ({
      op: 'replace',
      path: `/attributes/${name}`,
      value: value as unknown,
    })),
  })

  test('a preview says what would come of a change and changes nothing; the change itself holds', async () => {
    const [product] = products()
    const sku = product?.sku ?? ''
    const preview = await write('PATCH', sku, patch(price(77.5)), '&mode=VALIDATION_PREVIEW&includedData=issues')
    expect(preview.body).toMatchObject({ status: 'VALID', issues: [] })
    expect(products()[0]?.priceMicros).toBe(product?.priceMicros)
    const wrong = await write('PATCH', sku, patch(price(-1)))
    expect(wrong.body).toMatchObject({ status: 'INVALID', issues: [{ attributeNames: ['purchasable_offer'] }] })
    expect(products()[0]?.priceMicros).toBe(product?.priceMicros)
    expect((await write('PATCH', sku, patch(price(77.5)))).body).toMatchObject({ status: 'ACCEPTED' })
    expect(products()[0]?.priceMicros).toBe(77_500_000)
    const listed = await get(`/listings/2021-08-01/items/${SELLER}/${sku}?marketplaceIds=${US}&includedData=offers`)
    expect(textAt(listed, 'offers', 0, 'price', 'amount')).toBe('77.50')
  })

  test('a new one is made without stock, found, and taken away again', async () => {
    const [like] = listAt(
      await get(`/listings/2021-08-01/items/${SELLER}?marketplaceIds=${US}&includedData=productTypes`),
      'items',
    )
    const productType = textAt(like, 'productTypes', 0, 'productType')
    const text = (value: string): object[] => [{ value, marketplace_id: US }]
    const attributes = { item_name: text('A thing of ours'), brand: text('Ours'), ...price(12) }
    const poor = await write('PUT', 'NEW-1', { productType, attributes: price(12) })
    expect(poor.body).toMatchObject({ status: 'INVALID', issues: [{ code: '90220' }, { code: '90220' }] })
    expect((await write('PUT', 'NEW-1', { productType, attributes })).body).toMatchObject({ status: 'ACCEPTED' })
    const made = products().find(one => one.sku === 'NEW-1')
    expect(made).toMatchObject({ title: 'A thing of ours', priceMicros: 12_000_000, fulfillable: 0 })
    const search = `/listings/2021-08-01/items/${SELLER}?marketplaceIds=${US}&identifiersType=ASIN&identifiers=${made?.asin}`
    expect(at(await get(search), 'numberOfResults')).toBe(1)
    expect((await write('DELETE', 'NEW-1', undefined)).body).toMatchObject({ status: 'ACCEPTED' })
    expect(at(await get(search), 'numberOfResults')).toBe(0)
    expect((await write('DELETE', 'NEW-1', undefined)).status).toBe(404)
    sp.world.clock.advance(6 * 3_600_000)
    expect(sp.world.market().ordersByHour(SELLER, US, new Date(0), sp.world.clock.now()).length).toBeGreaterThan(0)
  })

  test('are found by what they lack, and sorted by SKU', async () => {
    const url = `/listings/2021-08-01/items/${SELLER}?marketplaceIds=${US}&pageSize=20`
    const idle = await get(`${url}&withoutStatus=BUYABLE`)
    expect(at(idle, 'numberOfResults')).toBe(products().filter(one => one.fulfillable === 0).length)
    const ill = await get(`${url}&withIssueSeverity=ERROR&includedData=issues`)
    expect(listAt(ill, 'items').length).toBe(products().filter(one => one.eligibility === 'INELIGIBLE').length)
    const sorted = listAt(await get(`${url}&sortBy=sku&sortOrder=ASC`), 'items').map(item => textAt(item, 'sku'))
    expect(sorted).toEqual(sorted.toSorted())
  })
})

describe('stock', () => {
  const summaries = `/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}`

  test('lists what changed since a moment, or the named products', async () => {
    const since = new Date(sp.world.clock.now().getTime() - 2 * 3_600_000)
    const sold = new Set(
      sp.world
        .market()
        .ordersByHour(SELLER, US, since, sp.world.clock.now())
        .map(row => row.sku),
    )
    const changed = listAt(
      await get(`${summaries}&startDateTime=${since.toISOString()}`),
      'payload',
      'inventorySummaries',
    )
    for (const sku of sold) expect(changed.map(one => at(one, 'sellerSku'))).toContain(sku)
    expect(changed.length).toBeLessThan(products().length)
    const [first, second] = products()
    const named = await get(`${summaries}&sellerSkus=${first?.sku},${second?.sku}&details=true`)
    expect(listAt(named, 'payload', 'inventorySummaries').map(one => at(one, 'sellerSku'))).toEqual([
      first?.sku,
      second?.sku,
    ])
  })

  test('rejects an expired page token', async () => {
    const many = `/sp/na/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}`
    const own = sp.tokenFor('seller@sandbox.test', 'A4DRIFTWOODUSX')
    const first = await sp.call('GET', many, own)
    const next = textAt(first.body, 'pagination', 'nextToken')
    sp.world.clock.advance(30_001)
    expect((await sp.call('GET', `${many}&nextToken=${next}`, own)).status).toBe(400)
  })
})

describe('reports', () => {
  const reports = '/sp/na/reports/2021-06-30/reports'
  const ordered = async (body: object, key = token()): Promise<unknown> => {
    const created = await sp.call('POST', reports, key, body)
    sp.world.clock.advance(5000)
    return (await sp.call('GET', `${reports}/${textAt(created.body, 'reportId')}`, key)).body
  }

  test('about nothing end as cancelled', async () => {
    const nobody = sp.tokenFor('empty@sandbox.test', 'A5IDLEHARBORUS')
    const empty = await ordered({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US] }, nobody)
    expect(empty).toMatchObject({ processingStatus: 'CANCELLED' })
    expect(empty).not.toHaveProperty('reportDocumentId')
    const early = await ordered({
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
      dataStartTime: '2025-01-01T00:00:00Z',
      dataEndTime: '2025-01-07T00:00:00Z',
    })
    expect(early).toMatchObject({ processingStatus: 'CANCELLED' })
  })

  test('of sales and traffic by week and month hold what their days hold', async () => {
    const rowsOf = async (dateGranularity: string): Promise<unknown> => {
      const report = await ordered({
        reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
        marketplaceIds: [US],
        dataStartTime: '2026-10-04T12:00:00Z',
        dataEndTime: '2026-11-07T12:00:00Z',
        reportOptions: { dateGranularity },
      })
      const id = textAt(report, 'reportDocumentId')
      const document = await sp.call('GET', `/sp/na/reports/2021-06-30/documents/${id}`, token())
      const file = await sp.app.inject(textAt(document.body, 'url').replace('http://sandbox.test', ''))
      return JSON.parse(gunzipSync(file.rawPayload).toString()) as unknown
    }
    const unitsOf = (rows: unknown): number =>
      listAt(rows, 'salesAndTrafficByDate').reduce<number>(
        (sum, row) => sum + Number(at(row, 'salesByDate', 'unitsOrdered')),
        0,
      )
    const [days, weeks, months] = [await rowsOf('DAY'), await rowsOf('WEEK'), await rowsOf('MONTH')]
    expect([days, weeks, months].map(rows => listAt(rows, 'salesAndTrafficByDate').length)).toEqual([35, 5, 2])
    expect(at(weeks, 'salesAndTrafficByDate', 1, 'date')).toBe('2026-10-11')
    expect(unitsOf(days)).toBeGreaterThan(0)
    expect([unitsOf(weeks), unitsOf(months)]).toEqual([unitsOf(days), unitsOf(days)])
  })

  test('are listed page by page by a token that carries the question', async () => {
    const reportType = 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'
    for (let i = 0; i < 3; i++) await ordered({ reportType, marketplaceIds: [US] })
    const first = await sp.call('GET', `${reports}?reportTypes=${reportType}&pageSize=2`, token())
    expect(listAt(first.body, 'reports')).toHaveLength(2)
    const next = encodeURIComponent(textAt(first.body, 'nextToken'))
    const second = await sp.call('GET', `${reports}?nextToken=${next}`, token())
    expect(listAt(second.body, 'reports')).toHaveLength(1)
    expect((await sp.call('GET', `${reports}?nextToken=${next}&pageSize=2`, token())).status).toBe(400)
  })
})
