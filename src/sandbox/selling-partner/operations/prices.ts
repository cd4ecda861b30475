import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import {
  currencyOf,
  invalid,
  isObject,
  ok,
  type Operation,
  refusal,
  type SpAnswer,
  type SpRequest,
} from './operation.ts'

interface Asked {
  uri?: unknown
  method?: unknown
  marketplaceId?: unknown
  sku?: unknown
  segment?: unknown
  asin?: unknown
  includedData?: unknown
  lowestPricedOffersInputs?: unknown
}

function requestsIn(request: SpRequest, uri: string, most: number): Asked[] | null {
  const { requests } = (request.body ?? {}) as { requests?: unknown }
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > most) return null
  return (requests as (Asked | null)[]).every(one => one?.uri === uri && one.method === 'GET')
    ? (requests as Asked[])
    : null
}

function money(micros: number, marketplaceId: string): { amount: number; currencyCode: string } {
  const currencyCode = currencyOf(marketplaceId)
  return { amount: fromMicros(roundToUnit(micros, currencyCode)), currencyCode }
}

/** A rival's price for the same thing: a little above or below ours, always the same for a product. */
const rivalMicros = (product: Product): number => product.priceMicros * (0.92 + (hashText(product.asin, 21) % 17) / 100)

/** What the featured offer would have to cost: no more than the rival's. */
function expected(request: SpRequest, asked: Asked): { code: number; answer: object } {
  const { marketplaceId, sku, segment } = asked
  const known = { marketplaceId, sku, ...(segment !== undefined && { segment }) }
  const product = request.store.products.get(`${request.seller.sellerId}|${String(marketplaceId)}|${String(sku)}`)
  const told = (code: number, body: object): { code: number; answer: object } => ({
    code,
    answer: {
      request: known,
      status: { statusCode: code, reasonPhrase: code === 200 ? 'Success' : 'Client Error' },
      headers: {},
      body,
    },
  })
  if (!product)
    return told(400, {
      errors: [
        {
          code: 'INVALID_SKU',
          message: 'The requested SKU does not exist for the seller in the requested Amazon store.',
        },
      ],
    })
  const { asin, sellerId, priceMicros } = product
  const offerIdentifier = { asin, sku, marketplaceId, fulfillmentType: 'AFN', sellerId }
  const rival = rivalMicros(product)
  const price = (micros: number): object => ({ listingPrice: money(micros, product.marketplaceId) })
  const rivals = { marketplaceId, asin, sellerId: 'A9RIVALSELLER0', fulfillmentType: 'AFN' }
  return told(200, {
    offerIdentifier,
    featuredOfferExpectedPriceResults: [
      {
        featuredOfferExpectedPrice: price(Math.min(priceMicros, rival)),
        resultStatus: 'VALID_FOEP',
        competingFeaturedOffer: { offerIdentifier: rivals, condition: 'New', price: price(rival) },
        currentFeaturedOffer:
          priceMicros <= rival
            ? { offerIdentifier, condition: 'New', price: price(priceMicros) }
            : { offerIdentifier: rivals, condition: 'New', price: price(rival) },
      },
    ],
  })
}

const summaryParts: Record<string, (product: Product, asked: Asked, request: SpRequest) => unknown> = {
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
  similarItems: (product, _asked, { store }) => [
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

function summary(request: SpRequest, asked: Asked): { code: number; answer: object } {
  const { asin, marketplaceId, includedData } = asked
  const product = [...request.store.products.values()].find(
    one => one.asin === asin && one.marketplaceId === marketplaceId,
  )
  const named = Array.isArray(includedData) ? includedData.map(String) : []
  const told = (code: number, body: object): { code: number; answer: object } => ({
    code,
    answer: {
      status: { statusCode: code, reasonPhrase: code === 200 ? 'Success' : 'Client Error' },
      body: { asin, marketplaceId, ...body },
    },
  })
  if (!product || !marketplaceByAmazonId(product.marketplaceId))
    return told(400, { errors: [{ code: 'INVALID_ASIN', message: `${String(asin)} is not a valid ASIN` }] })
  return told(
    200,
    Object.fromEntries(
      named.flatMap(name => (summaryParts[name] ? [[name, summaryParts[name](product, asked, request)]] : [])),
    ),
  )
}

type Told = ReturnType<typeof expected> & { answer: { body?: { errors?: { code: string; message: string }[] } } }

/** A batch answers each request for itself; only when none can be answered is the whole refused. */
function batch(uri: string, most: number, one: (request: SpRequest, asked: Asked) => ReturnType<typeof expected>) {
  return (request: SpRequest): SpAnswer => {
    const asked = requestsIn(request, uri, most)
    if (!asked) return invalid(`requests must be 1 to ${most} of GET ${uri}`)
    const told = asked.map(item => one(request, item) as Told)
    const refused = told.flatMap(({ answer }) => answer.body?.errors ?? [])[0]
    if (refused && told.every(({ code }) => code !== 200)) return refusal(400, refused.code, refused.message)
    return ok({ responses: told.map(({ answer }) => answer) })
  }
}

const EXPECTED = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'
const SUMMARY = '/products/pricing/2022-05-01/items/competitiveSummary'

/** Prices beside rivals' prices, asked for in batches. */
export const priceOperations: Operation[] = [
  {
    id: 'getFeaturedOfferExpectedPriceBatch',
    method: 'POST',
    url: `/batches${EXPECTED}`,
    rate: 0.033,
    burst: 1,
    answer: batch(EXPECTED, 40, expected),
  },
  {
    id: 'getCompetitiveSummary',
    method: 'POST',
    url: `/batches${SUMMARY}`,
    rate: 0.033,
    burst: 1,
    answer: batch(SUMMARY, 20, summary),
  },
]
