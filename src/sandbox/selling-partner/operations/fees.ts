import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import { ok, type Operation, operation, type SpAnswer, SpError, type SpRequest } from './operation.ts'
import { currencyOf } from './product-fields.ts'
import { isAmount } from './read-request.ts'

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
interface FeesRequest {
  FeesEstimateRequest: FeesEstimateRequest
  IdType: 'ASIN' | 'SellerSKU'
  IdValue: string
}

const REFERRAL_SHARE = 0.15
/** What it costs to fulfil a small parcel, in whole units of the currency. */
const fulfilmentFees: Record<string, number> = { USD: 3.86, CAD: 5.2, MXN: 68, EUR: 3.4, GBP: 2.9, JPY: 434 }

function fee(type: string, micros: number, currency: string): Record<string, unknown> {
  const money: Money = { CurrencyCode: currency, Amount: fromMicros(roundToUnit(micros, currency)) }
  return { FeeType: type, FeeAmount: money, FeePromotion: { CurrencyCode: currency, Amount: 0 }, FinalFee: money }
}

/** True when the id is of a product sold in the marketplace. */
function isSold({ store, seller }: SpRequest, { IdType, IdValue, FeesEstimateRequest: input }: FeesRequest): boolean {
  return [...store.products.values()].some(
    ({ marketplaceId, sellerId, asin, sku }) =>
      marketplaceId === input.MarketplaceId &&
      (IdType === 'ASIN' ? asin === IdValue : sku === IdValue && sellerId === seller.sellerId),
  )
}

function identifierOf(request: SpRequest, { IdType, IdValue, FeesEstimateRequest: input }: FeesRequest): object {
  return {
    MarketplaceId: input.MarketplaceId,
    SellerId: request.seller.sellerId,
    IdType,
    IdValue,
    IsAmazonFulfilled: input.IsAmazonFulfilled ?? false,
    PriceToEstimateFees: input.PriceToEstimateFees,
    SellerInputIdentifier: input.Identifier,
  }
}

function unknownProduct(request: SpRequest, item: FeesRequest): Record<string, unknown> {
  return {
    Status: 'ClientError',
    FeesEstimateIdentifier: identifierOf(request, item),
    Error: {
      Type: 'Sender',
      Code: 'InvalidParameterValue',
      Message: 'There is an client-side error. Please verify your inputs.',
      Detail: [],
    },
  }
}

/** An estimate, or null when the request does not name a price in a marketplace of the seller. */
function estimate(request: SpRequest, item: FeesRequest): Record<string, unknown> | null {
  const input = item.FeesEstimateRequest
  const price = input?.PriceToEstimateFees?.ListingPrice
  const shipping = input?.PriceToEstimateFees?.Shipping?.Amount ?? 0
  if (!isAmount(price?.Amount) || !isAmount(shipping)) return null
  if (!request.seller.marketplaceIds.includes(input.MarketplaceId)) return null
  if (!isSold(request, item)) return unknownProduct(request, item)
  const currency = currencyOf(input.MarketplaceId)
  const total = toMicros(price.Amount) + toMicros(shipping)
  const referral = roundToUnit(total * REFERRAL_SHARE, currency)
  const handling = input.IsAmazonFulfilled ? toMicros(fulfilmentFees[currency] ?? 3.86) : 0
  return {
    Status: 'Success',
    FeesEstimateIdentifier: identifierOf(request, item),
    FeesEstimate: {
      TimeOfFeesEstimation: request.now.toISOString(),
      TotalFeesEstimate: { CurrencyCode: currency, Amount: fromMicros(referral + handling) },
      FeeDetailList: [fee('ReferralFee', referral, currency), fee('FBAFees', handling, currency)],
    },
  }
}

const wrongMarketplace = (): SpError => new SpError(400, 'InvalidInput', 'Incorrect Marketplace identifier.')

/** The fees of one product, its id taken from the path. */
function estimateOne(idType: FeesRequest['IdType'], parameter: string) {
  return (request: SpRequest): SpAnswer => {
    // The body is unchecked; `estimate` checks every part it uses.
    const input = (request.body as { FeesEstimateRequest?: FeesEstimateRequest } | null)?.FeesEstimateRequest
    const idValue = request.path[parameter] ?? ''
    const result = input && estimate(request, { FeesEstimateRequest: input, IdType: idType, IdValue: idValue })
    if (!result) throw wrongMarketplace()
    return ok({ payload: { FeesEstimateResult: result } })
  }
}

function estimateAll(request: SpRequest): SpAnswer {
  const items = Array.isArray(request.body) ? (request.body as (FeesRequest | null)[]) : []
  const results = items.map(item => item && estimate(request, item))
  if (results.length === 0 || results.length > 20 || !results.every(Boolean)) throw wrongMarketplace()
  return ok(results)
}

const url = '/products/fees/v0'

/** What the marketplace would keep of a price. */
export const feeOperations: Operation[] = [
  operation('getMyFeesEstimateForSKU', `POST ${url}/listings/:sku/feesEstimate`, 1, 2, estimateOne('SellerSKU', 'sku')),
  operation('getMyFeesEstimateForASIN', `POST ${url}/items/:asin/feesEstimate`, 1, 2, estimateOne('ASIN', 'asin')),
  operation('getMyFeesEstimates', `POST ${url}/feesEstimate`, 0.5, 1, estimateAll),
]
