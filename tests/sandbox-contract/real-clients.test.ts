import { AuthorizationScope, SellingPartnerApiAuth } from '@sp-api-sdk/auth'
import { FbaInventoryApiClient } from '@sp-api-sdk/fba-inventory-api-v1'
import { ReportsApiClient } from '@sp-api-sdk/reports-api-2021-06-30'
import { SellingPartner } from 'amazon-sp-api'
import { gunzipSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Product } from '#sandbox/core/model/store.ts'
import { download, openForRealClients, type RealClientWorld } from './real-client-world.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const JP = 'A1VC38T7YXB528'

let open: RealClientWorld
beforeAll(async () => {
  // A machine's proxy would lead the calls past the detour.
  vi.stubEnv('NO_PROXY', '*')
  open = await openForRealClients()
})
afterEach(() => open.world.faults.clear())
afterAll(async () => {
  vi.unstubAllEnvs()
  await open.close()
})

function productsOf(sellerId: string, marketplaceId: string): Product[] {
  return [...open.world.store.products.values()].filter(
    one => one.sellerId === sellerId && one.marketplaceId === marketplaceId,
  )
}

describe('amazon-sp-api, unchanged, finds in the emulator what the store has', () => {
  const connect = async (region: 'na' | 'eu' | 'fe', sellerId: string): Promise<SellingPartner> => {
    const settings = {
      region,
      credentials: {
        SELLING_PARTNER_APP_CLIENT_ID: open.client.id,
        SELLING_PARTNER_APP_CLIENT_SECRET: open.client.secret,
      },
    }
    const stranger = new SellingPartner({
      ...settings,
      refresh_token: '',
      options: { only_grantless_operations: true },
    })
    const { refresh_token } = await stranger.exchange(open.consent('agency@sandbox.test', sellerId))
    return new SellingPartner({ ...settings, refresh_token })
  }

  test('participations, by a token bought with a consent’s code', async () => {
    const client = await connect('na', 'A1HARBORLANEUS')
    const found = await client.callAPI({ operation: 'getMarketplaceParticipations', endpoint: 'sellers' })
    expect(found.map(one => one.marketplace.id)).toEqual(open.world.store.sellers.get('A1HARBORLANEUS')?.marketplaceIds)
  })

  test('inventory, page by page, waiting where it is throttled', async () => {
    const client = await connect('na', 'A1HARBORLANEUS')
    open.world.faults.add({ match: { vendor: 'sp', path: '*/summaries' }, kind: 'throttle', retryAfterSeconds: null })
    const found = await client.callAPI({
      operation: 'getInventorySummaries',
      endpoint: 'fbaInventory',
      query: { granularityType: 'Marketplace', granularityId: US, marketplaceIds: [US], details: true },
    })
    const stock = (found.inventorySummaries ?? []).map(({ sellerSku, totalQuantity }) => [sellerSku, totalQuantity])
    expect(stock).toHaveLength(productsOf('A1HARBORLANEUS', US).length)
    expect(open.world.faults.list()).toEqual([])
  })

  test.each([
    ['na', 'A1HARBORLANEUS', US, 'item-name', 'seller-sku'],
    ['eu', 'A2NORDHAFENDE1', DE, 'Artikelbezeichnung', 'Händler-SKU'],
    ['fe', 'A3MINATOSHOJI1', JP, '商品名', '出品者SKU'],
  ] as const)(
    '%s: a report of listings down to its rows, in its own letters',
    async (region, sellerId, id, name, sku) => {
      const client = await connect(region, sellerId)
      const rows = await client.downloadReport({
        body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [id] },
        interval: 50,
        download: { json: true },
      })
      const listedPairs = (rows as unknown as Record<string, string>[]).map(row => [row[sku], row[name]])
      expect(listedPairs).toEqual(productsOf(sellerId, id).map(product => [product.sku, product.title]))
    },
  )

  test('a JSON report, and listings one by one', async () => {
    const client = await connect('na', 'A1HARBORLANEUS')
    const report = (await client.downloadReport({
      body: {
        reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
        marketplaceIds: [US],
        dataStartTime: '2026-11-01T12:00:00Z',
        dataEndTime: '2026-11-03T12:00:00Z',
        reportOptions: { asinGranularity: 'SKU' },
      } as never,
      interval: 50,
      download: { json: true },
    })) as unknown as { salesAndTrafficByDate: { date: string }[] }
    expect(report.salesAndTrafficByDate.map(day => day.date)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    const [product] = productsOf('A1HARBORLANEUS', US)
    const listing = (await client.callAPI({
      operation: 'getListingsItem',
      endpoint: 'listingsItems',
      path: { sellerId: 'A1HARBORLANEUS', sku: product?.sku ?? '' },
      query: { marketplaceIds: [US], includedData: ['summaries'] },
    } as never)) as unknown as { summaries: { asin: string }[] }
    expect(listing.summaries[0]?.asin).toBe(product?.asin)
  })

  test('what it asked for with a token that has expired, by renewing it', async () => {
    const client = await connect('na', 'A1HARBORLANEUS')
    await client.refreshAccessToken()
    const expired = client.access_token
    open.world.clock.advance(3_600_000)
    const found = await client.callAPI({ operation: 'getMarketplaceParticipations', endpoint: 'sellers' })
    expect(found.map(one => one.marketplace.id)).toContain(US)
    expect(client.access_token).not.toBe(expired)
  })

  test('and gets its own errors for a missing report and a revoked consent', async () => {
    const client = await connect('na', 'A1HARBORLANEUS')
    const request = client.callAPI({ operation: 'getReport', endpoint: 'reports', path: { reportId: '1' } })
    await expect(request).rejects.toMatchObject({ code: 'NOT_FOUND' })
    open.world.lwa.revokeLogin('agency@sandbox.test')
    await expect(client.refreshAccessToken()).rejects.toMatchObject({ code: 'invalid_grant' })
  })
})

describe('@sp-api-sdk, unchanged, finds in the emulator what the store has', () => {
  const connect = (sellerId: string): SellingPartnerApiAuth => {
    const code = open.consent('agency@sandbox.test', sellerId)
    const { id, secret } = open.client
    const bought = open.world.lwa.token({
      grant_type: 'authorization_code',
      code,
      client_id: id,
      client_secret: secret,
    })
    if (!bought.ok) throw new Error(bought.failure.error_description)
    return new SellingPartnerApiAuth({
      clientId: id,
      clientSecret: secret,
      refreshToken: bought.reply.refresh_token ?? '',
    })
  }

  test('inventory', async () => {
    const client = new FbaInventoryApiClient({ auth: connect('A1HARBORLANEUS'), region: 'na' })
    const { data } = await client.getInventorySummaries({
      granularityType: 'Marketplace',
      granularityId: US,
      marketplaceIds: [US],
      details: true,
      sellerSkus: productsOf('A1HARBORLANEUS', US)
        .slice(0, 3)
        .map(({ sku }) => sku),
    })
    expect(data.payload?.inventorySummaries).toHaveLength(3)
    expect(data.payload?.inventorySummaries[0]?.inventoryDetails?.fulfillableQuantity).toEqual(expect.any(Number))
  })

  test('nothing by a token that no seller granted', async () => {
    const { id, secret } = open.client
    const scopes = [AuthorizationScope.NOTIFICATIONS]
    const auth = new SellingPartnerApiAuth({ clientId: id, clientSecret: secret, scopes })
    const client = new ReportsApiClient({ auth, region: 'na' })
    await expect(client.getReport({ reportId: '1' })).rejects.toMatchObject({ response: { status: 403 } })
  })

  test('a report down to its rows, and the list that contains it', async () => {
    const client = new ReportsApiClient({ auth: connect('A2NORDHAFENDE1'), region: 'eu' })
    const body = { reportType: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA', marketplaceIds: [DE] }
    const { reportId } = (await client.createReport({ body })).data
    const finished = async (): Promise<string> => {
      for (let tries = 0; tries < 100; tries++) {
        const { data } = await client.getReport({ reportId })
        if (data.processingStatus === 'DONE') return data.reportDocumentId ?? ''
        await wait(50)
      }
      throw new Error('the report was never done')
    }
    const reportDocumentId = await finished()
    const { data: document } = await client.getReportDocument({ reportDocumentId })
    expect(document.compressionAlgorithm).toBe('GZIP')
    const { data: listed } = await client.getReports({ reportTypes: [body.reportType] })
    expect(listed.reports.map(report => report.reportId)).toContain(reportId)
    const lines = gunzipSync(await download(document.url))
      .toString('latin1')
      .trimEnd()
      .split('\r\n')
    expect(lines).toHaveLength(1 + productsOf('A2NORDHAFENDE1', DE).length)
  })
})
