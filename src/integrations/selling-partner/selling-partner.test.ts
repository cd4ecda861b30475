import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  UpstreamForbidden,
  UpstreamMalformed,
  UpstreamThrottled,
  UpstreamUnauthorized,
} from '#server/http-client/upstream-errors.ts'
import {
  type Answer,
  json,
  type SeenRequest,
  silentLog,
  startScriptedHost,
} from '../../../tests/support/scripted-host.ts'
import { createSellingPartner } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const US = 'ATVPDKIKX0DER'
async function scene(...answers: (Answer | ((request: SeenRequest) => Answer))[]) {
  const host = await startScriptedHost(...answers)
  closers.push(host.close)
  const partner = createSellingPartner({
    baseUrls: { NA: host.url, EU: host.url, FE: host.url },
    applicationId: 'amzn1.sellerapps.app.1',
    draft: true,
    tokens: async (_, rejected) => (rejected ? 'token-2' : 'token'),
    clock: { now: () => new Date('2026-11-21T10:20:30.456Z') },
    log: silentLog,
    policy: { firstDelayMs: 1, maxDelayMs: 2, timeoutMs: 1500, maxWaitMs: 10 },
  })
  return { host, partner, seller: partner.forSeller({ connectionId: 1, region: 'NA', sellerId: 'S/1' }) }
}
async function all<T>(pages: AsyncIterable<T[]>) {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

describe('the consent address', () => {
  it('is that of the marketplace’s own seller pages', async () => {
    const { partner } = await scene()
    const url = partner.consentUrl({ marketplaceKey: 'DE', state: 's', redirectUri: 'https://app.example/back' })
    expect(url).toBe(
      'https://sellercentral-europe.amazon.com/apps/authorize/consent?application_id=amzn1.sellerapps.app.1&state=s&redirect_uri=https%3A%2F%2Fapp.example%2Fback&version=beta',
    )
  })

  it('is not invented where none is known', async () => {
    const { partner } = await scene()
    expect(() => partner.consentUrl({ marketplaceKey: 'IE', state: 's' })).toThrow(RangeError)
  })
})

it('a call carries the token, the moment and who we are', async () => {
  const { host, seller } = await scene(json({ payload: [] }))
  await seller.participations()
  expect(host.seen[0]?.headers).toMatchObject({
    'x-amz-access-token': 'token',
    'x-amz-date': '20261121T102030Z',
    'user-agent': 'Tideline/1 (Language=TypeScript)',
  })
  expect(host.seen[0]?.headers).not.toHaveProperty('authorization')
})

it('stock is read page by page', async () => {
  const item = (sellerSku: string) => ({
    sellerSku,
    asin: 'B01',
    totalQuantity: 9,
    inventoryDetails: { fulfillableQuantity: 5, reservedQuantity: { totalReservedQuantity: 4 } },
  })
  const page = (sku: string, nextToken?: string) =>
    json({
      payload: { granularity: {}, inventorySummaries: [item(sku)] },
      ...(nextToken && { pagination: { nextToken } }),
    })
  const { host, seller } = await scene(page('A', 'two'), page('B'))
  expect(await all(seller.inventory(US))).toMatchObject([
    { sku: 'A', available: 5, reserved: 4, total: 9 },
    { sku: 'B' },
  ])
  expect(host.seen[0]?.url).toContain(`granularityId=${US}&marketplaceIds=${US}`)
  expect(host.seen[1]?.url).toContain('nextToken=two')
})

it('a listing shows the part of its marketplace, and skus are escaped in addresses', async () => {
  const listing = {
    sku: 'a/b c',
    summaries: [
      { marketplaceId: 'A2EUQ1WTGCTBG2', asin: 'B01', productType: 'X', status: [] },
      {
        marketplaceId: US,
        asin: 'B01',
        productType: 'X',
        status: ['BUYABLE'],
        itemName: 'Soap',
        mainImage: { link: 'https://i/1.jpg', height: 1, width: 1 },
      },
    ],
    offers: [
      { marketplaceId: US, offerType: 'B2B', price: { currencyCode: 'USD', amount: '90.00' } },
      { marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '100.00' } },
    ],
    fulfillmentAvailability: [{ fulfillmentChannelCode: 'AMAZON_NA' }],
    issues: [
      { code: '1', message: 'elsewhere', severity: 'ERROR', categories: [], marketplaceIds: ['A2EUQ1WTGCTBG2'] },
    ],
  }
  const { host, seller } = await scene(json(listing), json({ errors: [{ code: 'NOT_FOUND', message: 'no' }] }, 404))
  expect(await seller.listing('a/b c', US)).toMatchObject({
    title: 'Soap',
    buyable: true,
    priceMicros: 100_000_000,
    fulfilledByAmazon: true,
    merchantQuantity: null,
    issues: [],
  })
  expect(host.seen[0]?.url).toContain('/items/S%2F1/a%2Fb%20c?')
  expect(await seller.listing('gone', US)).toBeNull()
})

it('fees come in the order asked for, failures in their place', async () => {
  const fee = (identifier: string, rest: object) => ({
    FeesEstimateIdentifier: { SellerInputIdentifier: identifier },
    ...rest,
  })
  const { seller } = await scene(
    json([
      fee('1', { Status: 'ClientError', Error: { Code: 'InvalidParameterValue', Message: 'no such sku' } }),
      fee('0', {
        Status: 'Success',
        FeesEstimate: {
          TotalFeesEstimate: { CurrencyCode: 'USD', Amount: 3 },
          FeeDetailList: [{ FeeType: 'ReferralFee', FinalFee: { CurrencyCode: 'USD', Amount: 1.5 } }],
        },
      }),
    ]),
  )
  const question = { marketplaceId: US, priceMicros: 10_000_000, currency: 'USD', fulfilledByAmazon: true }
  expect(
    await seller.feesEstimates([
      { ...question, id: { sku: 'A' } },
      { ...question, id: { asin: 'B' } },
    ]),
  ).toEqual([
    { ok: true, totalMicros: 3_000_000, currency: 'USD', parts: [{ type: 'ReferralFee', micros: 1_500_000 }] },
    { ok: false, code: 'InvalidParameterValue', message: 'no such sku' },
  ])
})

describe('a 403', () => {
  const DENIED = 'Access to requested resource is denied.'
  const EXPIRED = 'The access token you provided has expired.'
  const INVALID = 'The access token you provided is revoked, malformed or invalid.'
  const refused = (message: string, details?: string) =>
    json({ errors: [{ code: 'Unauthorized', message, ...(details !== undefined && { details }) }] }, 403)

  it.each([
    ['expired, in its details', DENIED, EXPIRED],
    ['invalid, in its details', DENIED, INVALID],
    ['missing, in its details', DENIED, 'Access token is missing in the request header.'],
    ['expired, in its message', EXPIRED, ''],
  ])('that calls the token %s is answered once with a fresh token', async (_, message, details) => {
    const { host, seller } = await scene(refused(message, details), json({ payload: [] }))
    expect(await seller.participations()).toEqual([])
    expect(host.seen.map(r => r.headers['x-amz-access-token'])).toEqual(['token', 'token-2'])
  })

  it('that a fresh token does not cure is not answered a second time', async () => {
    const { host, seller } = await scene(refused(DENIED, INVALID))
    await expect(seller.participations()).rejects.toBeInstanceOf(UpstreamUnauthorized)
    expect(host.seen).toHaveLength(2)
  })

  it.each([
    ['without details', undefined],
    ['with empty details', ''],
    ['about something else', 'Application does not have access to one or more requested data types: [BUYER]'],
  ])('%s is a missing right and renews nothing', async (_, details) => {
    const { host, seller } = await scene(refused(DENIED, details))
    await expect(seller.participations()).rejects.toBeInstanceOf(UpstreamForbidden)
    expect(host.seen).toHaveLength(1)
  })
})

it('the published quota is kept without asking, for each seller by itself', async () => {
  const { host, partner, seller } = await scene(json({ payload: [] }))
  for (let i = 0; i < 15; i++) await seller.participations()
  await expect(seller.participations()).rejects.toBeInstanceOf(UpstreamThrottled)
  expect(host.seen).toHaveLength(15)
  await partner.forSeller({ connectionId: 2, region: 'NA', sellerId: 'S2' }).participations()
  expect(host.seen).toHaveLength(16)
})

it('the rate that an answer states replaces the published one, and nonsense does not', async () => {
  let stated = '1000'
  const { host, partner, seller } = await scene(() => json({ payload: [] }, 200, { 'x-amzn-ratelimit-limit': stated }))
  for (let i = 0; i < 40; i++) await seller.participations()
  expect(host.seen).toHaveLength(40)
  stated = 'soon'
  const other = partner.forSeller({ connectionId: 2, region: 'NA', sellerId: 'S2' })
  for (let i = 0; i < 15; i++) await other.participations()
  await expect(other.participations()).rejects.toBeInstanceOf(UpstreamThrottled)
})

describe('a report', () => {
  const document = (url: string) => json({ reportDocumentId: 'd', url, compressionAlgorithm: 'GZIP' })
  const file = 'seller-sku\tasin1\tprice\nA\tB01\t9.99\n'

  it.each([
    ['packed as announced', gzipSync(file)],
    ['not packed although announced', Buffer.from(file)],
  ])('%s is read, without any header of ours', async (_, body) => {
    const { host, seller } = await scene(() => document(`${host.url}/s3/d`), {
      headers: { 'content-encoding': 'identity' },
      body,
    })
    expect(await seller.reports.listings('d', US)).toMatchObject([{ sku: 'A', asin: 'B01', priceMicros: 9_990_000 }])
    expect(Object.keys(host.seen[1]?.headers ?? {}).filter(name => name.startsWith('x-amz'))).toEqual([])
  })

  it('that broke off is malformed', async () => {
    const { host, seller } = await scene(() => document(`${host.url}/s3/d`), {
      body: gzipSync(file.repeat(100)).subarray(0, 30),
    })
    await expect(seller.reports.listings('d', US)).rejects.toBeInstanceOf(UpstreamMalformed)
  })

  it('is requested with its times and options, and reports its state', async () => {
    const { host, seller } = await scene(
      json({ reportId: 'r' }, 202),
      json({
        reportId: 'r',
        reportType: 'X',
        createdTime: '2026-11-21T10:00:00Z',
        processingStatus: 'DONE',
        reportDocumentId: 'd',
      }),
    )
    await seller.reports.request({
      type: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
      from: new Date('2026-11-01'),
      options: { dateGranularity: 'DAY' },
    })
    expect(JSON.parse(host.seen[0]?.body ?? '')).toEqual({
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
      dataStartTime: '2026-11-01T00:00:00.000Z',
      reportOptions: { dateGranularity: 'DAY' },
    })
    expect(await seller.reports.get('r')).toMatchObject({ status: 'DONE', documentId: 'd' })
  })
})
