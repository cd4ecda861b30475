import { z } from 'zod'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import { invalid, ok, operation, SpError, type SpRequest } from './operation.ts'
import { currencyOf, productsIn } from './product-fields.ts'

const priceRequest = z.object({
  uri: z.string(),
  method: z.literal('GET'),
  marketplaceId: z.string().catch(''),
  sku: z.string().catch(''),
  segment: z.unknown().optional(),
  asin: z.string().catch(''),
  includedData: z.array(z.string()).catch([]),
  lowestPricedOffersInputs: z
    .array(z.object({ itemCondition: z.unknown().optional(), offerType: z.unknown().optional() }))
    .catch([]),
})
type PriceRequest = z.output<typeof priceRequest>

function money(micros: number, marketplaceId: string): { amount: number; currencyCode: string } {
  const currencyCode = currencyOf(marketplaceId)
  return { amount: fromMicros(roundToUnit(micros, currencyCode)), currencyCode }
}

/** A rival's price for the same product: a little above or below the seller's, and always the same. */
const rivalMicros = (product: Product): number => product.priceMicros * (0.92 + (hashText(product.asin, 21) % 17) / 100)

/** What the featured offer would have to cost: no more than the rival's. Null for an unknown SKU. */
function featuredOffer({ store, seller }: SpRequest, { marketplaceId, sku }: PriceRequest): object | null {
  const product = store.products.get(`${seller.sellerId}|${marketplaceId}|${sku}`)
  if (!product) return null
  const { asin, sellerId, priceMicros } = product
  const rivalPrice = rivalMicros(product)
  const price = (micros: number) => ({ listingPrice: money(micros, marketplaceId) })
  const offerIdentifier = { asin, sku, marketplaceId, fulfillmentType: 'AFN', sellerId }
  const ownOffer = { offerIdentifier, condition: 'New', price: price(priceMicros) }
  const rivalIdentifier = { marketplaceId, asin, sellerId: 'A9RIVALSELLER0', fulfillmentType: 'AFN' }
  const rivalOffer = { offerIdentifier: rivalIdentifier, condition: 'New', price: price(rivalPrice) }
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
  featuredBuyingOptions(product) {
    const segment = { customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } }
    const offer = { ...offerOf(product), featuredOfferSegments: [segment] }
    return [{ buyingOptionType: 'New', segmentedFeaturedOffers: [offer] }]
  },
  referencePrices: product => [
    { name: 'CompetitivePriceThreshold', price: money(rivalMicros(product), product.marketplaceId) },
  ],
  lowestPricedOffers: (product, { lowestPricedOffersInputs }) =>
    lowestPricedOffersInputs
      .filter(({ itemCondition }) => itemCondition === 'New')
      .map(input => ({ lowestPricedOffersInput: input, offers: [offerOf(product)] })),
  similarItems: (product, _input, { store }) => [
    {
      items: [...store.products.values()]
        .filter(({ asin, categoryId }) => categoryId === product.categoryId && asin !== product.asin)
        .slice(0, 10)
        .map(({ asin }) => ({ asin })),
    },
  ],
}

function offerOf({ sellerId, priceMicros, marketplaceId }: Product): Record<string, unknown> {
  return {
    sellerId,
    condition: 'New',
    fulfillmentType: 'AFN',
    listingPrice: money(priceMicros, marketplaceId),
    shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(0, marketplaceId) }],
  }
}

function summary(request: SpRequest, input: PriceRequest): object | null {
  const product = productsIn(request.store, input.marketplaceId).find(one => one.asin === input.asin)
  if (!product || !marketplaceByAmazonId(product.marketplaceId)) return null
  const names = input.includedData.filter(name => dataSets[name])
  return Object.fromEntries(names.map(name => [name, dataSets[name]?.(product, input, request)]))
}

/** A batch answers each of its requests separately. Only when none can be answered, the whole batch is rejected. */
function batch(
  uri: string,
  max: number,
  bodyOf: (request: SpRequest, input: PriceRequest) => object | null,
  problemOf: (input: PriceRequest) => { code: string; message: string },
  wrap: (input: PriceRequest, status: object, body: object) => object,
) {
  const schema = z.object({
    requests: z
      .array(priceRequest.extend({ uri: z.literal(uri) }))
      .min(1)
      .max(max),
  })
  return (request: SpRequest) => {
    const { data } = schema.safeParse(request.body)
    if (!data) throw invalid(`requests must be 1 to ${max} of GET ${uri}`)
    const bodies = data.requests.map(input => ({ input, body: bodyOf(request, input) }))
    const [first] = data.requests
    if (first && bodies.every(({ body }) => !body)) {
      const { code, message } = problemOf(first)
      throw new SpError(400, code, message)
    }
    const responses = bodies.map(({ input, body }) =>
      body
        ? wrap(input, { statusCode: 200, reasonPhrase: 'Success' }, body)
        : wrap(input, { statusCode: 400, reasonPhrase: 'Client Error' }, { errors: [problemOf(input)] }),
    )
    return ok({ responses })
  }
}

const PRICING = '/products/pricing/2022-05-01'
const EXPECTED_PRICE = `${PRICING}/offer/featuredOfferExpectedPrice`
const SUMMARY = `${PRICING}/items/competitiveSummary`

const expectedPrices = batch(
  EXPECTED_PRICE,
  40,
  featuredOffer,
  () => ({
    code: 'INVALID_SKU',
    message: 'The requested SKU does not exist for the seller in the requested Amazon store.',
  }),
  ({ marketplaceId, sku, segment }, status, body) => ({
    request: { marketplaceId, sku, ...(segment !== undefined && { segment }) },
    headers: {},
    status,
    body,
  }),
)
const summaries = batch(
  SUMMARY,
  20,
  summary,
  ({ asin }) => ({ code: 'INVALID_ASIN', message: `${asin} is not a valid ASIN` }),
  ({ asin, marketplaceId }, status, body) => ({ status, body: { asin, marketplaceId, ...body } }),
)

export const priceOperations = [
  operation('getFeaturedOfferExpectedPriceBatch', `POST /batches${EXPECTED_PRICE}`, 0.033, 1, expectedPrices),
  operation('getCompetitiveSummary', `POST /batches${SUMMARY}`, 0.033, 1, summaries),
]
