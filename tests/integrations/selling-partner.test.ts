import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Seller } from '#integrations/selling-partner/index.ts'
import { openSandboxAccounts, type SandboxAccounts } from '../support/sandbox-accounts.ts'

const US = 'ATVPDKIKX0DER'
const JP = 'A1VC38T7YXB528'
const DE = 'A1PA6795UKMFR9'
let world: SandboxAccounts
let seller: Seller

const connect = async (sellerId: string, region: 'NA' | 'EU' | 'FE') =>
  world.partner.forSeller({ region, ...(await world.connectSeller('agency@sandbox.test', sellerId)) })

beforeAll(async () => {
  world = await openSandboxAccounts({ login: 'agency@sandbox.test' })
  seller = await connect('A1HARBORLANEUS', 'NA')
})
afterAll(() => world.close())
afterEach(() => world.sandbox.world.faults.clear())

async function all<T>(pages: AsyncIterable<T[]>) {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

/** Asks, lets the world's time pass until the file is there, and tells its document. */
async function documentOf(of: Seller, question: Parameters<Seller['reports']['request']>[0]): Promise<string> {
  const { reportId } = await of.reports.request(question)
  for (let i = 0; i < 10; i++) {
    const { status, documentId } = await of.reports.get(reportId)
    if (status === 'DONE' && documentId) return documentId
    world.sandbox.world.clock.advance(10 * 60_000)
  }
  throw new Error('the report was never done')
}

it('the consent gives the seller that was chosen, in the marketplaces they sell in', async () => {
  const participations = await seller.participations()
  expect(participations.map(p => [p.countryCode, p.currency, p.participating])).toEqual([
    ['US', 'USD', true],
    ['CA', 'CAD', true],
  ])
})

it('stock and listings contain the same products', async () => {
  const stock = await all(seller.inventory(US))
  const listings = await all(seller.listings(US))
  expect(stock.length).toBeGreaterThan(5)
  expect(new Set(listings.map(l => l.sku))).toEqual(new Set(stock.map(s => s.sku)))
  expect(listings[0]).toMatchObject({ marketplaceId: US, currency: 'USD', priceMicros: expect.any(Number) })
  const [first] = await seller.catalogItems([listings[0]?.asin ?? ''], US)
  expect(first).toMatchObject({ asin: listings[0]?.asin, title: listings[0]?.title })
  expect(await seller.listing('no such sku', US)).toBeNull()
})

it('a file of listings says what the listings say', async () => {
  const documentId = await documentOf(seller, { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US] })
  const rows = await seller.reports.listings(documentId, US)
  const listings = await all(seller.listings(US))
  const pick = (l: { sku: string; asin: string | null; priceMicros: number | null; title: string | null }) =>
    JSON.stringify([l.sku, l.asin, l.priceMicros, l.title])
  expect(new Set(rows.map(pick))).toEqual(new Set(listings.map(pick)))
  expect(rows).toHaveLength(listings.length)
})

it('a Japanese file is read in its own letters', async () => {
  const minato = await connect('A3MINATOSHOJI1', 'FE')
  const documentId = await documentOf(minato, { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [JP] })
  const rows = await minato.reports.listings(documentId, JP)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.every(row => /[\u3040-\u30ff\u4e00-\u9fff]/.test(row.title ?? ''))).toBe(true)
  expect(rows.every(row => (row.priceMicros ?? 0) % 1_000_000 === 0)).toBe(true)
})

it('a German file is read with its umlauts, though it is no UTF-8', async () => {
  const nordhafen = await connect('A2NORDHAFENDE1', 'EU')
  const documentId = await documentOf(nordhafen, { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [DE] })
  const rows = await nordhafen.reports.listings(documentId, DE)
  const titles = new Map((await all(nordhafen.listings(DE))).map(l => [l.sku, l.title]))
  expect(rows.some(row => /[äöüß]/i.test(row.title ?? ''))).toBe(true)
  expect(rows.map(row => row.title)).toEqual(rows.map(row => titles.get(row.sku)))
})

it('a report whose answer gets lost is found again, and none is asked for twice', async () => {
  const { journal } = world.sandbox.world
  journal.clear()
  await world.fault({
    match: { vendor: 'sp', method: 'POST', path: '/reports/2021-06-30/reports' },
    kind: 'drop-after',
    times: 1,
  })
  const day = new Date('2026-03-10T08:00:00Z')
  const { reportId } = await seller.reports.request({
    type: 'GET_SALES_AND_TRAFFIC_REPORT',
    marketplaceIds: [US],
    from: day,
    to: new Date(day.getTime() + 86_399_000),
  })
  expect(await seller.reports.get(reportId)).toMatchObject({ reportId })
  expect(journal.list({ vendor: 'sp', method: 'POST', path: '/reports' })).toHaveLength(1)
})

it('stock by file counts what stock by call counts', async () => {
  const documentId = await documentOf(seller, { type: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA', marketplaceIds: [US] })
  const rows = await seller.reports.inventory(documentId, US)
  expect(rows.map(r => r.sku).toSorted()).toEqual((await all(seller.inventory(US))).map(s => s.sku).toSorted())
})

it('an expired token is replaced without anybody noticing', async () => {
  await world.fault({
    match: { vendor: 'sp', path: '/sellers/v1/marketplaceParticipations' },
    kind: 'expired-token',
    times: 1,
  })
  expect(await seller.participations()).toHaveLength(2)
})

it('fees are estimated for each product asked', async () => {
  const [listing] = await all(seller.listings(US))
  const estimates = await seller.feesEstimates([
    {
      id: { asin: listing?.asin ?? '' },
      marketplaceId: US,
      priceMicros: 20_000_000,
      currency: 'USD',
      fulfilledByAmazon: true,
    },
  ])
  expect(estimates).toMatchObject([{ ok: true, currency: 'USD' }])
})
