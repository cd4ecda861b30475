import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CatalogueScene, openCatalogueScene } from '../../../../tests/support/catalogue-scene.ts'
import { connectSeller } from '../../../../tests/support/connected-seller.ts'
import { catalogueEndpoints } from '../contract.ts'
import { checkEligibility } from './check-eligibility.ts'
import { exportInventory, listInventory, setCogs } from './inventory.ts'
import { productsByAsin } from './product-rows.ts'

let scene: CatalogueScene
const page: CatalogueScene['page'] = query => scene.page(query)
async function first() {
  const [product] = (await page()).content
  if (!product) throw new Error('no product')
  return product
}

// As the marketplace judges: what is eligible and out of stock may be advertised, with a warning.
const eligibilityOf = ({ eligibility, fulfillable }: { eligibility: string; fulfillable: number }): string =>
  eligibility === 'ELIGIBLE' && fulfillable <= 0 ? 'ELIGIBLE_WITH_WARNING' : eligibility

beforeAll(async () => {
  scene = await openCatalogueScene()
})
afterAll(() => scene.services.close())

describe('the inventory', () => {
  test('shows what the marketplace has in its books, with stock and price', async () => {
    const { marketplaceAmazonId, sellerId } = scene.profile
    const inBooks = [...scene.sandbox.world.store.products.values()].filter(
      p => p.sellerId === sellerId && p.marketplaceId === marketplaceAmazonId,
    )
    const answer = await page()
    expect(v.parse(catalogueEndpoints.inventory.response, answer)).toEqual(answer)
    const { content, page: info, asOf } = answer
    expect(info).toEqual({ size: 100, number: 0, totalElements: inBooks.length, totalPages: 1 })
    expect(asOf).not.toBeNull()
    expect(
      Object.fromEntries(content.map(p => [p.sku, [p.asin, p.available, p.reservedQuantity, p.customerPrice]])),
    ).toEqual(Object.fromEntries(inBooks.map(p => [p.sku, [p.asin, p.fulfillable, p.reserved, p.priceMicros / 1e6]])))
    expect(Object.fromEntries(content.map(p => [p.sku, p.spEligibilityStatus]))).toEqual(
      Object.fromEntries(inBooks.map(p => [p.sku, eligibilityOf(p)])),
    )
    expect(inBooks.map(eligibilityOf)).toContain('ELIGIBLE_WITH_WARNING')
  })

  test('names pictures only of the hosts that a page may show', async () => {
    const stored = scene.services.db.system.selectFrom('product').select('image_url').where('image_url', 'is not', null)
    const { origin } = new URL((await stored.executeTakeFirstOrThrow()).image_url ?? '')
    const shown = async (...hosts: string[]) => {
      const config = { ...scene.ctx.config, IMAGE_HOSTS: hosts }
      const { content } = await listInventory({ ...scene.ctx, config }, { page: 0, size: 100 })
      return content.filter(p => p.imageUrl !== null).length
    }
    expect(await shown(origin)).toBeGreaterThan(0)
    expect(await shown('https://elsewhere.example')).toBe(0)
  })

  test('is in the order of titles and its pages do not overlap', async () => {
    const all = (await page()).content.map(p => p.productId)
    const paged: number[] = []
    for (let number = 0; number * 7 < all.length; number++)
      paged.push(...(await page({ page: number, size: 7 })).content.map(p => p.productId))
    expect(paged).toEqual(all)
    const titles = (await page()).content.map(p => p.title?.toLowerCase() ?? '')
    expect(titles).toEqual(titles.toSorted())
  })

  test('can be asked for some products alone, whatever else is listed', async () => {
    const { content } = await page()
    const query = content.filter(p => p.asin !== null).slice(-2)
    expect(query).toHaveLength(2)
    const answer = await page({ asins: query.map(p => p.asin).join(',') })
    expect(new Set(answer.content.map(p => p.asin))).toEqual(new Set(query.map(p => p.asin)))
    expect(answer.content.map(p => p.sku)).toEqual(expect.arrayContaining(query.map(p => p.sku)))
    expect(answer.page.totalElements).toBe(answer.content.length)
    expect((await page({ asins: 'B0NOTLISTE' })).content).toEqual([])
  })
  test('is searched by part of a title, sku or ASIN, whatever the case, and takes wildcards literally', async () => {
    const product = await first()
    for (const search of [product.title?.slice(3, 20).toUpperCase(), product.sku.toLowerCase(), product.asin ?? ''])
      expect((await page({ search: search ?? '' })).content.map(p => p.productId)).toContain(product.productId)
    expect((await page({ search: '%' })).content).toEqual([])
    expect((await page({ search: '_' })).page.totalElements).toBe(0)
  })

  test('tells the stock of a day, and nothing of a day before the first', async () => {
    const today = await first()
    const { services } = scene
    await services.db.system
      .insertInto('product_day')
      .values({
        merchant_id: scene.seller.merchantId,
        product_id: today.productId,
        date: '2026-01-05',
        available: 77,
        reserved: null,
        unfulfillable: null,
        inbound_working: null,
        inbound_shipped: null,
        inbound_received: null,
        taken_at: new Date('2026-01-05T09:00:00Z'),
      })
      .execute()
    const asOf = async (snapshotDate: string) =>
      (await page({ snapshotDate })).content.find(p => p.productId === today.productId)
    expect(await asOf('2026-01-20')).toMatchObject({ available: 77, reservedQuantity: null, inboundQuantity: null })
    expect(await asOf('2026-01-04')).toMatchObject({ available: null, customerPrice: null, title: today.title })
    expect(await page({ snapshotDate: '2026-01-04' })).toMatchObject({ asOf: null, firstDay: '2026-01-05' })
    expect((await page({ snapshotDate: '2026-01-20' })).asOf).toBe('2026-01-05T09:00:00.000Z')
    expect(await first()).toEqual(today)
  })

  test('is in the order of any figure, what is unknown last', async () => {
    const { content } = await page()
    for (const [sortBy, field] of [
      ['price', 'customerPrice'],
      ['available', 'available'],
      ['rank', 'bestSellerRank'],
      ['cogs', 'cogs'],
      ['cover', 'coverDays'],
    ] as const)
      for (const sortDir of ['asc', 'desc'] as const) {
        const sorted = (await page({ sortBy, sortDir })).content.map(p => p[field] ?? null)
        const expected = content
          .map(p => p[field] ?? null)
          .toSorted((a, b) => {
            if (a === null || b === null) return Number(a === null) - Number(b === null)
            return sortDir === 'asc' ? a - b : b - a
          })
        expect(sorted).toEqual(expected)
      }
  })

  test('is exported as the screen has it, or as it was on a day', async () => {
    const linesOf = async (more: object) => {
      const file = await exportInventory(scene.ctx, { format: 'csv', columns: ['available', 'customerPrice'], ...more })
      const decoder = new TextDecoder()
      let text = ''
      for await (const part of file.content) text += decoder.decode(part, { stream: true })
      return [file.name, ...text.trim().split(/\r?\n/)]
    }
    const [name, heading, ...rows] = await linesOf({ sortBy: 'available', sortDir: 'desc' })
    expect([name, heading]).toEqual(['tideline-inventory-us.csv', 'SKU,ASIN,Product,Available,Price (USD)'])
    const best = (await page({ sortBy: 'available', sortDir: 'desc' })).content[0]
    expect(rows).toHaveLength((await page()).page.totalElements)
    expect(rows[0]).toContain(`${best?.sku},${best?.asin},`)
    expect(rows[0]?.endsWith(`,${best?.available},${best?.customerPrice}`)).toBe(true)
    const [dated] = await linesOf({ snapshotDate: '2026-01-05' })
    expect(dated).toBe('tideline-inventory-2026-01-05-us.csv')
  })

  test('of another merchant is not seen', async () => {
    const stranger = await connectSeller(scene.services, {
      login: 'seller@sandbox.test',
      sellerId: 'A4DRIFTWOODUSX',
      countries: ['US'],
    })
    const strangers = await listInventory(stranger.ctx, { page: 0, size: 100 })
    expect(strangers).toMatchObject({ content: [], asOf: null })
    const mine = await first()
    await expect(setCogs(stranger.ctx, { productId: mine.productId, cogs: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a check of eligibility', () => {
  test('answers each ASIN once in the order asked and keeps what is new', async () => {
    const { content } = await page()
    const [one, two] = content
    const books = [...scene.sandbox.world.store.products.values()]
    const inBooks = books.find(p => p.sku === one?.sku && p.marketplaceId === scene.profile.marketplaceAmazonId)
    if (!inBooks || !one?.asin || !two?.asin) throw new Error('no products')
    Object.assign(inBooks, { eligibility: 'INELIGIBLE', eligibilityMessage: 'Taken off for a while.' })
    const answers = await checkEligibility(scene.ctx, [two.asin, one.asin, two.asin])
    expect(answers.map(a => a.asin)).toEqual([two.asin, one.asin])
    expect(answers[1]).toMatchObject({ status: 'INELIGIBLE', message: 'Taken off for a while.' })
    expect((await page()).content[0]).toMatchObject({
      spEligibilityStatus: 'INELIGIBLE',
      spEligibilityMessage: 'Taken off for a while.',
    })
  })

  test('of an ASIN with two skus bars the one alone that may not be advertised, and answers the worst', async () => {
    const { products } = scene.sandbox.world.store
    const second = (await page()).content[1]
    const [at, own] =
      [...products].find(([, p]) => p.sku === second?.sku && p.sellerId === scene.profile.sellerId) ?? []
    if (!at || !own || !second?.asin) throw new Error('no product in the books')
    const used = { ...own, sku: `${own.sku}-USED`, eligibility: 'INELIGIBLE', eligibilityMessage: 'Used.' } as const
    products.set(`${at}-USED`, used)
    await scene.importAll()
    expect(await checkEligibility(scene.ctx, [second.asin])).toMatchObject([{ status: 'INELIGIBLE', message: 'Used.' }])
    const rows = await scene.services.db.tenant(scene.seller.merchantId, tx =>
      productsByAsin(tx, scene.seller.merchantId, scene.profile.marketplaceId, [second.asin ?? '']),
    )
    expect(Object.fromEntries(rows.map(row => [row.sku, row.eligibilityStatus]))).toEqual({
      [own.sku]: own.eligibility,
      [used.sku]: 'INELIGIBLE',
    })
  })
})
