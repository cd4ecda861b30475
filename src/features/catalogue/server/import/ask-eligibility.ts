import type { Eligibility, ProfileAds } from '#integrations/amazon-ads/index.ts'
import { UpstreamForbidden, UpstreamMalformed, UpstreamRejected } from '#server/http-client/upstream-errors.ts'

/** Products in one question, as the marketplace allows. */
export const ELIGIBILITY_BATCH = 50

export interface AskedProduct {
  asin: string
  sku?: string
}

/** True of a refusal that asking again does not change: what was asked for stays unknown. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden || error instanceof UpstreamMalformed

/**
 * Whether products may be advertised, asked fifty at a time. One product that the marketplace cannot read would spoil its
 * whole question, so a refused question is asked again in halves; what is refused alone stays without an answer.
 */
export const askEligibility = async (
  ads: Pick<ProfileAds, 'advice'>,
  products: readonly AskedProduct[],
  signal?: AbortSignal,
): Promise<Eligibility[]> => {
  const answers: Eligibility[] = []
  for (let at = 0; at < products.length; at += ELIGIBILITY_BATCH) {
    signal?.throwIfAborted()
    answers.push(...(await askInHalves(ads, products.slice(at, at + ELIGIBILITY_BATCH))))
  }
  return answers
}

const askInHalves = async (
  ads: Pick<ProfileAds, 'advice'>,
  products: readonly AskedProduct[],
): Promise<Eligibility[]> => {
  try {
    return await ads.advice.eligibility(products)
  } catch (error) {
    if (!(error instanceof UpstreamRejected)) throw error
    if (products.length <= 1) return []
    const middle = Math.ceil(products.length / 2)
    return [...(await askInHalves(ads, products.slice(0, middle))), ...(await askInHalves(ads, products.slice(middle)))]
  }
}
