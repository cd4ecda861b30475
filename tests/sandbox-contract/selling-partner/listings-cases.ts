import { expect, test } from 'vitest'
import { at, listAt, textAt } from '../selling-partner-world.ts'
import type { Judge } from './judge.ts'

/** The seller, the stock and the listings. */
export function listingsCases({ ask, product, world, sellerId, marketplaceId }: Judge): void {
  const marketplaceIds = marketplaceId
  test('who sells where', async () => {
    expect(await ask('getMarketplaceParticipations')).toMatchObject({ status: 200 })
    const { body } = await ask('getAccount')
    expect(textAt(body, 'payload', 'marketplaceParticipationList', 0, 'marketplace', 'id')).toBe(marketplaceId)
  })

  test('stock', async () => {
    const query = { granularityType: 'Marketplace', granularityId: marketplaceId, marketplaceIds, details: 'true' }
    const all = await ask('getInventorySummaries', { query })
    expect(listAt(all.body, 'payload', 'inventorySummaries').length).toBeGreaterThan(5)
    const wrong = await ask('getInventorySummaries', { query: { ...query, granularityType: 'Country' } })
    expect(wrong.status).toBe(400)
  })

  test('listings, read', async () => {
    const includedData = 'summaries,attributes,issues,offers,fulfillmentAvailability,relationships,productTypes'
    const query = { marketplaceIds, includedData }
    const all = await ask('searchListingsItems', { path: { sellerId }, query: { ...query, pageSize: '20' } })
    expect(at(all.body, 'items')).toHaveLength(20)
    const one = await ask('getListingsItem', { path: { sellerId, sku: product().sku }, query })
    expect(textAt(one.body, 'summaries', 0, 'asin')).toBe(product().asin)
    expect((await ask('getListingsItem', { path: { sellerId, sku: 'none' }, query })).status).toBe(404)
    const nonsense = { ...query, includedData: 'everything' }
    expect((await ask('searchListingsItems', { path: { sellerId }, query: nonsense })).status).toBe(400)
  })

  test('listings, changed', async () => {
    const place = { path: { sellerId, sku: product().sku }, query: { marketplaceIds } }
    const preview = {
      path: place.path,
      query: { marketplaceIds, mode: 'VALIDATION_PREVIEW', includedData: 'identifiers,issues' },
    }
    const value = [{ value: 'A new name', marketplace_id: marketplaceId }]
    const patches = [{ op: 'replace', path: '/attributes/item_name', value }]
    const body = { productType: 'PRODUCT', patches }
    const answer = await ask('patchListingsItem', { ...preview, body })
    expect(answer.body).toMatchObject({ status: 'VALID', identifiers: [{ asin: product().asin }] })
    expect(at((await ask('patchListingsItem', { ...place, body })).body, 'status')).toBe('ACCEPTED')
    expect((await ask('patchListingsItem', { ...place, body: { patches } })).status).toBe(400)
    const put = { productType: 'PRODUCT', attributes: { fake_attribute: [{ value: 1 }] } }
    expect((await ask('putListingsItem', { ...preview, body: put })).body).toMatchObject({ status: 'INVALID' })
    expect((await ask('putListingsItem', { ...place, body: [] })).status).toBe(400)
    const doomed = [...world().store.products.values()].filter(one => one.sellerId === sellerId).at(-1)
    const gone = { sellerId, sku: doomed?.sku ?? '' }
    const deleted = await ask('deleteListingsItem', {
      path: gone,
      query: { marketplaceIds: doomed?.marketplaceId ?? '' },
    })
    expect(at(deleted.body, 'status')).toBe('ACCEPTED')
  })
}
