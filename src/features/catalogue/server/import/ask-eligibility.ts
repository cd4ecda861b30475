import type { Eligibility, ProfileAds } from '#integrations/amazon-ads/index.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'

/** Products in one request, as the marketplace allows. */
const ELIGIBILITY_BATCH = 50

export interface RequestedProduct {
  asin: string
  sku?: string
}

/**
 * Whether products may be advertised, fifty per request. One product that the marketplace cannot read makes it reject the
 * whole request, so a rejected request is repeated in halves; a product that is rejected alone has no answer.
 */
export async function askEligibility(
  ads: Pick<ProfileAds, 'advice'>,
  products: readonly RequestedProduct[],
  signal?: AbortSignal,
): Promise<Eligibility[]> {
  const answers: Eligibility[] = []
  for (let at = 0; at < products.length; at += ELIGIBILITY_BATCH) {
    signal?.throwIfAborted()
    answers.push(...(await askInHalves(ads, products.slice(at, at + ELIGIBILITY_BATCH))))
  }
  return answers
}

async function askInHalves(
  ads: Pick<ProfileAds, 'advice'>,
  products: readonly RequestedProduct[],
): Promise<Eligibility[]> {
  try {
    return await ads.advice.eligibility(products)
  } catch (error) {
    if (!(error instanceof UpstreamRejected)) throw error
    if (products.length <= 1) return []
    const middle = Math.ceil(products.length / 2)
    return [...(await askInHalves(ads, products.slice(0, middle))), ...(await askInHalves(ads, products.slice(middle)))]
  }
}
