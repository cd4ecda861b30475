import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayIn } from '#shared/time.ts'
import { type CatalogueScene, openCatalogueScene } from '../../../../../tests/support/catalogue-scene.ts'
import { type ConnectedSeller, connectSeller } from '../../../../../tests/support/connected-seller.ts'
import { beginning, type InventoryProduct } from '../../contract.ts'
import { removeCogs, setCogs } from '../inventory.ts'
import { costImportEndpoints as imports } from '../../cost-import-contract.ts'
import { listCosts } from './change-costs.ts'
import { costTemplate, importCosts, listCostImports } from './import-costs.ts'
import { undoCostImport } from './undo-cost-import.ts'
import { costSpans, goodsCosts } from './goods-costs.ts'

let scene: CatalogueScene
let today: string
let stranger: ConnectedSeller
let products: InventoryProduct[]
beforeAll(async () => {
  scene = await openCatalogueScene()
  stranger = await connectSeller(scene.services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
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
    const tooFine = { code: 'VALIDATION_FAILED', details: ['cogs: USD has no such small amounts'] }
    await expect(set(1.005)).rejects.toMatchObject(tooFine)
    expect(await history()).toEqual([])
  })

  test('another merchant’s product does not exist', async () => {
    await set(4)
    const { productId } = product()
    const notFound = { code: 'NOT_FOUND' }
    await expect(setCogs(stranger.ctx, { productId, cogs: 1 })).rejects.toMatchObject(notFound)
    await expect(removeCogs(stranger.ctx, { productId, validFrom: beginning })).rejects.toMatchObject(notFound)
    await expect(listCosts(stranger.ctx, productId)).rejects.toMatchObject(notFound)
    expect(await history()).toEqual([[beginning, 4]])
  })
})

describe('a file of costs', () => {
  type Body = Parameters<typeof importCosts>[1]
  const send = async (text: string, more: Partial<Body> = {}, caller = scene.ctx) =>
    v.parse(
      imports.importCosts.response,
      await importCosts(caller, {
        fileName: 'costs.csv',
        content: Buffer.from(text).toString('base64'),
        apply: 'NONE',
        ...more,
      }),
    )
  const skus = () => products.map(one => one.sku)

  test('is previewed line by line, changes nothing before it is applied, and then all at once', async () => {
    await set(4)
    const [one, two] = skus()
    const text = `sku,cogs,valid_from\n${one},5,2026-03-01\n${two},7.25,\n${one},4,beginning\n`
    const preview = await send(text)
    expect(preview).toMatchObject({
      lines: 3,
      decimal: 'POINT',
      changesTotal: 2,
      unchanged: 1,
      faults: [],
      importId: null,
    })
    expect(preview.changes).toEqual([
      { line: 2, sku: one, title: product().title, validFrom: '2026-03-01', before: 4, after: 5 },
      { line: 3, sku: two, title: product(1).title, validFrom: beginning, before: null, after: 7.25 },
    ])
    expect(await history()).toEqual([[beginning, 4]])
    const { importId } = await send(text, { apply: 'ALL' })
    expect(importId).toEqual(expect.any(Number))
    expect(await history()).toEqual([
      ['2026-03-01', 5],
      [beginning, 4],
    ])
    expect(await history(1)).toEqual([[beginning, 7.25]])
    // Sent again it finds nothing to change.
    expect(await send(text, { apply: 'ALL' })).toMatchObject({ changesTotal: 0, unchanged: 3, importId: null })
  })

  test('with faulty lines says what is wrong with each, and applies the others only when they are left out', async () => {
    const [one, two] = skus()
    const text = [
      'sku;cogs;valid_from;currency',
      `${one};4,50;;USD`,
      'NOBODYS;3,00;;',
      `${two};-1,00;;`,
      `${two};1.50;;`,
      `${two};x;31/12/2026;EUR`,
      `;2,00;;`,
      `${skus()[2]};2,00;2026-02-30;`,
      `${skus()[3]};2,00;2026-03-01;`,
      `${skus()[3]};3,00;2026-03-01;`,
    ].join('\n')
    const preview = await send(text)
    expect(preview.decimal).toBe('COMMA')
    expect(preview.faults.map(({ line, field, message }) => [line, field, message])).toEqual([
      [3, 'sku', 'You list no product with this SKU in this marketplace.'],
      [4, 'cogs', 'A cost cannot be negative.'],
      [5, 'cogs', 'This is not a number: in this file decimals come after a comma.'],
      [6, 'currency', 'The costs of this marketplace are in USD.'],
      [6, 'cogs', 'This is not a number.'],
      [6, 'valid_from', 'Write the day as year-month-day, like 2026-03-31.'],
      [7, 'sku', 'There is no SKU.'],
      [8, 'valid_from', 'There is no such day.'],
      [9, 'sku', 'Line 10 names the same SKU and day.'],
      [10, 'sku', 'Line 9 names the same SKU and day.'],
    ])
    await expect(send(text, { apply: 'ALL' })).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    expect(await history()).toEqual([])
    expect(await send(text, { apply: 'VALID' })).toMatchObject({ changesTotal: 1, importId: expect.any(Number) })
    expect(await history()).toEqual([[beginning, 4.5]])
  })

  test('whose amounts could mean either asks first, and takes the answer', async () => {
    const text = `sku\tcogs\n${skus()[0]}\t1.234\n`
    expect(await send(text)).toMatchObject({ decimal: null, ambiguous: '1.234', changesTotal: 0 })
    await expect(send(text, { apply: 'ALL' })).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    expect((await send(text, { decimal: 'COMMA' })).changes[0]?.after).toBe(1234)
    expect((await send(text, { decimal: 'POINT' })).faults[0]?.message).toBe('USD has at most 2 decimals.')
  })

  test('is undone as a whole, but for what was changed since', async () => {
    await set(4)
    const [one, two, three] = skus()
    const { importId } = await send(`sku,cogs\n${one},5\n${two},6\n${three},7\n`, { apply: 'ALL' })
    await set(6.5, beginning, 1)
    const [listed] = await listCostImports(scene.ctx)
    expect(listed).toMatchObject({ id: importId, fileName: 'costs.csv', changes: 3, undoneAt: null })
    expect(await undoCostImport(scene.ctx, importId ?? 0)).toEqual({ restored: 2, changedSince: 1 })
    expect([await history(), await history(1), await history(2)]).toEqual([[[beginning, 4]], [[beginning, 6.5]], []])
    expect(await undoCostImport(scene.ctx, importId ?? 0)).toEqual({ restored: 0, changedSince: 0 })
    expect((await listCostImports(scene.ctx))[0]?.undoneAt).not.toBeNull()
  })

  test('another merchant knows neither the skus nor the import', async () => {
    const text = `sku,cogs\n${skus()[0]},5\n`
    const { importId } = await send(text, { apply: 'ALL' })
    const { ctx } = stranger
    expect((await send(text, {}, ctx)).faultsTotal).toBe(1)
    expect(await listCostImports(ctx)).toEqual([])
    await expect(undoCostImport(ctx, importId ?? 0)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('begins as a template of every sku, which can be sent as it is', async () => {
    await set(4.25)
    const template = await costTemplate(scene.ctx, { format: 'csv' })
    const chunks: Uint8Array[] = []
    for await (const chunk of template.content) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const text = bytes.toString()
    expect(text.split(/\r?\n/)[0]).toBe('\uFEFFsku,title,cogs,valid_from')
    for (const sku of skus()) expect(text).toContain(sku)
    expect(await send('', { content: bytes.toString('base64') })).toMatchObject({
      lines: 1,
      faultsTotal: 0,
      changesTotal: 0,
      unchanged: 1,
    })
  })
})
