import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, type TestContext } from 'vitest'
import { createSellingPartner } from '#integrations/selling-partner/index.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { json, silentLog, startScriptedHost } from '../support/scripted-host.ts'

// The marketplace's own example answers (`x-amzn-api-sandbox`), read from where SPAPI_MODELS_DIR says and not copied.
const folder = process.env['SPAPI_MODELS_DIR'] ?? ''

interface Example {
  request: string
  response: unknown
}

function examples(model: string, path: string, method: 'get' | 'post', status = '200'): Example[] {
  interface Operation {
    responses: Record<string, { 'x-amzn-api-sandbox'?: { static?: { request: unknown; response: unknown }[] } }>
  }
  const text = readFileSync(join(folder, model), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  const found = paths[path]?.[method]?.responses[status]?.['x-amzn-api-sandbox']?.static ?? []
  return found.map(({ request, response }) => ({ request: JSON.stringify(request), response }))
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function sellerWith(response: unknown, status = 200) {
  const host = await startScriptedHost(json(response, status))
  closers.push(host.close)
  return createSellingPartner({
    baseUrls: { NA: host.url, EU: host.url, FE: host.url },
    applicationId: 'a',
    tokens: async () => 'token',
    clock: { now: () => new Date() },
    log: silentLog,
    policy: { retries: 0 },
  }).forSeller({ connectionId: 1, region: 'NA', sellerId: 'S' })
}

const needFolder = (context: TestContext) => {
  if (!existsSync(folder)) context.skip('SPAPI_MODELS_DIR names no folder: the published examples were not read')
}

type Seller = Awaited<ReturnType<typeof sellerWith>>
const US = 'ATVPDKIKX0DER'
async function first<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  for await (const page of pages) return page
  return []
}

const cases: [
  name: string,
  model: string,
  path: string,
  method: 'get' | 'post',
  read: (seller: Seller) => Promise<unknown>,
][] = [
  ['participations', 'sellers.json', '/sellers/v1/marketplaceParticipations', 'get', s => s.participations()],
  [
    'listings',
    'listingsItems_2021-08-01.json',
    '/listings/2021-08-01/items/{sellerId}',
    'get',
    s => first(s.listings(US)),
  ],
  [
    'a listing',
    'listingsItems_2021-08-01.json',
    '/listings/2021-08-01/items/{sellerId}/{sku}',
    'get',
    s => s.listing('x', US),
  ],
  [
    'catalogue items',
    'catalogItems_2022-04-01.json',
    '/catalog/2022-04-01/items',
    'get',
    s => s.catalogItems(['B07N4M94X4'], US),
  ],
  [
    'order metrics',
    'sales.json',
    '/sales/v1/orderMetrics',
    'get',
    s => s.orderMetrics({ marketplaceId: US, from: 'a', to: 'b', granularity: 'Day' }),
  ],
  [
    'fees',
    'productFeesV0.json',
    '/products/fees/v0/feesEstimate',
    'post',
    s =>
      s.feesEstimates(
        ['A', 'B'].map(sku => ({
          id: { sku },
          marketplaceId: US,
          priceMicros: 10_000_000,
          currency: 'USD',
          fulfilledByAmazon: false,
        })),
      ),
  ],
  ['a report', 'reports_2021-06-30.json', '/reports/2021-06-30/reports/{reportId}', 'get', s => s.reports.get('ID323')],
]

describe('every published example is read:', () => {
  for (const [name, model, path, method, read] of cases)
    it(name, async context => {
      needFolder(context)
      const found = examples(model, path, method)
      expect(found.length).toBeGreaterThan(0)
      for (const { request, response } of found) {
        const answer = await read(await sellerWith(response))
        expect(Array.isArray(answer) ? answer.length : answer, request).toBeTruthy()
      }
    })
})

it('the published example of a listing comes to us with price, stock and faults', async context => {
  needFolder(context)
  const [example] = examples('listingsItems_2021-08-01.json', '/listings/2021-08-01/items/{sellerId}', 'get')
  const [listing] = await first((await sellerWith(example?.response)).listings(US))
  expect(listing).toMatchObject({
    sku: 'GM-ZDPI-9B4E',
    asin: 'B071VG5N9D',
    buyable: true,
    priceMicros: 100_000_000,
    currency: 'USD',
    merchantQuantity: 100,
  })
  expect(listing?.issues.length).toBeGreaterThan(0)
})

it('every published refusal is an upstream error with its code', async context => {
  needFolder(context)
  const found = examples('listingsItems_2021-08-01.json', '/listings/2021-08-01/items/{sellerId}', 'get', '400')
  expect(found.length).toBeGreaterThan(0)
  for (const { response } of found) {
    const error = await first((await sellerWith(response, 400)).listings(US)).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toHaveProperty('code', expect.any(String))
  }
})
