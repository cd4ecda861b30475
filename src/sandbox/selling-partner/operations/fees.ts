import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import { currencyOf, isAmount, ok, type Operation, refusal, type SpAnswer, type SpRequest } from './operation.ts'

interface Money {
  CurrencyCode: string
  Amount: number
}
interface FeesEstimateRequest {
  MarketplaceId: string
  IsAmazonFulfilled?: boolean
  PriceToEstimateFees: { ListingPrice: Money; Shipping?: Money }
  Identifier: string
}
interface Wanted {
  FeesEstimateRequest: FeesEstimateRequest
  IdType: 'ASIN' | 'SellerSKU'
  IdValue: string
}

const REFERRAL_SHARE = 0.15
// What fulfilment of a small parcel costs, in whole units of the currency.
const fulfilment: Record<string, number> = { USD: 3.86, CAD: 5.2, MXN: 68, EUR: 3.4, GBP: 2.9, JPY: 434 }

function fee(type: string, micros: number, currency: string): Record<string, unknown> {
  const money: Money = { CurrencyCode: currency, Amount: fromMicros(roundToUnit(micros, currency)) }
  return { FeeType: type, FeeAmount: money, FeePromotion: { CurrencyCode: currency, Amount: 0 }, FinalFee: money }
}

/** True when the id names something that is sold in the marketplace. */
function isKnown({ store, seller }: SpRequest, { IdType, IdValue, FeesEstimateRequest: asked }: Wanted): boolean {
  return [...store.products.values()].some(
    ({ marketplaceId, sellerId, asin, sku }) =>
      marketplaceId === asked.MarketplaceId &&
      (IdType === 'ASIN' ? asin === IdValue : sku === IdValue && sellerId === seller.sellerId),
  )
}

function identifierOf(request: SpRequest, { IdType, IdValue, FeesEstimateRequest: asked }: Wanted): object {
  return {
    MarketplaceId: asked.MarketplaceId,
    SellerId: request.seller.sellerId,
    IdType,
    IdValue,
    IsAmazonFulfilled: asked.IsAmazonFulfilled ?? false,
    PriceToEstimateFees: asked.PriceToEstimateFees,
    SellerInputIdentifier: asked.Identifier,
  }
}

function unknownProduct(request: SpRequest, wanted: Wanted): Record<string, unknown> {
  return {
    Status: 'ClientError',
    FeesEstimateIdentifier: identifierOf(request, wanted),
    Error: {
      Type: 'Sender',
      Code: 'InvalidParameterValue',
      Message: 'There is an client-side error. Please verify your inputs.',
      Detail: [],
    },
  }
}

/** An estimate, or null when the request does not name a price in a marketplace of the seller. */
function estimate(request: SpRequest, wanted: Wanted): Record<string, unknown> | null {
  const asked = wanted.FeesEstimateRequest
  const price = asked?.PriceToEstimateFees?.ListingPrice
  const shipping = asked?.PriceToEstimateFees?.Shipping?.Amount ?? 0
  if (!isAmount(price?.Amount) || !isAmount(shipping)) return null
  if (!request.seller.marketplaceIds.includes(asked.MarketplaceId)) return null
  if (!isKnown(request, wanted)) return unknownProduct(request, wanted)
  const currency = currencyOf(asked.MarketplaceId)
  const total = toMicros(price.Amount) + toMicros(shipping)
  const referral = roundToUnit(total * REFERRAL_SHARE, currency)
  const handling = asked.IsAmazonFulfilled ? toMicros(fulfilment[currency] ?? 3.86) : 0
  return {
    Status: 'Success',
    FeesEstimateIdentifier: identifierOf(request, wanted),
    FeesEstimate: {
      TimeOfFeesEstimation: request.now.toISOString(),
      TotalFeesEstimate: { CurrencyCode: currency, Amount: fromMicros(referral + handling) },
      FeeDetailList: [fee('ReferralFee', referral, currency), fee('FBAFees', handling, currency)],
    },
  }
}

const wrongMarketplace = (): SpAnswer => refusal(400, 'InvalidInput', 'Incorrect Marketplace identifier.')

/** One product's fees, its id taken from the path. */
function one(id: string, url: string, idType: Wanted['IdType'], part: string): Operation {
  return {
    id,
    method: 'POST',
    url,
    rate: 1,
    burst: 2,
    answer(request) {
      // What comes in is whatever was sent; `estimate` looks at every part it uses.
      const asked = (request.body as { FeesEstimateRequest?: FeesEstimateRequest } | null)?.FeesEstimateRequest
      const result =
        asked && estimate(request, { FeesEstimateRequest: asked, IdType: idType, IdValue: request.path[part] ?? '' })
      return result ? ok({ payload: { FeesEstimateResult: result } }) : wrongMarketplace()
    },
  }
}

/** What the marketplace would keep of a price. */
export const feeOperations: Operation[] = [
  one('getMyFeesEstimateForSKU', '/products/fees/v0/listings/:sku/feesEstimate', 'SellerSKU', 'sku'),
  one('getMyFeesEstimateForASIN', '/products/fees/v0/items/:asin/feesEstimate', 'ASIN', 'asin'),
  {
    id: 'getMyFeesEstimates',
    method: 'POST',
    url: '/products/fees/v0/feesEstimate',
    rate: 0.5,
    burst: 1,
    answer(request) {
      const wanted = Array.isArray(request.body) ? (request.body as (Wanted | null)[]) : []
      const results = wanted.map(item => item && estimate(request, item))
      return results.length > 0 && results.length <= 20 && results.every(Boolean) ? ok(results) : wrongMarketplace()
    },
  },
]
