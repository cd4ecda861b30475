import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CatalogueScene, openCatalogueScene } from '../../../../../tests/support/catalogue-scene.ts'
import { productCosts, productsByAsin } from '../product-rows.ts'
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
      costs: await scene.services.db.tenant(scene.seller.merchantId, tx =>
        productCosts(tx, scene.seller.merchantId, scene.profile.marketplaceId),
      ),
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
