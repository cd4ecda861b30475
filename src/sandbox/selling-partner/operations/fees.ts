import { z } from 'zod'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import { ok, operation, SpError, type SpRequest } from './operation.ts'
import { currencyOf, productsIn } from './product-fields.ts'

const amount = z.number().min(0).max(1_000_000_000)
const feesInput = z.object({
  MarketplaceId: z.string(),
  IsAmazonFulfilled: z
    .boolean()
    .nullish()
    .transform(value => value ?? false),
  PriceToEstimateFees: z.looseObject({
    ListingPrice: z.looseObject({ Amount: amount }),
    Shipping: z.looseObject({ Amount: amount.nullish() }).nullish(),
  }),
  Identifier: z.unknown().optional(),
})
const feesRequest = z.object({ FeesEstimateRequest: feesInput, IdType: z.string(), IdValue: z.string() })

const REFERRAL_SHARE = 0.15
/** What it costs to fulfil a small parcel, in whole units of the currency. */
const fulfilmentFees: Record<string, number> = { USD: 3.86, CAD: 5.2, MXN: 68, EUR: 3.4, GBP: 2.9, JPY: 434 }

/** An estimate, also for a product that is not sold. Throws when it does not name a price in a marketplace of the seller. */
function estimate({ store, seller, now }: SpRequest, item: unknown): Record<string, unknown> {
  const { data } = feesRequest.safeParse(item)
  if (!data || !seller.marketplaceIds.includes(data.FeesEstimateRequest.MarketplaceId))
    throw new SpError(400, 'InvalidInput', 'Incorrect Marketplace identifier.')
  const { IdType, IdValue, FeesEstimateRequest: input } = data
  const { Identifier: SellerInputIdentifier, ...question } = input
  const { MarketplaceId, IsAmazonFulfilled, PriceToEstimateFees } = question
  const FeesEstimateIdentifier = { ...question, SellerId: seller.sellerId, IdType, IdValue, SellerInputIdentifier }
  const isSold = productsIn(store, MarketplaceId).some(({ asin, sku, sellerId }) =>
    IdType === 'ASIN' ? asin === IdValue : sku === IdValue && sellerId === seller.sellerId,
  )
  if (!isSold) {
    const Message = 'There is an client-side error. Please verify your inputs.'
    const problem = { Type: 'Sender', Code: 'InvalidParameterValue', Message, Detail: [] }
    return { Status: 'ClientError', FeesEstimateIdentifier, Error: problem }
  }
  const CurrencyCode = currencyOf(MarketplaceId)
  const fee = (FeeType: string, micros: number) => {
    const money = { CurrencyCode, Amount: fromMicros(roundToUnit(micros, CurrencyCode)) }
    return { FeeType, FeeAmount: money, FeePromotion: { CurrencyCode, Amount: 0 }, FinalFee: money }
  }
  const total = toMicros(PriceToEstimateFees.ListingPrice.Amount) + toMicros(PriceToEstimateFees.Shipping?.Amount ?? 0)
  const referral = roundToUnit(total * REFERRAL_SHARE, CurrencyCode)
  const handling = IsAmazonFulfilled ? toMicros(fulfilmentFees[CurrencyCode] ?? 3.86) : 0
  return {
    Status: 'Success',
    FeesEstimateIdentifier,
    FeesEstimate: {
      TimeOfFeesEstimation: now.toISOString(),
      TotalFeesEstimate: { CurrencyCode, Amount: fromMicros(referral + handling) },
      FeeDetailList: [fee('ReferralFee', referral), fee('FBAFees', handling)],
    },
  }
}

function estimateOne(IdType: 'ASIN' | 'SellerSKU', parameter: string) {
  return (request: SpRequest) => {
    const item = { ...(request.body as object | null), IdType, IdValue: request.path[parameter] }
    return ok({ payload: { FeesEstimateResult: estimate(request, item) } })
  }
}

function estimateAll(request: SpRequest) {
  const { body } = request
  const items: unknown[] = Array.isArray(body) && body.length <= 20 && body.length > 0 ? body : [null]
  return ok(items.map(item => estimate(request, item)))
}

const url = '/products/fees/v0'

export const feeOperations = [
  operation('getMyFeesEstimateForSKU', `POST ${url}/listings/:sku/feesEstimate`, 1, 2, estimateOne('SellerSKU', 'sku')),
  operation('getMyFeesEstimateForASIN', `POST ${url}/items/:asin/feesEstimate`, 1, 2, estimateOne('ASIN', 'asin')),
  operation('getMyFeesEstimates', `POST ${url}/feesEstimate`, 0.5, 1, estimateAll),
]
