import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import { invalid, ok, type Operation, operation, SpError, type SpAnswer, type SpRequest } from './operation.ts'
import { currencyOf } from './product-fields.ts'
import { isObject } from './read-request.ts'

interface PriceRequest {
  uri?: unknown
  method?: unknown
  marketplaceId?: unknown
  sku?: unknown
  segment?: unknown
  asin?: unknown
  includedData?: unknown
  lowestPricedOffersInputs?: unknown
}

function money(micros: number, marketplaceId: string): { amount: number; currencyCode: string } {
  const currencyCode = currencyOf(marketplaceId)
  return { amount: fromMicros(roundToUnit(micros, currencyCode)), currencyCode }
}

/** A rival's price for the same product: a little above or below the seller's, and always the same. */
const rivalMicros = (product: Product): number => product.priceMicros * (0.92 + (hashText(product.asin, 21) % 17) / 100)

/** The answer to one request of a batch. */
interface BatchItem {
  status: { statusCode: number; reasonPhrase: string }
  body: object
}
/** One request of a batch that cannot be answered. */
class ItemError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What the featured offer would have to cost: no more than the rival's. */
function featuredOffer({ store, seller }: SpRequest, { marketplaceId, sku }: PriceRequest): object {
  const product = store.products.get(`${seller.sellerId}|${String(marketplaceId)}|${String(sku)}`)
  if (!product)
    throw new ItemError('INVALID_SKU', 'The requested SKU does not exist for the seller in the requested Amazon store.')
  const { asin, sellerId, priceMicros } = product
  const price = (micros: number): object => ({ listingPrice: money(micros, product.marketplaceId) })
  const offerIdentifier = { asin, sku, marketplaceId, fulfillmentType: 'AFN', sellerId }
  const rivalIdentifier = { marketplaceId, asin, sellerId: 'A9RIVALSELLER0', fulfillmentType: 'AFN' }
  const rivalPrice = rivalMicros(product)
  const rivalOffer = { offerIdentifier: rivalIdentifier, condition: 'New', price: price(rivalPrice) }
  const ownOffer = { offerIdentifier, condition: 'New', price: price(priceMicros) }
  return {
    offerIdentifier,
    featuredOfferExpectedPriceResults: [
      {
        featuredOfferExpectedPrice: price(Math.min(priceMicros, rivalPrice)),
        resultStatus: 'VALID_FOEP',
        competingFeaturedOffer: rivalOffer,
        currentFeaturedOffer: priceMicros <= rivalPrice ? ownOffer : rivalOffer,
      },
    ],
  }
}

const dataSets: Record<string, (product: Product, input: PriceRequest, request: SpRequest) => unknown> = {
  featuredBuyingOptions: product => [
    {
      buyingOptionType: 'New',
      segmentedFeaturedOffers: [
        {
          ...offerOf(product),
          featuredOfferSegments: [
            { customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } },
          ],
        },
      ],
    },
  ],
  referencePrices: product => [
    { name: 'CompetitivePriceThreshold', price: money(rivalMicros(product), product.marketplaceId) },
  ],
  lowestPricedOffers: (product, { lowestPricedOffersInputs }) =>
    (Array.isArray(lowestPricedOffersInputs) ? lowestPricedOffersInputs.filter(isObject) : [])
      .filter(({ itemCondition }) => itemCondition === 'New')
      .map(({ itemCondition, offerType }) => ({
        lowestPricedOffersInput: { itemCondition, offerType },
        offers: [offerOf(product)],
      })),
  similarItems: (product, _input, { store }) => [
    {
      items: [...store.products.values()]
        .filter(({ asin, categoryId }) => categoryId === product.categoryId && asin !== product.asin)
        .slice(0, 10)
        .map(({ asin }) => ({ asin })),
    },
  ],
}

function offerOf(product: Product): Record<string, unknown> {
  return {
    sellerId: product.sellerId,
    condition: 'New',
    fulfillmentType: 'AFN',
    listingPrice: money(product.priceMicros, product.marketplaceId),
    shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(0, product.marketplaceId) }],
  }
}

function summary(request: SpRequest, input: PriceRequest): object {
  const { asin, marketplaceId, includedData } = input
  const product = [...request.store.products.values()].find(
    one => one.asin === asin && one.marketplaceId === marketplaceId,
  )
  if (!product || !marketplaceByAmazonId(product.marketplaceId))
    throw new ItemError('INVALID_ASIN', `${String(asin)} is not a valid ASIN`)
  const names = Array.isArray(includedData) ? includedData.map(String) : []
  return Object.fromEntries(
    names.flatMap(name => (dataSets[name] ? [[name, dataSets[name](product, input, request)]] : [])),
  )
}

const isRequest = (value: unknown, uri: string): value is PriceRequest =>
  isObject(value) && value.uri === uri && value.method === 'GET'

/** A batch answers each of its requests separately. Only when none can be answered, the whole batch is rejected. */
function batch(
  uri: string,
  max: number,
  bodyOf: (request: SpRequest, input: PriceRequest) => object,
  wrap: (input: PriceRequest, item: BatchItem) => object,
) {
  return (request: SpRequest): SpAnswer => {
    const { requests } = (request.body ?? {}) as { requests?: unknown }
    const isBatch = Array.isArray(requests) && requests.length > 0 && requests.length <= max
    if (!isBatch || !requests.every(one => isRequest(one, uri)))
      throw invalid(`requests must be 1 to ${max} of GET ${uri}`)
    const errors: ItemError[] = []
    const responses = requests.map(input => {
      try {
        const status = { statusCode: 200, reasonPhrase: 'Success' }
        return wrap(input, { status, body: bodyOf(request, input) })
      } catch (error) {
        if (!(error instanceof ItemError)) throw error
        errors.push(error)
        const status = { statusCode: 400, reasonPhrase: 'Client Error' }
        return wrap(input, { status, body: { errors: [{ code: error.code, message: error.message }] } })
      }
    })
    const [first] = errors
    if (first && errors.length === requests.length) throw new SpError(400, first.code, first.message)
    return ok({ responses })
  }
}

const PRICING = '/products/pricing/2022-05-01'
const EXPECTED_PRICE = `${PRICING}/offer/featuredOfferExpectedPrice`
const SUMMARY = `${PRICING}/items/competitiveSummary`

const expectedPrices = batch(EXPECTED_PRICE, 40, featuredOffer, ({ marketplaceId, sku, segment }, item) => ({
  request: { marketplaceId, sku, ...(segment !== undefined && { segment }) },
  headers: {},
  ...item,
}))
const summaries = batch(SUMMARY, 20, summary, ({ asin, marketplaceId }, { status, body }) => ({
  status,
  body: { asin, marketplaceId, ...body },
}))

/** Prices compared with rivals' prices, in batches. */
export const priceOperations: Operation[] = [
  operation('getFeaturedOfferExpectedPriceBatch', `POST /batches${EXPECTED_PRICE}`, 0.033, 1, expectedPrices),
  operation('getCompetitiveSummary', `POST /batches${SUMMARY}`, 0.033, 1, summaries),
]
