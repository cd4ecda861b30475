import { SELLER } from './whole-emulator.ts'
import { type Ids, JSON_TYPE, type Sample, US } from './sample.ts'

export function sellingPartner({ asin, sku }: Ids): Sample[] {
  const price = { ListingPrice: { CurrencyCode: 'USD', Amount: 10 }, Shipping: { CurrencyCode: 'USD', Amount: 1 } }
  const fees = { MarketplaceId: US, IsAmazonFulfilled: true, PriceToEstimateFees: price, Identifier: '1' }
  const prices = '/sp/na/batches/products/pricing/2022-05-01'
  const listing = `/sp/na/listings/2021-08-01/items/${SELLER}/${encodeURIComponent(sku)}?marketplaceIds=${US}`
  const attributes = {
    item_name: [{ value: 'Name', language_tag: 'en_US', marketplace_id: US }],
    brand: [{ value: 'Brand', marketplace_id: US }],
    condition_type: [{ value: 'new_new', marketplace_id: US }],
    merchant_suggested_asin: [{ value: asin, marketplace_id: US }],
    purchasable_offer: [
      { currency: 'USD', marketplace_id: US, our_price: [{ schedule: [{ value_with_tax: 10 }] }], audience: 'ALL' },
    ],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 5 }],
    main_product_image_locator: [{ media_location: 'https://x/1.jpg' }],
  }
  const report = { reportType: 'GET_SALES_AND_TRAFFIC_REPORT', marketplaceIds: [US] }
  return [
    {
      method: 'PUT',
      url: listing,
      type: JSON_TYPE,
      body: { productType: 'PRODUCT', requirements: 'LISTING', attributes },
    },
    {
      method: 'PATCH',
      url: listing,
      type: JSON_TYPE,
      body: {
        productType: 'PRODUCT',
        patches: Object.entries(attributes).map(([name, value]) => ({
          op: 'replace',
          path: `/attributes/${name}`,
          value,
        })),
      },
    },
    {
      method: 'POST',
      url: '/sp/na/reports/2021-06-30/reports',
      type: JSON_TYPE,
      body: {
        ...report,
        dataStartTime: '2026-11-01T12:00:00Z',
        dataEndTime: '2026-11-03T12:00:00Z',
        reportOptions: { asinGranularity: 'SKU', dateGranularity: 'DAY' },
      },
    },
    {
      method: 'POST',
      url: '/sp/na/reports/2021-06-30/schedules',
      type: JSON_TYPE,
      body: { ...report, period: 'PT1H', reportOptions: { a: 'b' }, nextReportCreationTime: '2026-11-22T12:00:00Z' },
    },
    {
      method: 'POST',
      url: '/sp/na/feeds/2021-06-30/feeds',
      type: JSON_TYPE,
      body: { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [US], inputFeedDocumentId: 'x', feedOptions: { a: 'b' } },
    },
    { method: 'POST', url: '/sp/na/feeds/2021-06-30/documents', type: JSON_TYPE, body: { contentType: 'text/plain' } },
    {
      method: 'POST',
      url: `/sp/na/products/fees/v0/listings/${encodeURIComponent(sku)}/feesEstimate`,
      type: JSON_TYPE,
      body: { FeesEstimateRequest: fees },
    },
    {
      method: 'POST',
      url: `/sp/na/products/fees/v0/items/${asin}/feesEstimate`,
      type: JSON_TYPE,
      body: { FeesEstimateRequest: fees },
    },
    {
      method: 'POST',
      url: '/sp/na/products/fees/v0/feesEstimate',
      type: JSON_TYPE,
      body: [{ FeesEstimateRequest: fees, IdType: 'ASIN', IdValue: asin }],
    },
    {
      method: 'POST',
      url: `${prices}/offer/featuredOfferExpectedPrice`,
      type: JSON_TYPE,
      body: {
        requests: [
          {
            uri: '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
            method: 'GET',
            marketplaceId: US,
            sku,
            segment: { segmentDetails: {} },
          },
        ],
      },
    },
    {
      method: 'POST',
      url: `${prices}/items/competitiveSummary`,
      type: JSON_TYPE,
      body: {
        requests: [
          {
            uri: '/products/pricing/2022-05-01/items/competitiveSummary',
            method: 'GET',
            marketplaceId: US,
            asin,
            includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'],
            lowestPricedOffersInputs: [{ itemCondition: 'New', offerType: 'Consumer' }],
          },
        ],
      },
    },
    {
      method: 'POST',
      url: '/sp/na/tokens/2021-03-01/restrictedDataToken',
      type: JSON_TYPE,
      body: {
        restrictedResources: [{ method: 'GET', path: '/orders/2026-01-01/orders', dataElements: ['buyerInfo'] }],
        targetApplication: 'x',
      },
    },
  ]
}
