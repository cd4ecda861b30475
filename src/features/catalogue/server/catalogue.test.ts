import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { catalogueEndpoints } from '../contract.ts'
import { checkEligibility } from './check-eligibility.ts'
import { importCatalogue } from './import/import-catalogue.ts'
import { listInventory } from './list-inventory.ts'
import { productsByAsin } from './products-by-asin.ts'
import { setCogs } from './set-cogs.ts'
import { productCosts } from './sql/product-costs.ts'

type Opened = Awaited<ReturnType<typeof servicesWithOutside>>
let opened: Opened
let seller: ConnectedSeller
let ctx: Ctx

const whole = { signal: new AbortController().signal, onProgress: async () => undefined }
const import_ = () => importCatalogue(opened.services, profile(), whole)
const profile = () => {
  const [first] = seller.profiles
  if (!first) throw new Error('no profile')
  return first
}
const page = (given: { page?: number; size?: number; search?: string; asins?: string; snapshotDate?: string } = {}) =>
  listInventory(ctx, { page: 0, size: 100, ...given })
const first = async () => {
  const [product] = (await page()).content
  if (!product) throw new Error('no product')
  return product
}

const fault = async (given: object) => {
  const reply = await fetch(`${opened.sandbox.url}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  expect(reply.status).toBe(201)
}

beforeAll(async () => {
  opened = await servicesWithOutside()
  seller = await connectSeller(opened.services, {
    login: 'agency@sandbox.test',
    sellerId: 'A1HARBORLANEUS',
    countries: ['US'],
  })
  ctx = seller.ctx
  await import_()
}, 120_000)
afterAll(() => opened.services.close())

describe('the inventory', () => {
  test('shows what the marketplace has in its books, with stock and price', async () => {
    const { marketplaceAmazonId, sellerId } = profile()
    const inBooks = [...opened.sandbox.world.books.products.values()].filter(
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
      Object.fromEntries(inBooks.map(p => [p.sku, p.eligibility])),
    )
  })

  test('names pictures only of the hosts that a page may show', async () => {
    const stored = opened.services.db.system
      .selectFrom('product')
      .select('image_url')
      .where('image_url', 'is not', null)
    const { origin } = new URL((await stored.executeTakeFirstOrThrow()).image_url ?? '')
    const shown = async (...hosts: string[]) => {
      const config = { ...ctx.config, IMAGE_HOSTS: hosts }
      const { content } = await listInventory({ ...ctx, config }, { page: 0, size: 100 })
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
    const wanted = content.filter(p => p.asin !== null).slice(-2)
    expect(wanted).toHaveLength(2)
    const answer = await page({ asins: wanted.map(p => p.asin).join(',') })
    expect(new Set(answer.content.map(p => p.asin))).toEqual(new Set(wanted.map(p => p.asin)))
    expect(answer.content.map(p => p.sku)).toEqual(expect.arrayContaining(wanted.map(p => p.sku)))
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
    const { services } = opened
    await services.db.system
      .insertInto('product_stock_day')
      .values({
        merchant_id: seller.merchantId,
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
    expect(await asOf('2026-01-04')).toMatchObject({ available: null, title: today.title })
    expect(await first()).toEqual(today)
  })

  test('of another merchant is not seen', async () => {
    const stranger = await connectSeller(opened.services, {
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

describe('the cost of a piece', () => {
  test('stays through the next import and is written into the audit log', async () => {
    const product = await first()
    const answered = await setCogs(ctx, { productId: product.productId, cogs: 4.25 })
    expect(answered).toEqual({ ...product, cogs: 4.25 })
    await import_()
    expect(await first()).toEqual(answered)
    const costs = await opened.services.db.tenant(seller.merchantId, tx =>
      productCosts(tx, seller.merchantId, profile().marketplaceId),
    )
    expect(costs.get(product.asin ?? '')).toMatchObject({ cogsMicros: 4_250_000, feesMicros: expect.any(Number) })
    const entry = await opened.services.db.system
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'product.set-cogs')
      .where('entity_id', '=', String(product.productId))
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      account_id: seller.accountId,
      before: { cogsMicros: null },
      after: { cogsMicros: 4_250_000 },
    })
  })

  test('finer than the currency is refused', async () => {
    const { productId } = await first()
    await expect(setCogs(ctx, { productId, cogs: 1.005 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('is not a viewer’s to set', async () => {
    const { services } = opened
    const viewer = await addAccount(services, `${randomUUID()}@people.test`)
    await services.db.system
      .insertInto('membership')
      .values({ account_id: viewer, merchant_id: seller.merchantId, role: 'VIEWER', ended_at: null })
      .execute()
    const { productId } = await first()
    const asViewer = await callerOf(services, viewer, [])
    await expect(setCogs(asViewer, { productId, cogs: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('an import', () => {
  let key: string
  beforeEach(() => {
    key = [...opened.sandbox.world.books.products.keys()].find(k => k.startsWith(`${profile().sellerId}|`)) ?? ''
  })

  test('takes out of the list what is no longer listed, keeps its row, and brings it back', async () => {
    const { products } = opened.sandbox.world.books
    const before = await page()
    const gone = products.get(
      [...products].find(([, p]) => p.sku === before.content[0]?.sku && p.sellerId === profile().sellerId)?.[0] ?? key,
    )
    if (!gone) throw new Error('no product in the books')
    const at = [...products].find(([, p]) => p === gone)?.[0] ?? ''
    products.delete(at)
    await import_()
    expect((await page()).content.map(p => p.sku)).toEqual(before.content.slice(1).map(p => p.sku))
    const offered = await opened.services.db.tenant(seller.merchantId, tx =>
      productsByAsin(tx, seller.merchantId, profile().marketplaceId, [gone.asin]),
    )
    expect(offered.map(p => p.sku)).not.toContain(gone.sku)
    products.set(at, gone)
    await import_()
    expect((await page()).content.map(p => p.productId)).toEqual(before.content.map(p => p.productId))
  })

  test('cut off between two calls changes nothing', async () => {
    const before = await page()
    const cut = new AbortController()
    const attempt = importCatalogue(opened.services, profile(), {
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
    expect(await import_()).toBe((await page()).page.totalElements)
    expect((await page()).content.every(p => p.title !== null)).toBe(true)
    await fetch(`${opened.sandbox.url}/control/faults`, { method: 'DELETE' })
  })

  test('keeps what was known where the marketplace refuses to tell it anew', async () => {
    const known = async () => ({
      content: (await page()).content,
      costs: await opened.services.db.tenant(seller.merchantId, tx =>
        productCosts(tx, seller.merchantId, profile().marketplaceId),
      ),
    })
    await import_()
    const before = await known()
    expect(before.content.some(p => p.available !== null && p.spEligibilityStatus !== null)).toBe(true)
    for (const match of [
      { vendor: 'sp', path: '/fba/inventory/*' },
      { vendor: 'sp', path: '/products/fees/*' },
      { vendor: 'sp', path: '/catalog/*' },
      { vendor: 'ads', path: '/product/metadata' },
      { vendor: 'ads', path: '/eligibility/product/list' },
    ])
      await fault({ kind: 'status', status: 400, times: 1000, match })
    await import_()
    const after = await known()
    await fetch(`${opened.sandbox.url}/control/faults`, { method: 'DELETE' })
    expect(after).toEqual(before)
  })
})

describe('a check of eligibility', () => {
  test('answers each ASIN once in the order asked and keeps what is new', async () => {
    const { content } = await page()
    const [one, two] = content
    const books = [...opened.sandbox.world.books.products.values()]
    const inBooks = books.find(p => p.sku === one?.sku && p.marketplaceId === profile().marketplaceAmazonId)
    if (!inBooks || !one?.asin || !two?.asin) throw new Error('no products')
    Object.assign(inBooks, { eligibility: 'INELIGIBLE', eligibilityMessage: 'Taken off for a while.' })
    const answers = await checkEligibility(ctx, [two.asin, one.asin, two.asin])
    expect(answers.map(a => a.asin)).toEqual([two.asin, one.asin])
    expect(answers[1]).toMatchObject({ status: 'INELIGIBLE', message: 'Taken off for a while.' })
    expect((await page()).content[0]).toMatchObject({
      spEligibilityStatus: 'INELIGIBLE',
      spEligibilityMessage: 'Taken off for a while.',
    })
  })

  test('of an ASIN with two skus bars the one alone that may not be advertised, and answers the worst', async () => {
    const { products } = opened.sandbox.world.books
    const second = (await page()).content[1]
    const [at, own] = [...products].find(([, p]) => p.sku === second?.sku && p.sellerId === profile().sellerId) ?? []
    if (!at || !own || !second?.asin) throw new Error('no product in the books')
    const used = { ...own, sku: `${own.sku}-USED`, eligibility: 'INELIGIBLE', eligibilityMessage: 'Used.' } as const
    products.set(`${at}-USED`, used)
    await import_()
    expect(await checkEligibility(ctx, [second.asin])).toMatchObject([{ status: 'INELIGIBLE', message: 'Used.' }])
    const rows = await opened.services.db.tenant(seller.merchantId, tx =>
      productsByAsin(tx, seller.merchantId, profile().marketplaceId, [second.asin ?? '']),
    )
    expect(Object.fromEntries(rows.map(row => [row.sku, row.eligibilityStatus]))).toEqual({
      [own.sku]: own.eligibility,
      [used.sku]: 'INELIGIBLE',
    })
  })
})
