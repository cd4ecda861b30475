import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CatalogueScene, openCatalogueScene } from '../../../../../tests/support/catalogue-scene.ts'
import { dayIn } from '#shared/time.ts'
import { productEvents } from '../product-events.ts'
import { productsByAsin } from '../product-rows.ts'
import { importCatalogue } from './import-catalogue.ts'

let scene: CatalogueScene
beforeAll(async () => {
  scene = await openCatalogueScene()
})
afterAll(() => scene.services.close())

const page: CatalogueScene['page'] = query => scene.page(query)
async function fault(order: object) {
  const reply = await scene.sandbox.control('POST', 'faults', order)
  expect(reply.status).toBe(201)
}

describe('the events of products', () => {
  /** Changes the marketplace's own book of the first product, and imports on a day. */
  async function importOn(date: string, change: { fulfillable?: number; priceMicros?: number }) {
    const { sku } = (await page()).content[0] ?? {}
    const { sellerId, marketplaceAmazonId } = scene.profile
    const products = [...scene.sandbox.world.store.products.values()]
    const own = products.find(p => p.sku === sku && p.sellerId === sellerId && p.marketplaceId === marketplaceAmazonId)
    if (!own) throw new Error('no product in the books')
    Object.assign(own, change)
    const clock = { now: () => new Date(`${date}T18:00:00Z`) }
    await importCatalogue({ ...scene.services, clock }, scene.profile, {
      signal: new AbortController().signal,
      onProgress: async () => undefined,
    })
  }
  const eventsIn = (from: string, to: string) =>
    scene.services.db.reading(scene.seller.merchantId, tx =>
      productEvents(tx, scene.seller.merchantId, scene.profile.marketplaceId, from, to),
    )

  test('before the first snapshot are the stock-outs that still last, on the day of the last change of their stock', async () => {
    const { sellerId, marketplaceAmazonId, timezone } = scene.profile
    const { world } = scene.sandbox
    const now = scene.services.clock.now()
    const empty = [...world.store.products.values()].filter(
      p => p.sellerId === sellerId && p.marketplaceId === marketplaceAmazonId && p.fulfillable === 0,
    )
    const sales = world.market().ordersByHour(sellerId, marketplaceAmazonId, new Date(0), now)
    const books = empty.map(({ sku, asin }) => {
      const last = Math.max(...sales.filter(sale => sale.sku === sku).map(sale => sale.hour))
      return {
        asin,
        date: dayIn(new Date((last + 1) * 3_600_000), timezone),
        kind: 'OUT_OF_STOCK',
        before: null,
        after: 0,
      }
    })
    expect(books.length).toBeGreaterThan(0)
    const today = dayIn(now, timezone)
    const events = (await eventsIn('2020-01-01', today)).map(({ asin, date, kind, before, after }) => ({
      asin,
      date,
      kind,
      before,
      after,
    }))
    // What ran out today is an event of the snapshot of today.
    const earlier = books.filter(({ date }) => date < today)
    expect(events.filter(({ date }) => date < today)).toEqual(expect.arrayContaining(earlier))
    expect(events.filter(({ date }) => date < today)).toHaveLength(earlier.length)
  })

  test('are a stock-out, its end and a new price, each on the day of the snapshot that shows it', async () => {
    const { asin, title } = (await page()).content[0] ?? {}
    const first = '2027-01-05'
    await importOn(first, { fulfillable: 40, priceMicros: 20_000_000 })
    await importOn('2027-01-06', { fulfillable: 0 })
    // The same day again: what it shows last counts, once.
    await importOn('2027-01-06', { fulfillable: 0, priceMicros: 22_500_000 })
    await importOn('2027-01-07', { fulfillable: 0 })
    await importOn('2027-01-09', { fulfillable: 12 })
    expect(await eventsIn('2027-01-06', '2027-01-31')).toEqual([
      { date: '2027-01-06', asin, title, kind: 'OUT_OF_STOCK', before: 40, after: 0 },
      { date: '2027-01-06', asin, title, kind: 'PRICE_CHANGED', before: 20, after: 22.5 },
      { date: '2027-01-09', asin, title, kind: 'BACK_IN_STOCK', before: 0, after: 12 },
    ])
    expect(await eventsIn('2027-01-07', '2027-01-08')).toEqual([])
  })

  test('are none when stock returns within the day, nor where a value is unknown', async () => {
    await importOn('2027-02-01', { fulfillable: 5 })
    await importOn('2027-02-02', { fulfillable: 0 })
    await importOn('2027-02-02', { fulfillable: 6 })
    await fault({ kind: 'status', status: 400, times: 1000, match: { vendor: 'sp', path: '/fba/inventory/*' } })
    await importOn('2027-02-03', { fulfillable: 0 })
    await scene.sandbox.control('DELETE', 'faults')
    expect(await eventsIn('2027-02-02', '2027-02-03')).toEqual([])
  })

  test('leave the snapshots of 24 months', async () => {
    await importOn('2029-02-01', {})
    const { system } = scene.services.db
    const oldest = system.selectFrom('product_day').select(eb => eb.fn.min('date').as('date'))
    expect((await oldest.executeTakeFirstOrThrow()).date).toBe('2027-02-01')
  })
})

describe('an import', () => {
  let key: string
  beforeEach(() => {
    key = [...scene.sandbox.world.store.products.keys()].find(k => k.startsWith(`${scene.profile.sellerId}|`)) ?? ''
  })

  test('takes out of the list what is no longer listed, keeps its row, and brings it back', async () => {
    const { products } = scene.sandbox.world.store
    const before = await page()
    const gone = products.get(
      [...products].find(([, p]) => p.sku === before.content[0]?.sku && p.sellerId === scene.profile.sellerId)?.[0] ??
        key,
    )
    if (!gone) throw new Error('no product in the books')
    const at = [...products].find(([, p]) => p === gone)?.[0] ?? ''
    products.delete(at)
    await scene.importAll()
    expect((await page()).content.map(p => p.sku)).toEqual(before.content.slice(1).map(p => p.sku))
    const offered = await scene.services.db.tenant(scene.seller.merchantId, tx =>
      productsByAsin(tx, scene.seller.merchantId, scene.profile.marketplaceId, [gone.asin]),
    )
    expect(offered.map(p => p.sku)).not.toContain(gone.sku)
    products.set(at, gone)
    await scene.importAll()
    expect((await page()).content.map(p => p.productId)).toEqual(before.content.map(p => p.productId))
  })

  test('cut off between two calls changes nothing', async () => {
    const before = await page()
    const cut = new AbortController()
    const attempt = importCatalogue(scene.services, scene.profile, {
      signal: cut.signal,
      onProgress: async share => {
        if (share > 0.6) cut.abort(new Error('the process is ending'))
      },
    })
    await expect(attempt).rejects.toThrow('the process is ending')
    expect(await page()).toEqual(before)
  })

  test('goes on without what the marketplace refuses to tell', async () => {
    await fault({
      kind: 'status',
      status: 400,
      times: 1000,
      match: { vendor: 'ads', path: '/eligibility/product/list' },
    })
    expect(await scene.importAll()).toBe((await page()).page.totalElements)
    expect((await page()).content.every(p => p.title !== null)).toBe(true)
    await scene.sandbox.control('DELETE', 'faults')
  })

  test('keeps existing values where the marketplace rejects a new request', async () => {
    const current = async () => ({
      content: (await page()).content,
      fees: await scene.services.db.system.selectFrom('product').select(['id', 'fees_micros']).orderBy('id').execute(),
    })
    await scene.importAll()
    const before = await current()
    expect(before.content.some(p => p.available !== null && p.spEligibilityStatus !== null)).toBe(true)
    for (const match of [
      { vendor: 'sp', path: '/fba/inventory/*' },
      { vendor: 'sp', path: '/products/fees/*' },
      { vendor: 'sp', path: '/catalog/*' },
      { vendor: 'ads', path: '/product/metadata' },
      { vendor: 'ads', path: '/eligibility/product/list' },
    ])
      await fault({ kind: 'status', status: 400, times: 1000, match })
    await scene.importAll()
    const after = await current()
    await scene.sandbox.control('DELETE', 'faults')
    expect(after).toEqual(before)
  })
})
