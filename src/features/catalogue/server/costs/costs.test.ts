import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayIn } from '#shared/time.ts'
import { type CatalogueScene, openCatalogueScene } from '../../../../../tests/support/catalogue-scene.ts'
import { connectSeller } from '../../../../../tests/support/connected-seller.ts'
import { addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { beginning, type InventoryProduct } from '../../contract.ts'
import { removeCogs, setCogs } from '../inventory.ts'
import { listCosts } from './change-costs.ts'
import { costSpans, goodsCosts } from './goods-costs.ts'

let scene: CatalogueScene
let today: string
let products: InventoryProduct[]
beforeAll(async () => {
  scene = await openCatalogueScene()
  today = dayIn(scene.services.clock.now(), scene.profile.timezone)
})
afterAll(() => scene.services.close())
beforeEach(async () => {
  await scene.services.db.system.deleteFrom('product_cost').execute()
  products = (await scene.page()).content
})

function product(index = 0): InventoryProduct & { asin: string } {
  const one = products[index]
  if (!one?.asin) throw new Error('no product')
  return { ...one, asin: one.asin }
}
const set = (cogs: number, validFrom?: string, index = 0) =>
  setCogs(scene.ctx, { productId: product(index).productId, cogs, validFrom })
const history = async (index = 0) =>
  (await listCosts(scene.ctx, product(index).productId)).costs.map(cost => [cost.validFrom, cost.cogs])
/** The cost of a unit, wherever a cost of the shop changed within the days. */
const spans = async (from: string, to: string) =>
  scene.services.db.reading(scene.profile.merchantId, async tx => {
    const cut = await costSpans(tx, scene.profile, { from, to })
    const { rows } = await sql<{ span: number; cogs: number }>`select c.span, c.cogs_micros::float8 as cogs
      from ${goodsCosts(scene.profile, cut)} c where c.asin = ${product().asin}`.execute(tx)
    return cut.map((span, i) => [span.from, span.to, rows.find(row => row.span === i)?.cogs ?? null])
  })

describe('the cost of a unit', () => {
  test('holds from the beginning when it is the first, and from today when it is a later one', async () => {
    expect((await set(4.25)).cogs).toBe(4.25)
    expect(await history()).toEqual([[beginning, 4.25]])
    expect((await set(5)).cogs).toBe(5)
    expect(await history()).toEqual([
      [today, 5],
      [beginning, 4.25],
    ])
  })

  test('of a chosen day leaves the days before and after the next change alone', async () => {
    await set(4)
    await set(6, '2026-03-01')
    await set(5, '2026-02-01')
    expect(await spans('2026-01-01', '2026-03-31')).toEqual([
      ['2026-01-01', '2026-01-31', 4_000_000],
      ['2026-02-01', '2026-02-28', 5_000_000],
      ['2026-03-01', '2026-03-31', 6_000_000],
    ])
    expect(await spans('2026-02-10', '2026-02-20')).toEqual([['2026-02-10', '2026-02-20', 5_000_000]])
    expect((await scene.page({ snapshotDate: '2026-02-10' })).content[0]?.cogs).toBe(5)
    expect((await scene.page()).content[0]?.cogs).toBe(6)
  })

  test('is corrected by another of the same day, and removed to let the one before hold', async () => {
    await set(4)
    await set(9.99, '2026-03-01')
    await set(6, '2026-03-01')
    expect(await history()).toEqual([
      ['2026-03-01', 6],
      [beginning, 4],
    ])
    const { productId } = product()
    expect((await removeCogs(scene.ctx, { productId, validFrom: '2026-03-01' })).cogs).toBe(4)
    await expect(removeCogs(scene.ctx, { productId, validFrom: '2026-03-01' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await removeCogs(scene.ctx, { productId, validFrom: beginning })
    expect((await scene.page()).content[0]?.cogs).toBeNull()
    expect(await spans('2026-01-01', '2026-03-31')).toEqual([['2026-01-01', '2026-03-31', null]])
  })

  test('is unknown before the first, and holds in future only from its day on', async () => {
    await set(4, '2026-02-01')
    await set(8, '2099-01-01')
    expect(await spans('2026-01-31', '2026-02-02')).toEqual([
      ['2026-01-31', '2026-01-31', null],
      ['2026-02-01', '2026-02-02', 4_000_000],
    ])
    expect((await scene.page()).content[0]?.cogs).toBe(4)
  })

  test('of an ASIN with several skus is the highest of them, day by day', async () => {
    const { system } = scene.services.db
    const { sku, asin } = product(1)
    await system.updateTable('product').set({ asin: product().asin }).where('sku', '=', sku).execute()
    await set(4)
    await set(3, '2026-02-01')
    await set(3.5, '2026-02-15', 1)
    await set(1, '2026-03-01', 1)
    expect(await spans('2026-01-01', '2026-03-31')).toEqual([
      ['2026-01-01', '2026-01-31', 4_000_000],
      ['2026-02-01', '2026-02-14', 3_000_000],
      ['2026-02-15', '2026-02-28', 3_500_000],
      ['2026-03-01', '2026-03-31', 3_000_000],
    ])
    await system.updateTable('product').set({ asin }).where('sku', '=', sku).execute()
  })

  test('stays through the next import and is written into the audit log', async () => {
    const answered = await set(4.25)
    expect(answered).toEqual({ ...product(), cogs: 4.25 })
    await scene.importAll()
    expect((await scene.page()).content[0]).toEqual(answered)
    const entry = await scene.services.db.system
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'product.set-cogs')
      .where('entity_id', '=', String(product().productId))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      account_id: scene.seller.accountId,
      before: { validFrom: beginning, cogsMicros: null },
      after: { validFrom: beginning, cogsMicros: 4_250_000 },
    })
  })

  test('finer than the currency is refused', async () => {
    await expect(set(1.005)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: ['cogs: USD has no such small amounts'],
    })
    expect(await history()).toEqual([])
  })

  test('is not a viewer’s to set or remove, and another merchant’s product does not exist', async () => {
    await set(4)
    const { services, seller } = scene
    const viewer = await addAccount(services, `${randomUUID()}@people.test`)
    await services.db.system
      .insertInto('membership')
      .values({ account_id: viewer, merchant_id: seller.merchantId, role: 'VIEWER', ended_at: null })
      .execute()
    const { productId } = product()
    const asViewer = await callerOf(services, viewer, [])
    await expect(setCogs(asViewer, { productId, cogs: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(removeCogs(asViewer, { productId, validFrom: beginning })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await connectSeller(services, {
      login: 'seller@sandbox.test',
      sellerId: 'A4DRIFTWOODUSX',
      countries: ['US'],
    })
    const notFound = { code: 'NOT_FOUND' }
    await expect(setCogs(stranger.ctx, { productId, cogs: 1 })).rejects.toMatchObject(notFound)
    await expect(removeCogs(stranger.ctx, { productId, validFrom: beginning })).rejects.toMatchObject(notFound)
    await expect(listCosts(stranger.ctx, productId)).rejects.toMatchObject(notFound)
    expect(await history()).toEqual([[beginning, 4]])
  })
})
