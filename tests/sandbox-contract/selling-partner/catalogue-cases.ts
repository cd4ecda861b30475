import { expect, test } from 'vitest'
import { at, listAt } from '../selling-partner-world.ts'
import { HOUR, type Judge } from './judge.ts'

/** The catalogue, the fees and the prices. */
export function catalogueCases({ ask, product, world, marketplaceId }: Judge): void {
  const marketplaceIds = marketplaceId
  test('the catalogue', async () => {
    const includedData =
      'attributes,classifications,dimensions,identifiers,images,productTypes,relationships,salesRanks,summaries'
    const query = { marketplaceIds, includedData }
    const search = { ...query, identifiersType: 'ASIN', identifiers: product().asin }
    expect(at((await ask('searchCatalogItems', { query: search })).body, 'numberOfResults')).toBe(1)
    expect((await ask('searchCatalogItems', { query })).status).toBe(400)
    expect((await ask('getCatalogItem', { path: { asin: product().asin }, query })).status).toBe(200)
    world().clock.advance(HOUR)
    expect((await ask('getCatalogItem', { path: { asin: 'B000000000' }, query })).status).toBe(404)
  })

  test('what the marketplace would keep', async () => {
    const FeesEstimateRequest = {
      MarketplaceId: marketplaceId,
      IsAmazonFulfilled: true,
      PriceToEstimateFees: { ListingPrice: { CurrencyCode: 'USD', Amount: 20 } },
      Identifier: 'one',
    }
    const { asin: Asin, sku: SellerSKU } = product()
    const single = { path: { Asin, SellerSKU }, body: { FeesEstimateRequest } }
    expect((await ask('getMyFeesEstimateForASIN', single)).status).toBe(200)
    expect((await ask('getMyFeesEstimateForSKU', single)).status).toBe(200)
    expect((await ask('getMyFeesEstimateForSKU', { path: { SellerSKU }, body: {} })).status).toBe(400)
    const many = [Asin, 'B000000000'].map(IdValue => ({ FeesEstimateRequest, IdType: 'ASIN', IdValue }))
    const { body } = await ask('getMyFeesEstimates', { body: many })
    expect(listAt(body).map(one => at(one, 'Status'))).toEqual(['Success', 'ClientError'])
  })

  test('prices beside rivals’', async () => {
    const uri = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'
    const priceRequests = [product().sku, 'none'].map(sku => ({ marketplaceId, sku, method: 'GET', uri }))
    const { body } = await ask('getFeaturedOfferExpectedPriceBatch', { body: { requests: priceRequests } })
    expect(listAt(body, 'responses').map(one => at(one, 'status', 'statusCode'))).toEqual([200, 400])
    const summary = '/products/pricing/2022-05-01/items/competitiveSummary'
    const request = {
      asin: product().asin,
      marketplaceId,
      includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'],
      lowestPricedOffersInputs: [{ itemCondition: 'New', offerType: 'Consumer' }],
      uri: summary,
      method: 'GET',
    }
    expect((await ask('getCompetitiveSummary', { body: { requests: [request] } })).status).toBe(200)
    world().clock.advance(HOUR)
    const unknown = { ...request, asin: 'B000000000' }
    expect((await ask('getCompetitiveSummary', { body: { requests: [unknown] } })).status).toBe(400)
  })
}
